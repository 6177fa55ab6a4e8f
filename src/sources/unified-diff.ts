// Changes as unified diffs.

import { createTwoFilesPatch } from 'diff';

/** A new file: nothing to compare. */
export function creation(path: string, content: string): string {
  const lines = content.split('\n');
  const whole = lines.at(-1) === '' ? lines.slice(0, -1) : lines;
  if (whole.length === 0) return `--- /dev/null\n+++ ${path}\n`;
  const ending = whole === lines ? '\n\\ No newline at end of file\n' : '\n';
  const range = whole.length === 1 ? '1' : `1,${whole.length}`;
  return `--- /dev/null\n+++ ${path}\n@@ -0,0 +${range} @@\n+${whole.join('\n+')}${ending}`;
}

/** The change from one text to another. */
export function patch(path: string, before: string, after: string): string {
  return createTwoFilesPatch(path, path, before, after, undefined, undefined, {
    context: 3,
    headerOptions: { includeIndex: false, includeUnderline: false, includeFileHeaders: true },
  });
}
