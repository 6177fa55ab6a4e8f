// Assembles src/sources/json-walk.wat into src/sources/json-walk-code.ts. It knows as much of the WebAssembly text format as that file
// uses: folded instructions, numbers of 32 bits, one result for each function.

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../src/sources/', import.meta.url));

/** What json-walk-code.ts must hold. */
export function assembled(): string {
  const code = moduleOf(parsed(readFileSync(`${folder}json-walk.wat`, 'utf8')));
  return [
    '// Made from json-walk.wat by scripts/assemble.ts.',
    '',
    'export const WALK_CODE =',
    `  '${Buffer.from(code).toString('base64')}';`,
    '',
  ].join('\n');
}

type Term = string | Term[];

function parsed(text: string): Term[] {
  const open: Term[][] = [[]];
  for (const [token] of text.replaceAll(/;;.*/g, '').matchAll(/[()]|[^\s()]+/g)) {
    const inner = open.at(-1) ?? [];
    if (token === '(') open.push([]);
    else if (token === ')') {
      open.pop();
      open.at(-1)?.push(inner);
    } else inner.push(token);
  }
  return (open[0]?.[0] ?? []) as Term[];
}

const I32 = 0x7f;
const V128 = 0x7b;

function moduleOf([, ...parts]: Term[]): number[] {
  const functions = parts.filter((part): part is Term[] => part[0] === 'func').map(functionFrom);
  const globals = parts.filter((part) => part[0] === 'global').map(([, name]) => name as string);
  const names = functions.map(({ name }) => name);
  const exported = functions.flatMap(({ exports }, i) => (exports === undefined ? [] : [[exports, i] as const]));
  return [
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(
      1,
      functions.map(({ parameters }) => [0x60, ...list(Array(parameters).fill([I32])), 1, I32]),
    ),
    ...section(2, [[...text('js'), ...text('memory'), 0x02, 0x00, 0x01]]),
    ...section(
      3,
      functions.map((_, i) => [i]),
    ),
    ...section(
      6,
      globals.map(() => [I32, 0x01, 0x41, 0x00, 0x0b]),
    ),
    ...section(
      7,
      exported.map(([name, i]) => [...text(name), 0x00, i]),
    ),
    ...section(
      10,
      functions.map(({ locals, body, types }) => {
        const code = [
          ...list(types.map((type) => [1, type])),
          ...body.flatMap((term) => instruction(term, { locals, globals, names, labels: [] })),
          0x0b,
        ];
        return [...unsigned(code.length), ...code];
      }),
    ),
  ];
}

function functionFrom([, name, ...parts]: Term[]) {
  const isHead = (part: Term) => ['export', 'param', 'result', 'local', 'local.v128'].includes(String(part[0]));
  const heads = parts.filter(isHead) as string[][];
  const named = (...kinds: string[]) => heads.filter(([kind = '']) => kinds.includes(kind));
  return {
    name: name as string,
    exports: named('export')[0]?.[1]?.replaceAll('"', ''),
    parameters: named('param').length,
    locals: named('param', 'local', 'local.v128').map(([, local = '']) => local),
    types: named('local', 'local.v128').map(([kind]) => (kind === 'local' ? I32 : V128)),
    body: parts.filter((part) => !isHead(part)),
  };
}

interface Scope {
  locals: string[];
  globals: string[];
  names: string[];
  /** Of the blocks around, the innermost last. */
  labels: string[];
}

