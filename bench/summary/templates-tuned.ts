// The wordings on which the summariser was tuned.

import type { Templates } from './templates.ts';

export const tuned: Templates = {
  decision: [
    { by: 'agent', text: "We'll use {choice} instead of {other}, because {reason}.", keys: ['{choice}', '{reason}'] },
    { by: 'agent', text: 'I decided to go with {choice} here: {reason}.', keys: ['{choice}', '{reason}'] },
    { by: 'person', text: "let's go with {choice}, {reason}", keys: ['{choice}', '{reason}'] },
    { by: 'agent', text: 'Since {reason}, I chose {choice} over {other}.', keys: ['{choice}', '{reason}'] },
    { by: 'person', text: 'No, use {choice} instead. {reason}.', keys: ['{choice}', '{reason}'] },
    { by: 'agent', text: 'The design is settled on {choice} so that {reason}.', keys: ['{choice}', '{reason}'] },
    { by: 'agent', text: '**Decision**: {choice} rather than {other} ({reason}).', keys: ['{choice}', '{reason}'] },
    { by: 'person', text: 'I prefer {choice} to {other} since {reason}.', keys: ['{choice}', '{reason}'] },
  ],
  path: [
    { name: 'Edit', input: (path, line) => ({ file_path: path, old_string: 'return null;', new_string: line }) },
    { name: 'Write', input: (path, line) => ({ file_path: path, content: `${line}\n` }) },
    {
      name: 'MultiEdit',
      input: (path, line) => ({ file_path: path, edits: [{ old_string: 'x', new_string: line }] }),
    },
    { name: 'NotebookEdit', input: (path, line) => ({ notebook_path: path, new_source: line, cell_id: 'c4' }) },
    {
      name: 'apply_patch',
      input: (path, line) => `*** Begin Patch\n*** Update File: ${path}\n@@\n-old\n+${line}\n*** End Patch\n`,
    },
    {
      name: 'replace',
      input: (path, line) => ({ instruction: 'Update the helper', file_path: path, old_string: 'a', new_string: line }),
    },
    {
      name: 'shell',
      input: (path, line) => ({
        command: [
          'bash',
          '-lc',
          `apply_patch <<'PATCH'\n*** Begin Patch\n*** Add File: ${path}\n+${line}\n*** End Patch\nPATCH`,
        ],
      }),
    },
    { name: 'write_file', input: (path, line) => ({ content: `${line}\n`, file_path: path }) },
  ],
  test: [
    {
      command: 'npx vitest run',
      output:
        ' ❯ test/api.test.ts (14 tests | 1 failed) 231ms\n   × {test}\n     → expected 3 to be 4\n\n Test Files  1 failed | 11 passed (12)',
      exit_code: 1,
    },
    {
      command: 'pytest -q',
      output: 'FAILED tests/test_billing.py::{test} - AssertionError: assert 0 == 1\n1 failed, 83 passed in 4.12s',
      exit_code: 1,
    },
    {
      command: 'go test ./...',
      output: '--- FAIL: {test} (0.03s)\n    store_test.go:88: got 2, want 3\nFAIL\nFAIL\texample.com/store\t0.412s',
      exit_code: 1,
    },
    {
      command: 'cargo test',
      output:
        'test ledger::{test} ... FAILED\n\nfailures:\n    ledger::{test}\n\ntest result: FAILED. 41 passed; 1 failed; 0 ignored',
      exit_code: 101,
    },
    {
      command: 'npx jest --ci',
      output:
        '  ● Session store › {test}\n\n    expect(received).toBe(expected)\n\nTests:       1 failed, 62 passed, 63 total',
      exit_code: 1,
    },
    {
      command: 'npx mocha 2>&1 | tail -20',
      output:
        '  61 passing (2s)\n  1 failing\n\n  1) Scheduler\n       {test}:\n     AssertionError: expected [] to have length 2',
      exit_code: 0,
    },
    {
      command: 'node --test',
      output: "not ok 14 - {test}\n  ---\n  duration_ms: 3.1\n  failureType: 'testCodeFailure'\n# pass 31\n# fail 1",
      exit_code: 1,
    },
    {
      command: 'bundle exec rspec',
      output: '62 examples, 1 failure\n\nFailed examples:\n\nrspec ./spec/models/order_spec.rb:41 # Order {test}',
      exit_code: 1,
    },
  ],
  refusal: [
    { tool: 'Edit', target: 'path', reason: "don't change this file, {reason}", keys: ['{target}', '{reason}'] },
    { tool: 'Bash', target: 'command', reason: 'no, {reason}', keys: ['{target}', '{reason}'] },
    { tool: 'Write', target: 'path', reason: '{reason}. Put it somewhere else.', keys: ['{target}', '{reason}'] },
    { tool: 'shell', target: 'command', reason: 'Do not run that here: {reason}.', keys: ['{target}', '{reason}'] },
    { tool: 'write_file', target: 'path', reason: 'stop. {reason}', keys: ['{target}', '{reason}'] },
    {
      tool: 'run_shell_command',
      target: 'command',
      reason: "I'd rather do this by hand because {reason}",
      keys: ['{target}', '{reason}'],
    },
    { tool: 'Edit', target: 'path', reason: 'wrong file; {reason}', keys: ['{target}', '{reason}'] },
    {
      tool: 'Bash',
      target: 'command',
      reason: "not now\n\n{reason}, we'll do it on Monday",
      keys: ['{target}', '{reason}'],
    },
  ],
  question: [
    { by: 'agent', text: 'Should {subject} {first}, or {second}?', keys: ['{subject}', '{first}', '{second}'] },
    {
      by: 'agent',
      text: 'Do you want {subject} to {first} or to {second}?',
      keys: ['{subject}', '{first}', '{second}'],
    },
    {
      by: 'agent',
      text: 'One open question: does {subject} {first} or {second}?',
      keys: ['{subject}', '{first}', '{second}'],
    },
    {
      by: 'agent',
      text: 'Before I go further, which do you prefer: {subject} should {first}, or {second}?',
      keys: ['{subject}', '{first}', '{second}'],
    },
    {
      by: 'agent',
      text: 'I was not sure whether {subject} ought to {first} or {second}; please tell me.',
      keys: ['{subject}', '{first}', '{second}'],
    },
    {
      by: 'agent',
      text: '**Question for you**: may {subject} {first} (the alternative is to {second})?',
      keys: ['{subject}', '{first}', '{second}'],
    },
    {
      by: 'agent',
      text: 'Would you like {subject} to {first}? Otherwise it will {second}.',
      keys: ['{subject}', '{first}'],
    },
    {
      by: 'agent',
      text: 'What should happen when {subject} cannot {first}: {second}?',
      keys: ['{subject}', '{first}', '{second}'],
    },
  ],
  constraint: [
    { by: 'person', text: 'You must never touch {thing}.', keys: ['never touch {thing}'] },
    { by: 'person', text: "Please don't change {thing}, other teams rely on it.", keys: ["don't change {thing}"] },
    { by: 'person', text: '{thing} has to stay below {number}.', keys: ['{thing} has to stay below {number}'] },
    { by: 'person', text: 'Make sure {thing} keeps working with {number} at once.', keys: ['{thing}', '{number}'] },
    { by: 'person', text: 'And always go through {thing} for this, at most {number}.', keys: ['{thing}', '{number}'] },
    {
      by: 'person',
      text: 'It should not need more than {number}, not even for {thing}.',
      keys: ['{thing}', '{number}'],
    },
    { by: 'person', text: 'Only {thing} may be used here.', keys: ['Only {thing} may be used'] },
    { by: 'person', text: 'We cannot go over {number} in {thing}.', keys: ['{number}', '{thing}'] },
  ],
  cause: [
    { by: 'agent', text: 'The problem was that {cause}, which gave `{error}`.', keys: ['{cause}', '{error}'] },
    { by: 'agent', text: 'Root cause: {cause}. That is where "{error}" comes from.', keys: ['{cause}', '{error}'] },
    { by: 'agent', text: 'Found it! `{error}` is thrown because {cause}.', keys: ['{cause}', '{error}'] },
    { by: 'agent', text: 'It turns out that {cause}; hence `{error}`.', keys: ['{cause}', '{error}'] },
    {
      by: 'agent',
      text: 'The bug is in the start-up code: {cause}, and so every request ends in `{error}`.',
      keys: ['{cause}', '{error}'],
    },
    { by: 'agent', text: 'I traced `{error}` back to its source: {cause}.', keys: ['{cause}', '{error}'] },
    { by: 'agent', text: 'The error `{error}` is caused by the fact that {cause}.', keys: ['{cause}', '{error}'] },
    {
      by: 'agent',
      text: "So the culprit isn't the cache. {cause}, therefore `{error}`.",
      keys: ['{cause}', '{error}'],
    },
  ],
  library: [
    {
      by: 'agent',
      text: "I've added {library} {version} for this, because it has no dependencies.",
      keys: ['{library} {version}'],
    },
    { by: 'agent', text: "We'll pin {library} to {version}.", keys: ['{library}', '{version}'] },
    { by: 'person', text: 'use {library} {version} for that, not the newest', keys: ['{library} {version}'] },
    {
      by: 'agent',
      text: 'I chose `{library}@{version}`, the last one that runs on our Node.',
      keys: ['{library}@{version}'],
    },
    {
      by: 'agent',
      text: 'For the parsing I went with {library} (version {version}).',
      keys: ['{library}', '{version}'],
    },
    { by: 'person', text: 'We are on {library} v{version} and must stay there.', keys: ['{library} v{version}'] },
    {
      by: 'agent',
      text: 'Installed {library} in version {version} rather than writing our own.',
      keys: ['{library}', '{version}'],
    },
    { by: 'agent', text: 'The library of choice is {library}, `^{version}`.', keys: ['{library}', '{version}'] },
  ],
  todo: [
    {
      tool: 'TodoWrite',
      input: (task) => ({
        todos: [
          { content: 'Read the code', status: 'completed' },
          { content: task, status: 'pending' },
        ],
      }),
    },
    { tool: 'write_todos', input: (task) => ({ todos: [{ description: task, status: 'in_progress' }] }) },
    {
      tool: 'update_plan',
      input: (task) => ({
        plan: [
          { step: 'Look around', status: 'completed' },
          { step: task, status: 'pending' },
        ],
      }),
    },
    { by: 'agent', text: 'What remains: {task}.', keys: ['{task}'] },
    { by: 'agent', text: 'TODO: {task}.', keys: ['{task}'] },
    { by: 'agent', text: 'I still need to {task}.', keys: ['{task}'] },
    { by: 'agent', text: 'The next step is to {task}.', keys: ['{task}'] },
    { by: 'agent', text: 'Not yet done: {task}.', keys: ['{task}'] },
  ],
  command: [
    { by: 'person', text: 'Run the tests with `{command}`, otherwise {why}.', keys: ['{command}', '{why}'] },
    { by: 'person', text: 'Always use `{command}` here because {why}.', keys: ['{command}', '{why}'] },
    {
      by: 'agent',
      text: 'Note that it has to be started with `{command}`: without that, {why}.',
      keys: ['{command}', '{why}'],
    },
    { by: 'person', text: "don't run it directly, call `{command}` ({why})", keys: ['{command}', '{why}'] },
    { by: 'agent', text: 'The command must be `{command}`, since {why}.', keys: ['{command}', '{why}'] },
    { by: 'agent', text: 'Important: only `{command}` works on this machine, as {why}.', keys: ['{command}', '{why}'] },
    { by: 'person', text: 'you need to run `{command}` first or {why}', keys: ['{command}', '{why}'] },
    {
      by: 'agent',
      text: 'From now on I run `{command}` so that it does not happen that {why}.',
      keys: ['{command}', '{why}'],
    },
  ],
};
