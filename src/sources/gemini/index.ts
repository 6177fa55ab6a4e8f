import { isObject, stringAt } from '../json-access.ts';
import type { Source } from '../source.ts';
import { alongside, fileKey, hookFor, resumeCommand, retention } from './client.ts';
import { contentOf } from './content.ts';
import { proposedDiff } from './diff.ts';
import { beside, group } from './files.ts';
import { lastUsed, link, linkHead } from './links.ts';
import { outlineFamily, unsettledFrom } from './outline.ts';
import { purposeOf } from './tools.ts';

export const gemini: Source = {
  agent: 'gemini',
  label: 'Gemini',
  root: { name: '.gemini', variable: 'GEMINI_CLI_HOME', moves: 'home' },
  places: ['tmp', 'projects.json'],
  recognises: (value) =>
    isObject(value) && stringAt(value, 'sessionId') !== undefined && stringAt(value, 'projectHash') !== undefined,
  beside,
  group,
  outline: outlineFamily,
  unsettledFrom,
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
  writer: null,
  check: null,
  retention,
};
