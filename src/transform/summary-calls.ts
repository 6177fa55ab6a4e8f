// What a tool call did, told by the shape of its input. Tools of every agent and of MCP servers look
// alike here: a path with new text is an edit, a command line is a command, a list with statuses is a list of tasks.

import type { Json } from '../schema/blocks.ts';
import { clip, code, oneLine, plainText } from './summary-sentences.ts';

export interface FileChange {
  path: string;
  /** What was done, in the past tense: `edited`, `written`, `deleted`. */
  deed: 'edited' | 'written' | 'added' | 'deleted' | 'moved here';
  /** The first line that was put in, or how much. */
  detail: string;
}

export interface Task {
  text: string;
  done: boolean;
  status: string;
}

type Fields = Record<string, Json>;

function fieldsOf(input: Json): Fields {
  return typeof input === 'object' && input !== null && !Array.isArray(input) ? input : {};
}

function stringAt(fields: Fields, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = fields[key];
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}

const PATHS = [
  'file_path',
  'path',
  'notebook_path',
  'filePath',
  'filepath',
  'absolute_path',
  'target_file',
  'file',
  'filename',
];
const NEW_TEXTS = ['new_string', 'new_str', 'newText', 'new_text', 'new_source', 'insert_text', 'replacement'];
const WHOLE_TEXTS = ['content', 'file_text', 'contents', 'text'];
const PATCHES = ['patch', 'diff', 'input', 'patch_text', 'unified_diff'];

/** The path a call is about, whatever it does there. */
export function pathOf(input: Json): string | undefined {
  const path = stringAt(fieldsOf(input), PATHS);
  return path === undefined || path.includes('\n') ? undefined : oneLine(plainText(path));
}

/** The files a call changed, if it succeeded. */
export function changesOf(input: Json, diff: string | null): FileChange[] {
  if (typeof input === 'string') return patchChanges(input);
  const fields = fieldsOf(input);
  const path = pathOf(input);
  if (path !== undefined) {
    const change = changeAt(path, fields);
    if (change !== undefined) return [change];
  }
  const patch = stringAt(fields, PATCHES);
  const patched = patch === undefined ? [] : patchChanges(patch);
  if (patched.length > 0) return patched;
  const command = commandOf(input);
  if (command !== undefined) return commandChanges(command);
  return diff === null ? [] : patchChanges(diff);
}

function changeAt(path: string, fields: Fields): FileChange | undefined {
  const fresh = stringAt(fields, NEW_TEXTS);
  if (fresh !== undefined || NEW_TEXTS.some((key) => fields[key] === '')) {
    return {
      path,
      deed: 'edited',
      detail: firstLine(fresh ?? '', stringAt(fields, ['old_string', 'old_str', 'oldText'])),
    };
  }
  const edits = fields.edits;
  if (Array.isArray(edits)) {
    const last = fieldsOf(edits.at(-1) ?? null);
    return {
      path,
      deed: 'edited',
      detail: firstLine(stringAt(last, NEW_TEXTS) ?? '', stringAt(last, ['old_string', 'old_str', 'oldText'])),
    };
  }
  const whole = WHOLE_TEXTS.map((key) => fields[key]).find((value) => typeof value === 'string');
  // A pattern beside a path is a search.
  if (whole !== undefined && fields.pattern === undefined) return { path, deed: 'written', detail: lengthOf(whole) };
  // Too large to be carried along: the text is an object that says how long it is.
  const large = [...NEW_TEXTS, ...WHOLE_TEXTS].some((key) => typeof fields[key] === 'object' && fields[key] !== null);
  return large ? { path, deed: 'written', detail: '' } : undefined;
}

function lengthOf(text: string): string {
  return text === '' ? 'empty' : counted(text.split('\n').length - (text.endsWith('\n') ? 1 : 0), 'line');
}

