import { z } from 'zod';
import { session } from './session.ts';

export interface Fault {
  /** Where in the document, as a JSON pointer. */
  pointer: string;
  message: string;
}

/** What is wrong with a document: its shape, then what the shape cannot say. */
export function faultsOf(document: unknown): Fault[] {
  let result: ReturnType<typeof session.safeParse>;
  try {
    result = session.safeParse(document);
  } catch (error) {
    if (error instanceof RangeError) return [{ pointer: '', message: 'is nested too deep to be checked' }];
    throw error;
  }
  if (!result.success)
    return result.error.issues.map((issue) => ({
      pointer: `/${issue.path.map(String).join('/')}`,
      message: issue.message,
    }));
  return ruleFaults(result.data);
}

function ruleFaults(document: z.infer<typeof session>): Fault[] {
  const faults: Fault[] = [];
  const { accounting, counts } = document.session;
  const { lines, ...parts } = accounting;
  const sum = Object.values(parts).reduce((total, part) => total + part, 0);
  if (sum !== lines)
    faults.push({ pointer: '/session/accounting', message: `the parts add up to ${sum}, not to ${lines} lines` });
  document.messages.forEach((message, index) => {
    if (message.index !== index)
      faults.push({ pointer: `/messages/${index}/index`, message: `is ${message.index}, should be ${index}` });
  });
  const own = document.messages.filter((message) => message.inherited === null).length;
  if (counts.messages !== own)
    faults.push({ pointer: '/session/counts/messages', message: `is ${counts.messages}, there are ${own}` });
  const ids = new Set(document.messages.map((message) => message.id));
  if (ids.size !== document.messages.length)
    faults.push({ pointer: '/messages', message: 'two messages have the same id' });
  return [...faults, ...indexFaults(document), ...fileFaults(document)];
}

/** Every index names a message that is there. */
function indexFaults(document: z.infer<typeof session>): Fault[] {
  const faults: Fault[] = [];
  const count = document.messages.length;
  visit(document, '', (pointer, key, value) => {
    if (key === 'turn' && typeof value === 'number' && value >= document.turns.length)
      faults.push({ pointer, message: `there is no turn ${value}` });
    if (!/_(index|indices)$/.test(key) || pointer.startsWith('/session')) return;
    const all = Array.isArray(value) ? value : [value];
    for (const index of all) {
      // A context that was replaced after the last message is opened behind it.
      const most = key === 'opened_at_index' ? count : count - 1;
      if (typeof index === 'number' && index > most) faults.push({ pointer, message: `there is no message ${index}` });
    }
  });
  for (const [at, window] of document.context.windows.entries()) {
    if (window.index !== at)
      faults.push({ pointer: `/context/windows/${at}/index`, message: `is ${window.index}, should be ${at}` });
    for (const [from, to] of window.start) {
      if (from > to || to >= count)
        faults.push({
          pointer: `/context/windows/${at}/start`,
          message: `there is no range ${from} to ${to}`,
        });
    }
  }
  for (const { index, sent_before } of document.messages) {
    if (sent_before !== null && sent_before >= index)
      faults.push({
        pointer: `/messages/${index}/sent_before`,
        message: `is ${sent_before}, must be an earlier message`,
      });
  }
  return faults;
}

/** Every reference names a file that is listed. */
function fileFaults(document: z.infer<typeof session>): Fault[] {
  const faults: Fault[] = [];
  const { files } = document.session.source;
  visit(document, '', (pointer, key, value) => {
    if (
      key === 'file' &&
      typeof value === 'number' &&
      value >= files.length &&
      !pointer.includes('/extra/') &&
      !pointer.includes('/content/')
    ) {
      faults.push({ pointer, message: `there is no file ${value}` });
    }
  });
  for (const { index, content } of document.messages)
    for (const [at, { source }] of content.entries())
      if (source !== null && source.file >= files.length)
        faults.push({
          pointer: `/messages/${index}/content/${at}/source/file`,
          message: `there is no file ${source.file}`,
        });
  return faults;
}

/** Where values of the agents stand, in which any key may be. */
const NATIVE = new Set(['extra', 'content', 'input', 'data', 'native_types', 'unknown_types', 'by_model']);

function visit(value: unknown, pointer: string, see: (pointer: string, key: string, value: unknown) => void): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    see(`${pointer}/${key}`, key, inner);
    if (!NATIVE.has(key)) visit(inner, `${pointer}/${key}`, see);
  }
}

/** The published JSON Schema (2020-12) of the document. */
export function jsonSchema(): object {
  const schema = z.toJSONSchema(session, { target: 'draft-2020-12', reused: 'ref' });
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'urn:palimpsest:schema:1.0:session',
    title: 'Palimpsest: one session of an AI coding agent',
    ...schema,
  };
}
