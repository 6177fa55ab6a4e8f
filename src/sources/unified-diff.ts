// Changes as unified diffs.

import { formatPatch, structuredPatch } from 'diff';

const CONTEXT = 3;
const HEADERS = { includeIndex: false, includeUnderline: false, includeFileHeaders: true };

/** A new file: nothing to compare. */
export function creation(path: string, content: string): string {
  const lines = content.split('\n');
  const whole = lines.at(-1) === '' ? lines.slice(0, -1) : lines;
  if (whole.length === 0) return `--- /dev/null\n+++ ${path}\n`;
  const ending = whole === lines ? '\n\\ No newline at end of file\n' : '\n';
  const range = whole.length === 1 ? '1' : `1,${whole.length}`;
  return `--- /dev/null\n+++ ${path}\n@@ -0,0 +${range} @@\n+${whole.join('\n+')}${ending}`;
}

/**
 * The change from one text to another. Edits change few lines of long files: only those between the first and the last line
 * that differ are compared, with their context (comparing the rest took a twentieth of the time in which documents are read).
 */
export function patch(path: string, before: string, after: string): string {
  const { from, end } = changed(before, after);
  const start = linesBack(before, from);
  const left = end - linesOn(before, before.length - end);
  const shown = (text: string) => text.slice(start, text.length - left);
  const part = structuredPatch(path, path, shown(before), shown(after), undefined, undefined, { context: CONTEXT });
  const skipped = linesIn(before, start);
  for (const hunk of part.hunks) {
    hunk.oldStart += skipped;
    hunk.newStart += skipped;
  }
  return formatPatch(part, HEADERS);
}

/** Where the first line begins that differs, and how long the end is that does not: both made of whole lines. */
function changed(before: string, after: string): { from: number; end: number } {
  const from = lineStart(before, sameStart(before, after));
  const end = sameEnd(before, after, Math.min(before.length, after.length) - from);
  const old = before.length - end;
  if (isLineStart(before, old) && isLineStart(after, after.length - end)) return { from, end };
  const newline = before.indexOf('\n', old);
  return { from, end: newline === -1 ? 0 : before.length - newline - 1 };
}

/** Texts are compared in pieces of so many characters, and only the piece that differs one by one. */
const PIECE = 512;

function sameStart(before: string, after: string): number {
  const limit = Math.min(before.length, after.length);
  let at = 0;
  while (at + PIECE <= limit && before.slice(at, at + PIECE) === after.slice(at, at + PIECE)) at += PIECE;
  while (at < limit && before.charCodeAt(at) === after.charCodeAt(at)) at++;
  return at;
}

function sameEnd(before: string, after: string, limit: number): number {
  const [old, fresh] = [before.length, after.length];
  const isSamePiece = (end: number) =>
    before.slice(old - end - PIECE, old - end) === after.slice(fresh - end - PIECE, fresh - end);
  let end = 0;
  while (end + PIECE <= limit && isSamePiece(end)) end += PIECE;
  while (end < limit && before.charCodeAt(old - end - 1) === after.charCodeAt(fresh - end - 1)) end++;
  return end;
}

/** Where the line begins in which a place lies; a place after a line feed begins one. */
function lineStart(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
}

function isLineStart(text: string, at: number): boolean {
  return lineStart(text, at) === at;
}

/** The beginning of the lines that are shown before a change. */
function linesBack(text: string, from: number): number {
  let at = from;
  for (let line = 0; line < CONTEXT && at > 0; line++) at = lineStart(text, at - 1);
  return at;
}

/** How many characters the lines have that are shown after a change. */
function linesOn(text: string, from: number): number {
  let at = from;
  for (let line = 0; line < CONTEXT && at < text.length; line++) {
    const newline = text.indexOf('\n', at);
    at = newline === -1 ? text.length : newline + 1;
  }
  return at - from;
}

function linesIn(text: string, end: number): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}
