// The output of a call, whose text changed with every era: what the client wrote around it, and the output itself.

import { type JsonObject, objectAt, parsedObject } from '../json-access.ts';

export interface OutputText {
  /** What stands in front of the output; null where nothing does. Both together are what the model saw. */
  header: string | null;
  output: string;
  exit_code: number | null;
  /** The command goes on: later calls ask for its output. */
  running: boolean;
}

const HEADER_STARTS = [
  'Exit code: ',
  'Wall time',
  'Chunk ID: ',
  'Command: ',
  'Process ',
  'Script ',
  'Total output lines: ',
];
/** Beyond this, a line that says "Output:" is the command's own. */
const LONGEST_HEADER = 4096;

export function outputText(text: string): OutputText {
  // Up to 0.47: a JSON document with the output in it.
  if (text.startsWith('{"output":')) {
    const wire = parsedObject(text);
    const metadata = objectAt(wire, 'metadata');
    if (typeof wire?.output === 'string' && metadata !== undefined) {
      return { header: JSON.stringify(metadata), output: wire.output, exit_code: codeIn(metadata), running: false };
    }
  }
  if (!HEADER_STARTS.some((start) => text.startsWith(start))) return plain(text);
  const at = text.slice(0, LONGEST_HEADER).indexOf('\nOutput:\n');
  if (at === -1) return plain(text);
  const header = text.slice(0, at + '\nOutput:\n'.length);
  const code = /^(?:Exit code: |Process exited with code )(-?\d+)$/m.exec(header)?.[1];
  return {
    header,
    output: text.slice(header.length),
    exit_code: code === undefined ? null : Number(code),
    running: /^Process running with session ID /m.test(header),
  };
}

/** How the command ended, without its output. */
export function outputEnd(text: string): Pick<OutputText, 'exit_code' | 'running'> {
  const exit_code = codeBehind(text);
  return exit_code === undefined ? outputText(text) : { exit_code, running: false };
}

const WIRE_START = '{"output":"';
const WIRE_END = '","metadata":';

/** The exit code in such a JSON document, found behind the output: to parse that for it took as long as the row. Undefined where it must be parsed. */
function codeBehind(text: string): number | null | undefined {
  if (!text.startsWith(WIRE_START) || !text.endsWith('}}')) return undefined;
  let end = text.indexOf('"', WIRE_START.length);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  if (end === -1 || !text.startsWith(WIRE_END, end)) return undefined;
  // A text that only looks like one.
  if (text.includes('\n') || text.includes('\r') || text.includes('\t')) return undefined;
  const metadata = parsedObject(text.slice(end + WIRE_END.length, -1));
  return metadata === undefined ? undefined : codeIn(metadata);
}

/** Is there an odd number of backslashes before it? */
function isEscaped(text: string, place: number): boolean {
  let at = place;
  while (text.charCodeAt(at - 1) === BACKSLASH) at--;
  return (place - at) % 2 === 1;
}

const BACKSLASH = 0x5c;

function codeIn(metadata: JsonObject): number | null {
  const code = metadata.exit_code;
  return typeof code === 'number' && Number.isSafeInteger(code) ? code : null;
}

/** 2025: a command that failed in the sandbox. */
const IN_SANDBOX = /^failed in sandbox \S+ with execution error: sandbox denied exec error, exit code: (-?\d+),/;

function plain(text: string): OutputText {
  const code = IN_SANDBOX.exec(text)?.[1];
  return { header: null, output: text, exit_code: code === undefined ? null : Number(code), running: false };
}
