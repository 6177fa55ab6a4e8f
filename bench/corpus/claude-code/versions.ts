/**
 * The clients whose files are imitated, and how their rows differ.
 * Facts from recordings of 1.0.100, 2.0.42, 2.1.110 and 2.1.325, and from public files of about 2.1.20.
 */
export interface Version {
  name: '1.0.100' | '2.0.42' | '2.1.20' | '2.1.110' | '2.1.325';
  /** How many of a hundred sessions are of it. */
  share: number;
  /** The day its sessions begin to appear, as a time in milliseconds. */
  from: number;
  models: readonly string[];
  /** `early`: sessionId, cwd and version before the body of a row; `late`: after it. */
  identity: 'early' | 'late';
  /** Parallel calls: results hung on their own call, or one after the other. */
  parallelResults: 'tree' | 'chain';
  /** Which rows of an API message carry its stop_reason. */
  stopReason: 'last-row' | 'all-rows' | 'no-row';
  /** Rows before the last one have the token counts of the stream's start (small output). */
  earlyUsageIsSmall: boolean;
  /** Where a subagent is written. */
  subagents: 'inline' | 'beside' | 'folder';
  agentTool: 'Task' | 'Agent';
  /** Between line number and text in the output of Read. */
  readSeparator: '→' | '\t';
  /** Seconds of cache life that the API bills separately: five minutes, or an hour. */
  cache: '5m' | '1h';
  /** Writes history.jsonl, file-history-snapshot rows. */
  hasHistory: boolean;
  /** Can be recorded without a person (`-p`): queue-operation rows, promptSource "sdk". */
  headlessShare: number;
}

const day = (text: string) => Date.parse(`${text}T08:00:00Z`);

export const VERSIONS: readonly Version[] = [
  {
    name: '1.0.100',
    share: 15,
    from: day('2025-09-01'),
    models: ['claude-opus-4-1-20250805', 'claude-sonnet-4-20250514'],
    identity: 'early',
    parallelResults: 'chain',
    stopReason: 'last-row',
    earlyUsageIsSmall: true,
    subagents: 'inline',
    agentTool: 'Task',
    readSeparator: '→',
    cache: '5m',
    hasHistory: false,
    headlessShare: 0,
  },
  {
    name: '2.0.42',
    share: 22,
    from: day('2025-11-15'),
    models: ['claude-sonnet-4-5-20250929', 'claude-haiku-4-5-20251001'],
    identity: 'early',
    parallelResults: 'chain',
    stopReason: 'all-rows',
    earlyUsageIsSmall: false,
    subagents: 'beside',
    agentTool: 'Task',
    readSeparator: '→',
    cache: '5m',
    hasHistory: true,
    headlessShare: 0,
  },
  {
    name: '2.1.20',
    share: 17,
    from: day('2026-01-20'),
    models: ['claude-opus-4-5-20251101', 'claude-sonnet-4-5-20250929'],
    identity: 'early',
    parallelResults: 'tree',
    stopReason: 'no-row',
    earlyUsageIsSmall: true,
    subagents: 'folder',
    agentTool: 'Task',
    readSeparator: '→',
    cache: '5m',
    hasHistory: true,
    headlessShare: 0,
  },
  {
    name: '2.1.110',
    share: 17,
    from: day('2026-04-10'),
    models: ['claude-opus-4-6', 'claude-sonnet-4-6'],
    identity: 'late',
    parallelResults: 'tree',
    stopReason: 'all-rows',
    earlyUsageIsSmall: false,
    subagents: 'folder',
    agentTool: 'Agent',
    readSeparator: '\t',
    cache: '1h',
    hasHistory: true,
    headlessShare: 0,
  },
  {
    name: '2.1.325',
    share: 29,
    from: day('2026-09-20'),
    models: ['claude-opus-5-5', 'claude-opus-5-5', 'claude-sonnet-5'],
    identity: 'late',
    parallelResults: 'tree',
    stopReason: 'all-rows',
    earlyUsageIsSmall: false,
    subagents: 'folder',
    agentTool: 'Agent',
    readSeparator: '\t',
    cache: '1h',
    hasHistory: true,
    headlessShare: 0.2,
  },
];

/** The versions whose rows have promptId, permissionMode and entrypoint. */
export function isLate(version: Version): boolean {
  return version.identity === 'late';
}

export function isNewest(version: Version): boolean {
  return version.name === '2.1.325';
}

export function versionNamed(name: Version['name']): Version {
  const version = VERSIONS.find((candidate) => candidate.name === name);
  if (!version) throw new Error(`No version ${name} in the table.`);
  return version;
}
