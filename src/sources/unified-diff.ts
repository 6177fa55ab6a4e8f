// Changes as unified diffs.

import { diffArrays, formatPatch } from 'diff';

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

/** How many characters two texts are known to share at their beginnings and ends: at least these. */
export interface SameEnds {
  start: number;
  end: number;
}

const NOTHING_SAME: SameEnds = { start: 0, end: 0 };

/**
 * The change from one text to another. Edits change few lines of long files: only those between the first and the last line
 * that differ are compared, with their context (comparing the rest took a twentieth of the time in which documents are read).
 */
export function patch(path: string, before: string, after: string, same: SameEnds = NOTHING_SAME): string {
  const { from, end } = changed(before, after, same);
  const start = linesBack(before, from);
  const left = end - linesOn(before, before.length - end);
  const shown = (text: string) => linesOf(text.slice(start, text.length - left));
  return headOf(path) + hunksOf(shown(before), shown(after), linesIn(before, start));
}

/** Names with odd letters are quoted. */
function headOf(path: string): string {
  if (/^[\w./ -]+$/.test(path)) return `--- ${path}\n+++ ${path}\n`;
  return formatPatch(
    { oldFileName: path, newFileName: path, oldHeader: undefined, newHeader: undefined, hunks: [] },
    HEADERS,
  );
}

/** Each with its line feed; the last may have none. */
function linesOf(text: string): string[] {
  const lines: string[] = [];
  for (let at = 0; at < text.length; ) {
    const newline = text.indexOf('\n', at);
    const end = newline === -1 ? text.length : newline + 1;
    lines.push(text.slice(at, end));
    at = end;
  }
  return lines;
}

/** Lines of the old text that lines of the new one stand for; one side may be empty. */
interface Gap {
  old: { from: number; to: number };
  fresh: { from: number; to: number };
}

/** Places that are nearer to each other than their contexts are one hunk. `skipped` lines stand before these in both texts. */
function hunksOf(before: string[], after: string[], skipped: number): string {
  const groups: Gap[][] = [];
  for (const gap of gapsIn(before, after)) {
    const group = groups.at(-1);
    if (group !== undefined && gap.old.from - (group.at(-1)?.old.to ?? 0) <= 2 * CONTEXT) group.push(gap);
    else groups.push([gap]);
  }
  return groups.map((gaps) => hunkOf(gaps, before, after, skipped)).join('');
}

function hunkOf(gaps: Gap[], before: string[], after: string[], skipped: number): string {
  const [first, last] = [gaps[0], gaps.at(-1)] as [Gap, Gap]; // a group has at least one
  const context = Math.min(CONTEXT, first.old.from);
  const [oldFrom, newFrom] = [first.old.from - context, first.fresh.from - context];
  const end = Math.min(before.length, last.old.to + CONTEXT);
  const newEnd = last.fresh.to + (end - last.old.to);
  let text = `@@ -${rangeOf(skipped + oldFrom, end - oldFrom)} +${rangeOf(skipped + newFrom, newEnd - newFrom)} @@\n`;
  let shown = oldFrom;
  for (const { old, fresh } of gaps) {
    text += signed(' ', before, shown, old.from);
    text += signed('-', before, old.from, old.to);
    text += signed('+', after, fresh.from, fresh.to);
    shown = old.to;
  }
  return text + signed(' ', before, shown, end);
}

/** Lines are counted from 1; of none, the line before them is named. */
function rangeOf(from: number, lines: number): string {
  return `${lines === 0 ? from : from + 1},${lines}`;
}

function signed(sign: string, lines: string[], from: number, to: number): string {
  let text = '';
  for (let at = from; at < to; at++) {
    const line = lines[at] ?? '';
    text += line.endsWith('\n') ? sign + line : `${sign}${line}\n\\ No newline at end of file\n`;
  }
  return text;
}

/** Where lines differ, in order. */
function gapsIn(before: string[], after: string[]): Gap[] {
  let first = 0;
  while (first < before.length && first < after.length && before[first] === after[first]) first++;
  let [oldEnd, newEnd] = [before.length, after.length];
  while (oldEnd > first && newEnd > first && before[oldEnd - 1] === after[newEnd - 1]) {
    oldEnd--;
    newEnd--;
  }
  const gaps: Gap[] = [];
  let [old, fresh] = [first, first];
  const until = (oldTo: number, newTo: number) => {
    if (oldTo > old || newTo > fresh) gaps.push({ old: { from: old, to: oldTo }, fresh: { from: fresh, to: newTo } });
    [old, fresh] = [oldTo + 1, newTo + 1];
  };
  const shared = sharedLines(before.slice(first, oldEnd), after.slice(first, newEnd));
  for (const [oldAt, newAt] of shared) until(first + oldAt, first + newAt);
  until(oldEnd, newEnd);
  return gaps;
}

/**
 * Which lines stay: as many as can, by their places in both texts. Lines that only one text has cannot stay; most edits leave nothing
 * else to compare, and to look for them among the others takes a time that grows with the square of their number.
 */
function sharedLines(before: string[], after: string[]): [number, number][] {
  if (before.length === 0 || after.length === 0) return [];
  const old = placesOf(before, new Set(after));
  if (old.length === 0) return [];
  const fresh = placesOf(after, new Set(before));
  const isSame = old.length === fresh.length && old.every((at, i) => before[at] === after[fresh[i] ?? 0]);
  if (isSame) return old.map((at, i) => [at, fresh[i] ?? 0]);
  const shared: [number, number][] = [];
  let [oldAt, newAt] = [0, 0];
  const textAt = (lines: string[], places: number[]) => places.map((at) => lines[at] ?? '');
  for (const { added, removed, count } of diffArrays(textAt(before, old), textAt(after, fresh))) {
    if (!added && !removed) for (let i = 0; i < count; i++) shared.push([old[oldAt + i] ?? 0, fresh[newAt + i] ?? 0]);
    if (!added) oldAt += count;
    if (!removed) newAt += count;
  }
  return shared;
}

function placesOf(lines: string[], others: Set<string>): number[] {
  const places: number[] = [];
  for (let at = 0; at < lines.length; at++) if (others.has(lines[at] ?? '')) places.push(at);
  return places;
}

/** Where the first line begins that differs, and how long the end is that does not: both made of whole lines. */
function changed(before: string, after: string, same: SameEnds): { from: number; end: number } {
  const from = lineStart(before, sameStart(before, after, same.start));
  const end = sameEnd(before, after, Math.min(before.length, after.length) - from, same.end);
  const old = before.length - end;
  if (isLineStart(before, old) && isLineStart(after, after.length - end)) return { from, end };
  const newline = before.indexOf('\n', old);
  return { from, end: newline === -1 ? 0 : before.length - newline - 1 };
}

/** Texts are compared in pieces of so many characters, and only the piece that differs one by one. */
const PIECE = 512;

function sameStart(before: string, after: string, known: number): number {
  const limit = Math.min(before.length, after.length);
  let at = Math.min(known, limit);
  while (at + PIECE <= limit && before.slice(at, at + PIECE) === after.slice(at, at + PIECE)) at += PIECE;
  while (at < limit && before.charCodeAt(at) === after.charCodeAt(at)) at++;
  return at;
}

function sameEnd(before: string, after: string, limit: number, known: number): number {
  const [old, fresh] = [before.length, after.length];
  const isSamePiece = (end: number) =>
    before.slice(old - end - PIECE, old - end) === after.slice(fresh - end - PIECE, fresh - end);
  let end = Math.min(known, limit);
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