/** The first line that is new. */
function firstLine(fresh: string, old: string | undefined): string {
  const known = new Set((old ?? '').split('\n').map((line) => line.trim()));
  const lines = fresh.split('\n').map((line) => oneLine(plainText(line)));
  const line = lines.find((candidate) => /[\p{L}\p{N}]/u.test(candidate) && !known.has(candidate));
  if (line !== undefined) return code(clip(line, 70));
  return fresh.trim() === '' ? 'lines taken out' : '';
}

const PATCH_FILE = /^\*\*\* (Add|Update|Delete) File: (.+)$|^\*\*\* Move to: (.+)$|^\+\+\+ (?:b\/)?([^\t\n]+)/;

/** The files of a patch, in the form of Codex or as a unified diff. */
function patchChanges(patch: string): FileChange[] {
  const changes: FileChange[] = [];
  for (const line of patch.split('\n')) {
    const match = PATCH_FILE.exec(line);
    if (match === null) {
      const last = changes.at(-1);
      if (last?.detail === '' && line.startsWith('+') && /\p{L}/u.test(line))
        last.detail = firstLine(line.slice(1), undefined);
      continue;
    }
    const [, verb, named, moved, diffed] = match;
    const path = oneLine(plainText(named ?? moved ?? diffed ?? ''));
    if (path === '' || path === '/dev/null') continue;
    const deed =
      verb === 'Add' ? 'added' : verb === 'Delete' ? 'deleted' : moved === undefined ? 'edited' : 'moved here';
    changes.push({ path, deed, detail: '' });
  }
  return changes;
}

