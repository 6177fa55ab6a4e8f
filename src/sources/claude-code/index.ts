import { isObject, stringAt } from '../json-access.ts';
import type { Source } from '../source.ts';
import { check } from './check.ts';
import { alongside, fileKey, hookFor, resumeCommand, retention } from './client.ts';
import { contentOf } from './content.ts';
import { proposedDiff } from './diff.ts';
import { beside, group } from './files.ts';
import { lastUsed, link, linkHead } from './links.ts';
import { outlineFamily } from './outline.ts';
import { ENTRY_TYPES } from './records.ts';
import { rewrite } from './rewrite.ts';
import { purposeOf } from './tools.ts';
import { lines, looksThere, place } from './write.ts';

export const claudeCode: Source = {
  agent: 'claude-code',
  label: 'Claude Code',
  root: { name: '.claude', variable: 'CLAUDE_CONFIG_DIR', moves: 'root' },
  places: ['projects', 'history.jsonl'],
  recognises: (row) =>
    isObject(row) &&
    stringAt(row, 'type') !== undefined &&
    (stringAt(row, 'sessionId') !== undefined || stringAt(row, 'type') === 'summary' || 'snapshot' in row) &&
    Object.hasOwn(ENTRY_TYPES, String(row.type)),
  beside,
  group,
  outline: outlineFamily,
  unsettledFrom: () => null,
  content: contentOf,
  purpose: purposeOf,
  diff: proposedDiff,
  lastUsed,
  linkHead,
  link,
  fileKey,
  alongside,
  resumeCommand,
  hookFor,
  writer: { lines, place, looksThere, rewrite },
  check,
  retention,
};
