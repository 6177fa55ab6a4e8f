// What `pal clone` was asked for, as the library takes it.

import { spawnSync } from 'node:child_process';
import {
  builtInSummariser,
  type CloneOptions,
  counted,
  type Level,
  PRESETS,
  type PresetName,
  plain,
  type SessionReader,
  type TurnRange,
  turnsText,
} from '../index.ts';
import type { FilterOptions } from './choose.ts';
import { messageIndex } from './commands/context.ts';
import { fail } from './failure.ts';
import { say } from './output.ts';

export interface CloneFlags extends FilterOptions {
  preset?: PresetName;
  stripTools?: 'all' | 'old' | 'outputs';
  tool?: string[];
  stripThinking?: boolean;
  stripImages?: boolean;
  /** Join what a client would lose: for `doctor --fix`. */
  mend?: boolean;
  compress?: Level;
  compressTurns?: TurnRange[];
  summarizeWith?: string;
  summarizeTimeout: number;
  summarizeFallback?: boolean;
  budget?: number;
  keepLast?: number;
  at?: string;
  into?: string;
  title?: string;
  dryRun?: boolean;
  messages?: boolean;
  json?: boolean;
}

export function optionsFrom(flags: CloneFlags, session: SessionReader): CloneOptions {
  const preset = flags.preset === undefined ? {} : PRESETS[flags.preset].options;
  const { stripTools, tool, stripThinking, stripImages, budget, keepLast } = flags;
  if (tool !== undefined && stripTools === undefined)
    fail('--tool says which tools --strip-tools is about: give that too.');
  if (flags.messages === true && flags.json !== true)
    fail('--messages says what the copy sends, for programs: give --json too.');
  const compress = flags.compressTurns ?? flags.compress;
  const isSummary = compress !== undefined || budget !== undefined || 'compress' in preset;
  if (flags.summarizeWith !== undefined && !isSummary)
    fail('--summarize-with makes the summary of --compress, --compress-turns or --budget: give one of them.');
  if (flags.compress !== undefined && flags.compressTurns !== undefined)
    fail('Give --compress for all but the newest turns, or --compress-turns for some: not both.');
  return {
    ...preset,
    ...(stripTools === undefined ? {} : { stripTools }),
    ...(tool === undefined ? {} : { tools: tool }),
    ...(stripThinking === undefined ? {} : { stripThinking }),
    ...(stripImages === undefined ? {} : { stripImages }),
    ...(flags.mend === undefined ? {} : { mend: flags.mend }),
    ...(compress === undefined ? {} : { compress }),
    ...(budget === undefined ? {} : { budget, allRungs: flags.dryRun === true }),
    ...(keepLast === undefined ? {} : { keepLast }),
    ...(flags.at === undefined ? {} : { at: messageIndex(session, flags.at) }),
    summarise: summariser(session, flags),
  };
}

function summariser(session: SessionReader, flags: CloneFlags): NonNullable<CloneOptions['summarise']> {
  const builtIn = builtInSummariser(session);
  const { summarizeWith: command } = flags;
  // A look beforehand costs nothing: the command is not run for it.
  if (command === undefined || flags.dryRun === true) return builtIn;
  return (messages, level, limit) => {
    const said = outputOf(command, turnsText(session, messages), flags.summarizeTimeout);
    if ('text' in said) return said.text;
    if (flags.summarizeFallback !== true)
      fail(`${said.failure}\nNothing was written. --summarize-fallback takes the built-in summary where that happens.`);
    say(`${said.failure} The built-in summary was taken.`);
    return builtIn(messages, level, limit);
  };
}

function outputOf(command: string, input: string, seconds: number): { text: string } | { failure: string } {
  const ran = spawnSync(command, {
    shell: true,
    input,
    encoding: 'utf8',
    timeout: seconds * 1000,
    maxBuffer: 64 * 1024 * 1024,
  });
  const text = (ran.stdout ?? '').trim();
  if ((ran.error as NodeJS.ErrnoException | undefined)?.code === 'ETIMEDOUT')
    return { failure: `The command of --summarize-with took longer than ${counted(seconds, 'second')}.` };
  if (ran.status !== 0) {
    const said = plain(ran.stderr ?? '', 200);
    return {
      failure: `The command of --summarize-with failed (${ran.status ?? ran.signal})${said === '' ? '' : `: ${said}`}.`,
    };
  }
  return text === '' ? { failure: 'The command of --summarize-with printed nothing.' } : { text };
}