const REDIRECTED =
  /(?:^|[\s;&|])(?:cat|tee|printf|echo)\b[^\n|;&]*?(?:>>?|\btee(?: -a)?)\s*['"]?([\w./~@+-]*[\w-]\.?[\w-]*)['"]?[^\n]*<</g;
const IN_PLACE = /\bsed\s+-i(?:\s+(?:''|""|\.\w+))?(?:\s+-[eE])?\s+(?:'[^']*'|"[^"]*"|\S+)\s+([\w./~@+-]+)/g;

/** Files that a command line wrote: patches, here-documents and `sed -i`. What a script does inside is not seen. */
function commandChanges(command: string): FileChange[] {
  if (command.includes('*** Begin Patch')) return patchChanges(command);
  const start = command.slice(0, 4000);
  const written = [...start.matchAll(REDIRECTED)]
    .map(([, path = '']) => path)
    .filter((path) => !path.startsWith('/dev/'));
  const edited = [...start.matchAll(IN_PLACE)].map(([, path = '']) => path);
  return [
    ...written.map((path): FileChange => ({ path, deed: 'written', detail: 'by a command' })),
    ...edited.map((path): FileChange => ({ path, deed: 'edited', detail: 'by `sed`' })),
  ];
}

/** The command line of a call. A list such as `["bash", "-lc", "…"]` is what it runs. */
export function commandOf(input: Json): string | undefined {
  const fields = fieldsOf(input);
  const value = fields.command ?? fields.cmd ?? fields.script;
  if (typeof value === 'string' && pathOf(input) === undefined) return value;
  if (!Array.isArray(value)) return undefined;
  const words = value.filter((word) => typeof word === 'string');
  return /^(?:.*\/)?(?:ba|z|da)?sh$/.test(words[0] ?? '') ? words.at(-1) : words.join(' ');
}

/** A command on one line: its first line, and whether there is more. Of what was committed, the message is told, too. */
export function commandLine(command: string): string {
  const lines = plainText(command)
    .split('\n')
    .map((line) => oneLine(line))
    .filter((line) => line !== '');
  const [first = '', second = ''] = lines;
  if (lines.length < 2) return clip(first, 160);
  return /\bgit commit\b|\bgh (?:pr|issue) \w/.test(first)
    ? `${clip(first, 100)} ${clip(second, 90)} …`
    : `${clip(first, 150)} …`;
}

/** Without the path of the project: the head of the summary says what paths are below. */
export function belowProject(text: string, project: string | null): string {
  if (project === null || project.length < 2) return text;
  const root = project.replace(/[\\/]$/, '');
  const there = text.startsWith(`cd ${root} && `) ? text.slice(`cd ${root} && `.length) : text;
  // Neither the folder itself nor one whose path only ends alike.
  return there.replaceAll(`${root}/`, (path: string, at: number) =>
    IN_PATH.test(there.charAt(at - 1)) || !IN_PATH.test(there.charAt(at + path.length)) ? path : '',
  );
}

const IN_PATH = /[\w./~@+-]/;

const LOOKS =
  /^(?:ls|ll|cat|head|tail|sed -n|rg|grep|egrep|find|fd|wc|pwd|which|file|stat|tree|du|echo|nl|awk|jq|env|date|diff|type|true|sleep|git (?:status|log|diff|show|branch|blame|remote|rev-parse|ls-files|config --get|fetch|grep)|gh (?:pr|issue|run|api) (?:view|list|diff|checks)?)\b/;

/** Whether a command only looks at things: many of these are run, and none matters later. */
export function onlyLooks(command: string): boolean {
  if (/(?:^|[^-=0-9&])>\s*[\w./~]/.test(command)) return false;
  const parts = command
    .split(/&&|\|\||;|\n/)
    .map((part) => part.trim())
    .filter((part) => part !== '' && !part.startsWith('cd '));
  return parts.every((part) => LOOKS.test(part));
}

const TASK_TEXTS = ['content', 'step', 'subject', 'title', 'task', 'text', 'description', 'name'];

/** A list of tasks: objects that have a text and say whether they are done. */
export function tasksOf(input: Json): Task[] | undefined {
  for (const value of Object.values(fieldsOf(input))) {
    if (!Array.isArray(value) || value.length === 0) continue;
    const tasks = value.map((entry) => taskOf(fieldsOf(entry)));
    if (tasks.every((task) => task !== undefined)) return tasks;
  }
  return undefined;
}

function taskOf(fields: Fields): Task | undefined {
  const text = stringAt(fields, TASK_TEXTS);
  const done = fields.done ?? fields.completed;
  const status = typeof done === 'boolean' ? (done ? 'completed' : 'pending') : fields.status;
  if (text === undefined || typeof status !== 'string') return undefined;
  return { text: oneLine(plainText(text)), done: isDone(status), status };
}

export function isDone(status: string): boolean {
  return /^(?:completed?|done|finished|cancell?ed|deleted)$/i.test(status);
}

/** One task put on a list of its own, as the tools do that keep each task apart. */
export function newTaskOf(input: Json): string | undefined {
  const fields = fieldsOf(input);
  const subject = stringAt(fields, ['subject']);
  return subject === undefined || typeof fields.description !== 'string' || fields.taskId !== undefined
    ? undefined
    : oneLine(plainText(subject));
}

/** A change of the status of such a task. */
export function taskUpdateOf(input: Json): { id: string; status: string } | undefined {
  const fields = fieldsOf(input);
  const id = fields.taskId ?? fields.task_id;
  return (typeof id === 'string' || typeof id === 'number') && typeof fields.status === 'string'
    ? { id: String(id), status: fields.status }
    : undefined;
}

/** What the person was asked by a tool. */
export function questionsOf(input: Json): string[] {
  const fields = fieldsOf(input);
  const list = Array.isArray(fields.questions) ? fields.questions : [fields];
  return list
    .map((entry) => (typeof entry === 'string' ? entry : stringAt(fieldsOf(entry), ['question'])))
    .filter((question) => question !== undefined)
    .map((question) => oneLine(plainText(question)));
}

/** A plan laid before the person. */
export function planOf(input: Json): string | undefined {
  return stringAt(fieldsOf(input), ['plan']);
}

/** What a subagent was sent out for. */
export function errandOf(name: string, input: Json): string | undefined {
  const fields = fieldsOf(input);
  const forAgent = /agent|^task$/i.test(name) || Object.keys(fields).some((key) => /agent/i.test(key));
  if (!forAgent) return undefined;
  const errand = stringAt(fields, ['description', 'objective', 'prompt', 'message', 'task']);
  return errand === undefined ? undefined : oneLine(plainText(errand));
}

export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
