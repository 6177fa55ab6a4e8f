import { isObject, stringAt } from '../json-access.ts';
import type { Source } from '../source.ts';
import { check } from './check.ts';
import { alongside, hookFor, resumeCommand, retention } from './client.ts';
import { contentOf } from './content.ts';
import { proposedDiff } from './diff.ts';
import { familyUsage } from './fast-usage.ts';
import { beside, group } from './files.ts';
import { lastUsed, link, linkHead } from './links.ts';
import { openTies } from './open-ties.ts';
import { outlineFamily } from './outline.ts';
import { claudeCodePlace } from './place.ts';
import { ENTRY_TYPES } from './records.ts';
import { rewrite } from './rewrite.ts';
import { purposeOf } from './tools.ts';
import { usageKey } from './usage.ts';
import { lines, looksThere, place } from './write.ts';

export const claudeCode: Source = {
  ...claudeCodePlace,
  recognises: (row) =>
    isObject(row) &&
    stringAt(row, 'type') !== undefined &&
    (stringAt(row, 'sessionId') !== undefined || stringAt(row, 'type') === 'summary' || 'snapshot' in row) &&
    Object.hasOwn(ENTRY_TYPES, String(row.type)),
  beside,
  group,
  outline: outlineFamily,
  unsettledFrom: () => null,
  usage: familyUsage,
  usageKey,
  content: contentOf,
  purpose: purposeOf,
  mayEdit: (name) => purposeOf(name) === 'edit',
  diff: proposedDiff,
  lastUsed,
  linkHead,
  link,
  openTies,
  alongside,
  tellsProjects: () => false,
  resumeCommand,
  commandBeforeResume: () => null,
  hookFor,
  writer: { lines, place, looksThere, rewrite },
  check,
  retention,
};
