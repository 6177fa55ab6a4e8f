import { createReadStream, existsSync, statSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { type Fault, faultsOf } from '../../schema-check.ts';
import { fail } from '../failure.ts';
import { say, writeAll, writeJson } from '../output.ts';

const SHOWN = 20;

interface LineFault extends Fault {
  line: number;
}

export async function validate(file: string, flags: { json?: boolean; native?: boolean }): Promise<void> {
  if (flags.native === true) return (await import('./validate-native.ts')).validateNative(file, flags);
  if (file !== '-' && !existsSync(file)) fail(`There is no file ${file}.`);
  if (file !== '-' && !statSync(file).isFile()) fail(`${file} is no file.`);
  const { documents, faults } = await check(file);
  if (flags.json === true) writeJson('validation', { documents, faults });
  else if (faults.length > 0)
    writeAll(faults.slice(0, SHOWN).map(({ line, pointer, message }) => `line ${line}: ${pointer}: ${message}\n`));
  if (documents === 0 && faults.length === 0) fail(`${file} holds no document.`);
  if (faults.length > SHOWN && flags.json !== true) say(`… and ${faults.length - SHOWN} more.`);
  if (faults.length > 0) fail(`${faults.length} faults in ${documents} documents.`);
  if (flags.json !== true) say(`${documents} documents, all valid.`);
}

/** NDJSON, or one JSON value over several lines: a document or a list of them. */
async function check(file: string): Promise<{ documents: number; faults: LineFault[] }> {
  const faults: LineFault[] = [];
  let documents = 0;
  let line = 0;
  let whole = '';
  const lines = createInterface({
    input: file === '-' ? process.stdin : createReadStream(file),
    crlfDelay: Number.POSITIVE_INFINITY,
  });
  const take = (value: unknown, at: number): void => {
    const list = Array.isArray(value) ? value : [value];
    documents += list.length;
    for (const document of list) for (const fault of faultsOf(document)) faults.push({ line: at, ...fault });
  };
  for await (const text of lines) {
    line++;
    if (text.trim() === '') continue;
    const value = whole === '' ? parsed(text) : undefined;
    if (value !== undefined) take(value, line);
    else whole += `${text}\n`;
  }
  if (whole === '') return { documents, faults };
  const value = documents === 0 ? parsed(whole) : undefined;
  if (value !== undefined) take(value, 1);
  else faults.push({ line: documents + 1, pointer: '', message: 'is not JSON' });
  return { documents, faults };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
