import { accessSync, constants, createReadStream, existsSync, statSync } from 'node:fs';
import { type Fault, faultsOf } from '../../schema-check.ts';
import { counted } from '../../shown.ts';
import { fail } from '../failure.ts';
import { say, writeAll, writeJson } from '../output.ts';

const SHOWN = 20;
const NO_DOCUMENT = "\nSome are no documents of Palimpsest at all. To check an agent's own file, use --native.";

const RECORDS =
  'This and what follows are records, one thing a line: only whole documents can be checked. "pal export" without --format records writes them.';

interface LineFault extends Fault {
  line: number;
}

export async function validate(file: string, flags: { json?: boolean; native?: boolean }): Promise<void> {
  if (flags.native === true) return (await import('./validate-native.ts')).validateNative(file, flags);
  if (file !== '-' && !existsSync(file)) fail(`There is no file ${file}.`);
  // A pipe will do: `pal validate <(pal export)`.
  if (file !== '-' && statSync(file).isDirectory()) fail(`${file} is no file.`);
  if (file !== '-' && !mayRead(file)) fail(`Cannot read ${file}: permission denied.`);
  const { documents, strangers, faults } = await check(file);
  if (flags.json === true) writeJson('validation', { documents, faults });
  else if (faults.length > 0)
    writeAll(
      faults
        .slice(0, SHOWN)
        .map(({ line, pointer, message }) => `line ${line}: ${pointer === '' ? '' : `${pointer}: `}${message}\n`),
    );
  if (documents === 0 && faults.length === 0) fail(`${file} holds no document.`);
  if (faults.length > SHOWN && flags.json !== true) say(`… and ${faults.length - SHOWN} more.`);
  if (faults.length > 0)
    fail(`${counted(faults.length, 'fault')} in ${counted(documents, 'document')}.${strangers > 0 ? NO_DOCUMENT : ''}`);
  if (flags.json !== true) say(`${counted(documents, 'document')}, all valid.`);
}

interface Checked {
  documents: number;
  strangers: number;
  /** Lines of `export --format records`. */
  records: number;
  faults: LineFault[];
}

/** NDJSON, or one JSON value over several lines: a document or a list of them. A line that is none hides no other. */
async function check(file: string): Promise<Checked> {
  const checked: Checked = { documents: 0, strangers: 0, records: 0, faults: [] };
  /** Does it begin with a part of a value? Then all lines may be one. */
  let isOpen: boolean | undefined;
  const open: { text: string; line: number }[] = [];
  let line = 0;
  for await (const text of linesOf(file === '-' ? process.stdin : createReadStream(file))) {
    line++;
    if (text.trim() === '') continue;
    isOpen ??= parsed(text) === undefined;
    if (isOpen) open.push({ text, line });
    else takeLine(text, line, checked);
  }
  const value = parsed(open.map(({ text }) => text).join('\n'));
  if (value !== undefined) take(value, 1, checked);
  else for (const one of open) takeLine(one.text, one.line, checked);
  return checked;
}

/** A line ends in a line feed and nothing else: `readline` ends one at U+2028, too, which stands in texts. */
async function* linesOf(input: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let open: Buffer[] = [];
  for await (const chunk of input) {
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, from)) {
      yield Buffer.concat([...open, chunk.subarray(from, end)]).toString('utf8');
      open = [];
      from = end + 1;
    }
    if (from < chunk.length) open.push(chunk.subarray(from));
  }
  if (open.length > 0) yield Buffer.concat(open).toString('utf8');
}

const LINE_FEED = 0x0a;

function takeLine(text: string, line: number, checked: Checked): void {
  const value = parsed(text);
  if (value === undefined) checked.faults.push({ line, pointer: '', message: 'This is not JSON.' });
  else take(value, line, checked);
}

function take(value: unknown, line: number, checked: Checked): void {
  if (isRecord(value)) {
    if (checked.records === 0) checked.faults.push({ line, pointer: '', message: RECORDS });
    checked.records++;
    return;
  }
  const list = Array.isArray(value) ? value : [value];
  checked.documents += list.length;
  checked.strangers += list.filter(
    (one) => !(typeof one === 'object' && one !== null && 'schema_version' in one),
  ).length;
  for (const document of list) for (const fault of faultsOf(document)) checked.faults.push({ line, ...fault });
}

function isRecord(value: unknown): boolean {
  const fields = ['type', 'agent', 'session_id', 'value'];
  return typeof value === 'object' && value !== null && fields.every((field) => field in value);
}

function mayRead(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
