import { isObject, stringAt } from '../json-access.ts';
import type { Source } from '../source.ts';
import { alongside, hookFor, resumeCommand, retention } from './client.ts';
import { contentOf } from './content.ts';
import { proposedDiff } from './diff.ts';
import { familyUsage } from './fast-usage.ts';
import { beside, group, isCompanion } from './files.ts';
import { lastUsed, link, linkHead } from './links.ts';
import { outlineFamily, unsettledFrom } from './outline.ts';
import { geminiPlace } from './place.ts';
import { purposeOf } from './tools.ts';
import { usageKey } from './usage.ts';

export const gemini: Source = {
  ...geminiPlace,
  recognises: (value) =>
    isObject(value) && stringAt(value, 'sessionId') !== undefined && stringAt(value, 'projectHash') !== undefined,
  beside,
  group,
  outline: outlineFamily,
  unsettledFrom,
  usage: familyUsage,
  usageKey,
  content: contentOf,
  purpose: purposeOf,
  mayEdit: (name) => purposeOf(name) === 'edit',
  diff: proposedDiff,
  lastUsed,
  linkHead,
  link,
  openTies: null,
  alongside,
  tellsProjects: isCompanion,
  resumeCommand,
  commandBeforeResume: () => null,
  hookFor,
  writer: null,
  check: null,
  retention,
};
