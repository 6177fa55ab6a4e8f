import { isObject, objectAt, stringAt } from '../json-access.ts';
import type { Source } from '../source.ts';
import { check } from './check.ts';
import { alongside, commandBeforeResume, hookFor, resumeCommand, retention } from './client.ts';
import { contentOf } from './content.ts';
import { proposedDiff } from './diff.ts';
import { familyUsage } from './fast-usage.ts';
import { beside, group } from './files.ts';
import { lastUsed, link, linkHead } from './links.ts';
import { outlineFamily } from './outline.ts';
import { codexPlace } from './place.ts';
import { isKnown } from './records.ts';
import { rowFrom } from './rows.ts';
import { mayEdit, purposeOf } from './tools.ts';
import { usageKey } from './usage.ts';

export const codex: Source = {
  ...codexPlace,
  recognises: (value) => {
    if (!isObject(value)) return false;
    // The TypeScript client's document.
    if (Array.isArray(value.items) && stringAt(objectAt(value, 'session'), 'id') !== undefined) return true;
    const row = rowFrom(value, { file: 0, line: 1, offset: 0, length: 0, pointer: null });
    if (row === undefined || !isKnown(row)) return false;
    // Without an envelope: only the first line and items say whose they are.
    return (
      row.pointer === '/payload' || row.type === 'state' || (row.type === 'session_meta' && 'instructions' in value)
    );
  },
  beside,
  group,
  outline: outlineFamily,
  unsettledFrom: () => null,
  usage: familyUsage,
  usageKey,
  content: contentOf,
  purpose: purposeOf,
  mayEdit,
  diff: proposedDiff,
  lastUsed,
  linkHead,
  link,
  openTies: null,
  alongside,
  tellsProjects: () => false,
  resumeCommand,
  commandBeforeResume,
  hookFor,
  writer: null,
  check,
  retention,
};
