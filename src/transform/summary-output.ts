// The telling lines of what a tool gave back: which tests failed, and with what message.

import { clip, oneLine, plainText } from './summary-sentences.ts';

/** A line that names a failed test, as the test runners write it. */
const FAILED_TEST =
  /^\s*(?:[×✗✕✖❌]|●\s|not ok\b|\(fail\)|--- FAIL|(?:\[?FAIL(?:ED|URE)?\]?)[\s:]+\S+[/:.\w]|Failed\s+\w|\d+\)\s+\S|rspec \S+:\d+|\d+ - .*\(Failed\)|\[ERROR\]\s+\S+[.:]\S+)|(?:\.\.\.|\.{3,}|\s)\s*(?:FAILED|FAIL|failed!)\s*$|^FAILED\s/;
/** The lines that only count: good where nothing better is there. */
const COUNTS = /\b\d+ (?:failed|failing|failures?|errors?|problems?)\b|\b(?:Failures|Errors|Failed): *[1-9]/i;
const MESSAGE =
  /\b(?:error(?:\[\w+\]|\s*TS\d+)?:|\w*(?:Error|Exception)\b\s*[:(]|fatal:|panic(?:ked at|:)|Caused by|cannot find|not found|No such file|Permission denied|Segmentation fault|undefined reference|unexpected|expected\b.*\b(?:got|but|to)|assert\w*|Traceback|ERR!|Failed asserting|FAILURE|refused|timed out|out of memory|denied)/i;
/** Errors that have a name in capitals: ECONNRESET, ENOENT. */
const NAMED = /\bE[A-Z]{4,}\b/;
const NOISE =
  /^\s*(?:at\s|\^+$|[-=─━_*.\s]+$|File ".*", line|node:internal|npm (?:ERR! A complete|error A complete)|\d+ pass|Exit code \d+$|ok\s)/;

export interface OutputLines {
  /** Names of tests that failed. */
  tests: string[];
  /** Messages, the most telling ones. */
  messages: string[];
}

/** What the output of a call that failed says about why. */
export function failureLines(text: string): OutputLines {
  const found = scan(text);
  if (found.tests.length > 0 || found.messages.length > 0) return found;
  const last = linesOf(text)
    .filter((line) => !NOISE.test(line))
    .slice(-2);
  return { tests: [], messages: last };
}

/**
 * What the output of a call that went well says about failed tests: a run piped into `tail` reports
 * success. Only lines that runners write count, and only where the output counts failures, too.
 */
export function hiddenFailures(text: string): OutputLines {
  if (!/\b[1-9]\d* (?:failed|failing|fail|failures?)\b|^(?:FAIL|FAILED|not ok)\b/m.test(text))
    return { tests: [], messages: [] };
  return scan(text);
}

const MOST_TESTS = 12;
const MOST_MESSAGES = 4;

function scan(text: string): OutputLines {
  const tests: string[] = [];
  const messages: string[] = [];
  const counts: string[] = [];
  let heading = '';
  for (const line of linesOf(text)) {
    if (NOISE.test(line)) continue;
    if (FAILED_TEST.test(line)) {
      heading = line;
      if (tests.length < MOST_TESTS && !tests.includes(line)) tests.push(line);
    } else if (heading !== '' && /^\d+\)/.test(heading) && line.endsWith(':') && tests.length < MOST_TESTS) {
      // Mocha writes the suite on the numbered line and the test below it.
      tests[tests.length - 1] = `${heading} ${line}`;
      heading = '';
    } else if (MESSAGE.test(line) || NAMED.test(line)) {
      if (messages.length < MOST_MESSAGES && !messages.includes(line)) messages.push(line);
    } else if (COUNTS.test(line)) counts.push(line);
  }
  const last = counts.at(-1);
  if (last !== undefined && messages.length < MOST_MESSAGES) messages.push(last);
  return { tests, messages };
}

function linesOf(text: string): string[] {
  return plainText(text)
    .split('\n')
    .map((line) => clip(oneLine(line.slice(0, 600)), 220))
    .filter((line) => line !== '');
}
