// The change that a patch asked for, as unified diff. The client's own record of it has whole files; the patch itself names
// only pieces, with no line numbers.

import { detailsOf, inputOf } from '../call-blocks.ts';
import { isObject, type JsonObject, objectAt, stringAt, stringsAt } from '../json-access.ts';
import type { DiffRequest, ProposedDiff } from '../source.ts';
import { creation, patch } from '../unified-diff.ts';

export function proposedDiff(request: DiffRequest): ProposedDiff | null {
  // Most commands are no patches.
  const asked = askedDiff(request);
  return request.name === 'shell' && asked === null ? null : (recordedDiff(request) ?? asked);
}

/** `changes` of a FileChange item or `patch_apply_end`: each file with what was done to it. */
function recordedDiff(request: DiffRequest): ProposedDiff | null {
  const changes = objectAt(objectAt(detailsOf(request), 'item'), 'changes');
  if (changes === undefined) return null;
  const diffs = Object.entries(changes).map(([path, change]) =>
    isObject(change) ? changeDiff(path, change) : undefined,
  );
  const known = diffs.filter((diff) => diff !== undefined);
  return known.length === 0 ? null : { diff: known.join(''), diff_base: 'file' };
}

function changeDiff(path: string, change: JsonObject): string | undefined {
  const text = stringAt(change, 'content');
  if (change.type === 'add' && text !== undefined) return creation(path, text);
  if (change.type === 'delete')
    return text === undefined ? deletion(path) : patch(path, text, '').replace(`+++ ${path}`, '+++ /dev/null');
  const hunks = stringAt(change, 'unified_diff');
  if (hunks === undefined) return undefined;
  return `--- ${path}\n+++ ${stringAt(change, 'move_path') ?? path}\n${hunks.endsWith('\n') ? hunks : `${hunks}\n`}`;
}

function askedDiff(request: DiffRequest): ProposedDiff | null {
  const input = inputOf(request);
  const text =
    typeof input === 'string'
      ? input
      : isObject(input)
        ? (stringAt(input, 'input') ?? stringAt(input, 'patch') ?? patchIn(stringsAt(input, 'command')))
        : undefined;
  const parts = text === undefined ? [] : partsOf(text);
  if (parts.length === 0) return null;
  // A new file is known whole; of a changed one only pieces are.
  const base = parts.every(({ what }) => what === 'Add')
    ? 'file'
    : parts.some(({ what }) => what === 'Delete')
      ? 'unknown'
      : 'fragment';
  return { diff: parts.map(partDiff).join(''), diff_base: base };
}

/** A command that is nothing but a patch: `apply_patch` with its text, or a shell that is to pass it on. */
function patchIn([program, option, script]: string[]): string | undefined {
  if (program === 'apply_patch') return option;
  return option === '-lc' && /^apply_patch <<\s*(['"]?)(\w+)\1\n[\s\S]*\n\2\s*$/.test(script ?? '')
    ? script
    : undefined;
}

interface PatchPart {
  what: 'Add' | 'Update' | 'Delete';
  path: string;
  moved: string | null;
  hunks: string[][];
}

/** `*** Begin Patch` … `*** End Patch`: files, and below each the lines to add, take and keep. */
function partsOf(text: string): PatchPart[] {
  const parts: PatchPart[] = [];
  const [patched = ''] = text.split('\n*** End Patch');
  for (const line of patched.replace(/\n$/, '').split('\n')) {
    const [, what, path] = /^\*\*\* (Add|Update|Delete) File: (.+)$/.exec(line) ?? [];
    const part = parts.at(-1);
    if (what !== undefined && path !== undefined)
      parts.push({ what: what as PatchPart['what'], path: path.trim(), moved: null, hunks: [[]] });
    else if (part === undefined || line === '*** End of File') continue;
    else if (line.startsWith('*** Move to: ')) part.moved = line.slice('*** Move to: '.length).trim();
    else if (line.startsWith('@@')) part.hunks.push([]);
    else part.hunks.at(-1)?.push(line);
  }
  return parts;
}

function partDiff({ what, path, moved, hunks }: PatchPart): string {
  if (what === 'Delete') return deletion(path);
  if (what === 'Add')
    return creation(
      path,
      `${hunks
        .flat()
        .map((line) => line.slice(1))
        .join('\n')}\n`,
    );
  const to = moved ?? path;
  const pieces = hunks.filter((lines) => lines.length > 0).map((lines) => fragment(path, to, lines));
  // A piece of nothing but lines that stay has no hunk.
  return pieces.filter((piece) => piece.includes('\n@@ ')).join('') || `--- ${path}\n+++ ${to}\n`;
}

function fragment(path: string, to: string, lines: string[]): string {
  const side = (other: string) =>
    lines
      .filter((line) => !line.startsWith(other))
      .map((line) => `${line.slice(1)}\n`)
      .join('');
  return patch(path, side('+'), side('-')).replace(`+++ ${path}`, `+++ ${to}`);
}

function deletion(path: string): string {
  return `--- ${path}\n+++ /dev/null\n`;
}