/** Instructions without numbers of their own. */
const PLAIN: Record<string, number[]> = {
  return: [0x0f],
  select: [0x1b],
  'i32.eqz': [0x45],
  'i32.eq': [0x46],
  'i32.ne': [0x47],
  'i32.lt_s': [0x48],
  'i32.lt_u': [0x49],
  'i32.ge_s': [0x4e],
  'i32.ctz': [0x68],
  'i32.add': [0x6a],
  'i32.sub': [0x6b],
  'i32.and': [0x71],
  'i32.or': [0x72],
  'i32.xor': [0x73],
  'i32.shl': [0x74],
  'i32.shr_u': [0x76],
  'i8x16.splat': [0xfd, 0x0f],
  'i8x16.eq': [0xfd, 0x23],
  'i8x16.bitmask': [0xfd, 0x64],
  'v128.any_true': [0xfd, 0x53],
  'v128.and': [0xfd, 0x4e],
  'v128.or': [0xfd, 0x50],
  'memory.copy': [0xfc, 0x0a, 0x00, 0x00],
};

/** Those that read or write memory. */
const MEMORY: Record<string, number[]> = {
  'i32.load': [0x28],
  'i32.load8_u': [0x2d],
  'i32.store': [0x36],
  'i32.store8': [0x3a],
  'v128.load': [0xfd, 0x00],
  'v128.store': [0xfd, 0x0b],
};

/** Those that name something. */
const NAMED: Record<string, [number, (scope: Scope) => string[]]> = {
  'local.get': [0x20, ({ locals }) => locals],
  'local.set': [0x21, ({ locals }) => locals],
  'global.get': [0x23, ({ globals }) => globals],
  'global.set': [0x24, ({ globals }) => globals],
  call: [0x10, ({ names }) => names],
  br: [0x0c, ({ labels }) => labels.toReversed()],
  br_if: [0x0d, ({ labels }) => labels.toReversed()],
};

function instruction(term: Term, scope: Scope): number[] {
  const [name, ...parts] = term as [string, ...Term[]];
  const all = (terms: Term[], inner = scope) => terms.flatMap((part) => instruction(part, inner));
  if (name === 'i32.const') return [0x41, ...signed(Number(parts[0]))];
  if (name === 'block' || name === 'loop') {
    const [label, ...body] = parts as [string, ...Term[]];
    return [name === 'block' ? 0x02 : 0x03, 0x40, ...all(body, within(scope, label)), 0x0b];
  }
  if (name === 'if') {
    const [condition, then, otherwise] = parts as [Term, Term[], Term[] | undefined];
    const [yes, no] = [then, otherwise].map((branch) => all(branch?.slice(1) ?? [], within(scope, '')));
    return [...all([condition]), 0x04, 0x40, ...(yes ?? []), ...(no?.length ? [0x05, ...no] : []), 0x0b];
  }
  const named = NAMED[name];
  if (named !== undefined) {
    const [target, ...values] = parts as [string, ...Term[]];
    const at = named[1](scope).indexOf(target);
    if (at === -1) throw new Error(`no ${target}`);
    return [...all(values), named[0], ...unsigned(at)];
  }
  const memory = MEMORY[name];
  if (memory !== undefined) {
    const offset = typeof parts[0] === 'string' ? Number(parts[0].replace('offset=', '')) : 0;
    return [...all(parts.filter((part) => typeof part !== 'string')), ...memory, 0x00, ...unsigned(offset)];
  }
  const plain = PLAIN[name];
  if (plain === undefined) throw new Error(`no instruction ${name}`);
  return [...all(parts), ...plain];
}

function within(scope: Scope, label: string): Scope {
  return { ...scope, labels: [...scope.labels, label] };
}

function section(id: number, entries: number[][]): number[] {
  const body = list(entries);
  return [id, ...unsigned(body.length), ...body];
}

function list(entries: number[][]): number[] {
  return [...unsigned(entries.length), ...entries.flat()];
}

function text(name: string): number[] {
  return list([...Buffer.from(name)].map((byte) => [byte]));
}

function unsigned(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...unsigned(value >>> 7)];
}

function signed(value: number): number[] {
  const [low, rest] = [value & 127, value >> 7];
  const isLast = (rest === 0 && (low & 64) === 0) || (rest === -1 && (low & 64) !== 0);
  return isLast ? [low] : [low | 128, ...signed(rest)];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(`${folder}json-walk-code.ts`, assembled());
