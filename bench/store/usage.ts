// How long it takes until all tokens are told: of a history that was never seen, and again when nothing has changed.

import { type Bench, environment, mustEqual, noStore, usageArgs } from './bench.ts';
import { ccusage, type Installed } from './peers.ts';
import type { Row } from './table.ts';
import { middle, type Taken, type Timed, timed, timedPal, timedScript } from './timed.ts';
import { fromCcusage, fromPal, fromReport, type Told, tokenTable } from './tokens.ts';
import { atMost, ratios } from './verdict.ts';

const VERSIONS = ['20.0.20', '20.0.24'] as const;
const WARM_RUNS = 5;
/** As in indexing.ts: where the machine's speed changes from one to the next, single ones say little. */
const TIMES = 3;

type Peer = Installed & { name: string };

/** One round: everything three times in turns, and the middle of each. */
interface Round {
  parse: Taken;
  one: Taken;
  two: Taken;
  warm: Taken;
  peers: Map<string, Taken>;
}

/** Everything once, one after the other. */
interface Turn {
  parse: Timed;
  one: Timed;
  two: Timed;
  warm: Taken;
  peers: Map<string, Timed>;
}

export function measureUsage(bench: Bench): Row[] {
  const peers = VERSIONS.map((version): Peer => ({ name: `ccusage ${version}`, ...ccusage(version, bench.peers) }));
  const known = knownTokens(bench);
  let last: Turn | undefined;
  const oneTurn = () => {
    last = turn(bench, peers);
    mustEqual(bench, [...known, ...toldIn(last)]);
    return last;
  };
  const rounds = Array.from({ length: bench.runs }, () => roundOf(Array.from({ length: TIMES }, oneTurn)));
  if (last !== undefined) console.log(`\n${tokenTable([...known, ...toldIn(last), ...toldByPeers(last)])}`);
  const one = rounds.map(({ one }) => one.cpu);
  const two = rounds.map(({ two }) => two.wall);
  const parse = rounds.map(({ parse }) => parse.cpu);
  return [
    {
      name: 'usage, cold, one thread, CPU',
      unit: 's',
      ours: one,
      against: { name: '`JSON.parse` of every line', theirs: parse, ratios: ratios(one, parse) },
      gate: atMost(0.45),
    },
    againstCcusage(rounds, one, peers),
    againstTheBest(rounds, two, peers),
    {
      name: 'usage, warm, whole process',
      unit: 'ms',
      ours: rounds.map(({ warm }) => warm.wall * 1000),
      cpu: rounds.map(({ warm }) => warm.cpu * 1000),
      gate: atMost(110),
      goal: atMost(80),
    },
  ];
}

function roundOf(turns: readonly Turn[]): Round {
  const [first] = turns;
  const middleOf = (taken: (turn: Turn) => Taken | undefined) => middle(turns.flatMap((turn) => taken(turn) ?? []));
  return {
    parse: middleOf(({ parse }) => parse),
    one: middleOf(({ one }) => one),
    two: middleOf(({ two }) => two),
    warm: middleOf(({ warm }) => warm),
    peers: new Map([...(first?.peers.keys() ?? [])].map((name) => [name, middleOf(({ peers }) => peers.get(name))])),
  };
}

function turn(bench: Bench, peers: readonly Peer[]): Turn {
  const { home } = bench.corpus;
  const parse = timedScript('parse.ts', [home], environment(bench, 1));
  const one = timedPal(usageArgs(bench, noStore(bench, 'usage')), environment(bench, 1));
  const theirs = new Map(
    peers.flatMap((peer): [string, Timed][] =>
      'path' in peer ? [[peer.name, timed(peer.path, ['daily', '--offline', '--json'], { HOME: home })]] : [],
    ),
  );
  const store = noStore(bench, 'usage');
  const two = timedPal(usageArgs(bench, store), environment(bench, 2));
  const warm = Array.from({ length: WARM_RUNS }, () => timedPal(usageArgs(bench, store), environment(bench, 2)));
  return { parse, one, two, warm: middle(warm), peers: theirs };
}

function againstCcusage(rounds: readonly Round[], ours: number[], [peer]: readonly Peer[]): Row {
  const name = 'usage, cold, one thread, CPU';
  if (peer === undefined || 'notRun' in peer) return { name, notRun: `${peer?.name}: ${peer?.notRun}` };
  const theirs = rounds.map(({ peers }) => peers.get(peer.name)?.cpu ?? Number.NaN);
  return {
    name,
    unit: 's',
    ours,
    against: { name: `${peer.name}, CPU of all threads`, theirs, ratios: ratios(ours, theirs) },
    gate: atMost(0.7),
    goal: atMost(0.6),
  };
}

function againstTheBest(rounds: readonly Round[], ours: number[], peers: readonly Peer[]): Row {
  const name = 'usage, cold, two threads, wall';
  const there = peers.filter((peer) => 'path' in peer);
  if (there.length === 0)
    return { name, notRun: peers.map((peer) => `${peer.name}: ${'notRun' in peer ? peer.notRun : ''}`).join('; ') };
  const best = rounds.map(({ peers }) => Math.min(...[...peers.values()].map(({ wall }) => wall)));
  return {
    name,
    unit: 's',
    ours,
    against: {
      name: `the faster of ${there.map((peer) => peer.name).join(' and ')}`,
      theirs: best,
      ratios: ratios(ours, best),
    },
    gate: atMost(0.8),
    goal: atMost(0.6),
  };
}

/** The truth beside the history, if there is one, and what the full reader tells, which must be the same. */
function knownTokens(bench: Bench): Told[] {
  const { home, truth } = bench.corpus;
  const full = timedScript('first-index.ts', [home, noStore(bench, 'usage')], environment(bench, 1));
  const known: Told[] = [
    ...(truth === null ? [] : [['the truth', truth] as const]),
    ['the full reader', fromReport(JSON.parse(full.stdout))],
  ];
  mustEqual(bench, known);
  return known;
}

function toldIn({ one, two }: Turn): Told[] {
  return [
    ['pal usage, one thread', fromPal(one.stdout)],
    ['pal usage, two threads', fromPal(two.stdout)],
  ];
}

/** These may differ: it is told, and no more. */
function toldByPeers({ peers }: Turn): Told[] {
  return [...peers].map(([name, { stdout }]) => [name, fromCcusage(stdout)]);
}
