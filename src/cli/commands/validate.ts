import { accessSync, constants, createReadStream, existsSync, statSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { type Fault, faultsOf } from '../../schema-check.ts';
import { counted } from '../../shown.ts';
import { fail } from '../failure.ts';
import { say, writeAll, writeJson } from '../output.ts';

const SHOWN = 20;
const NO_DOCUMENT = "\nSome are no documents of Palimpsest at all. To check an agent's own file, use --native.";

interface LineFault extends Fault {
  line: number;
}

export async function validate(file: string, flags: { json?: boolean; native?: boolean }): Promise<void> {
  if (flags.native === true) return (await import('./validate-native.ts')).validateNative(file, flags);
  if (file !== '-' && !existsSync(file)) fail(`There is no file ${file}.`);
  if (file !== '-' && !statSync(file).isFile()) fail(`${file} is no file.`);
  if (file !== '-' && !mayRead(file)) fail(`Cannot read ${file}: permission denied.`);
  const { documents, strangers, faults } = await check(file);
  if (flags.json === true) writeJson('validation', { documents, faults });
  else if (faults.length > 0)
    writeAll(faults.slice(0, SHOWN).map(({ line, pointer, message }) => `line ${line}: ${pointer}: ${message}\n`));
  if (documents === 0 && faults.length === 0) fail(`${file} holds no document.`);
  if (faults.length > SHOWN && flags.json !== true) say(`… and ${faults.length - SHOWN} more.`);
  if (faults.length > 0)
    fail(`${counted(faults.length, 'fault')} in ${counted(documents, 'document')}.${strangers > 0 ? NO_DOCUMENT : ''}`);
  if (flags.json !== true) say(`${counted(documents, 'document')}, all valid.`);
}

/** NDJSON, or one JSON value over several lines: a document or a list of them. */
async function check(file: string): Promise<{ documents: number; strangers: number; faults: LineFault[] }> {
  const faults: LineFault[] = [];
  let documents = 0;
  let strangers = 0;
  let line = 0;
  let whole = '';
  const lines = createInterface({
    input: file === '-' ? process.stdin : createReadStream(file),
    crlfDelay: Number.POSITIVE_INFINITY,
  });
  const take = (value: unknown, at: number): void => {
    const list = Array.isArray(value) ? value : [value];
    documents += list.length;
    strangers += list.filter((one) => !(typeof one === 'object' && one !== null && 'schema_version' in one)).length;
    for (const document of list) for (const fault of faultsOf(document)) faults.push({ line: at, ...fault });
  };
  for await (const text of lines) {
    line++;
    if (text.trim() === '') continue;
    const value = whole === '' ? parsed(text) : undefined;
    if (value !== undefined) take(value, line);
    else whole += `${text}\n`;
  }
  if (whole === '') return { documents, strangers, faults };
  const value = documents === 0 ? parsed(whole) : undefined;
  if (value !== undefined) take(value, 1);
  else faults.push({ line: documents + 1, pointer: '', message: 'is not JSON' });
  return { documents, strangers, faults };
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
