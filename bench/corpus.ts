/**
 * Makes a fake home full of agent histories, the same to the byte on every run, with TRUTH.json beside it.
 *
 *   node bench/corpus.ts --out DIR --mb 200 --files 400 --seed 1
 *   node bench/corpus.ts --out DIR --single-mb 200        one session of 200 MB
 *   node bench/corpus.ts --out DIR --gemini-mb 200        one Gemini log of 200 MB
 *   node bench/corpus.ts --out DIR --giant-line-mb 100    one line of 100 MB
 *   node bench/corpus.ts --out DIR --compacted-mb 300     one Codex rollout made of lines of 60 MB
 *
 * A megabyte is a million bytes. DIR must be new or empty: nothing is ever deleted here.
 * For a gigabyte and more, `node --max-semi-space-size=4` keeps the process under 200 MB (else 350) at no cost in time.
 */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { writeClaudeCode, writeClaudeCodeGiantLine, writeClaudeCodeSingle } from './corpus/claude-code.ts';
import { writeCodex, writeCodexCompacted } from './corpus/codex.ts';
import { writeGemini } from './corpus/gemini.ts';
import { createTextSource } from './corpus/text.ts';
import { emptyTruth, type Truth } from './corpus/truth.ts';

export type { Truth } from './corpus/truth.ts';

export interface CorpusOptions {
  /** A new or empty folder. */
  out: string;
  /** 1 if not given. */
  seed?: number;
  /** Many sessions of many sizes: the number of transcripts, and megabytes altogether. */
  mb?: number;
  files?: number;
  /** One session of about so many megabytes. */
  singleMb?: number;
  /** One Gemini log of about so many megabytes. */
  geminiMb?: number;
  /** One small session with one line of so many megabytes. */
  giantLineMb?: number;
  /** One Codex rollout of so many megabytes, made of compactions of 60 MB each. */
  compactedMb?: number;
}

const MEGABYTE = 1e6;

/** Writes what is asked for and gives the truth about it, which is also in `out`/TRUTH.json. */
export function generateCorpus({ out, seed = 1, mb, files, ...single }: CorpusOptions): Truth {
  const { singleMb, geminiMb, giantLineMb, compactedMb } = single;
  if (existsSync(out) && readdirSync(out).length > 0)
    throw new Error(`${out} is not empty. Give a new folder, or empty it first.`);
  mkdirSync(out, { recursive: true });
  const truth = emptyTruth(seed);
  const agent = { out, seed, text: createTextSource(seed), truth };
  if (mb !== undefined) {
    // A fifth is Codex, a tenth Gemini.
    const count = files ?? Math.max(1, mb * 2);
    const [fifth, tenth] = [Math.max(2, Math.round(count / 5)), Math.max(2, Math.round(count / 10))];
    writeClaudeCode({ ...agent, bytes: mb * MEGABYTE * 0.7, files: Math.max(1, count - fifth - tenth) });
    writeCodex({ ...agent, bytes: mb * MEGABYTE * 0.2, files: fifth });
    writeGemini({ ...agent, bytes: mb * MEGABYTE * 0.1, files: tenth });
  }
  if (singleMb !== undefined) writeClaudeCodeSingle({ ...agent, bytes: singleMb * MEGABYTE });
  if (geminiMb !== undefined) writeGemini({ ...agent, bytes: geminiMb * MEGABYTE, files: 1 });
  if (giantLineMb !== undefined) writeClaudeCodeGiantLine({ ...agent, bytes: giantLineMb * MEGABYTE });
  if (compactedMb !== undefined) writeCodexCompacted({ ...agent, bytes: compactedMb * MEGABYTE, line: 60 * MEGABYTE });
  writeFileSync(`${out}/TRUTH.json`, `${JSON.stringify(truth, null, 2)}\n`);
  return truth;
}

function main(): void {
  const { values } = parseArgs({
    options: {
      out: { type: 'string' },
      seed: { type: 'string', default: '1' },
      mb: { type: 'string' },
      files: { type: 'string' },
      'single-mb': { type: 'string' },
      'gemini-mb': { type: 'string' },
      'giant-line-mb': { type: 'string' },
      'compacted-mb': { type: 'string' },
    },
  });
  if (!values.out) throw new Error('Say where to write: --out DIR');
  const options: CorpusOptions = { out: values.out, seed: numberOf('--seed', values.seed) };
  if (values.mb !== undefined) options.mb = numberOf('--mb', values.mb);
  if (values.files !== undefined) options.files = numberOf('--files', values.files);
  if (values['single-mb'] !== undefined) options.singleMb = numberOf('--single-mb', values['single-mb']);
  if (values['gemini-mb'] !== undefined) options.geminiMb = numberOf('--gemini-mb', values['gemini-mb']);
  if (values['giant-line-mb'] !== undefined) options.giantLineMb = numberOf('--giant-line-mb', values['giant-line-mb']);
  if (values['compacted-mb'] !== undefined) options.compactedMb = numberOf('--compacted-mb', values['compacted-mb']);
  const special = [options.singleMb, options.geminiMb, options.giantLineMb, options.compactedMb];
  if (options.mb === undefined && special.every((size) => size === undefined)) options.mb = 200;
  const { sessions, events, ...truth } = generateCorpus(options);
  console.log(
    `${truth.files} transcripts, ${truth.lines} lines, ${(truth.bytes / MEGABYTE).toFixed(1)} MB in ${options.out}`,
  );
  console.log(JSON.stringify({ sessions, events }));
}

function numberOf(option: string, text: string): number {
  const number = Number(text);
  if (!(number > 0)) throw new Error(`${option} must be a number greater than 0, not "${text}".`);
  return number;
}

if (import.meta.filename === process.argv[1]) {
  try {
    main();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
