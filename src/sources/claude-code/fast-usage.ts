// The tokens of a family without its outlines: only rows that can hold a usage are looked into, in their bytes. It gives
// what the outlines give. What it does not know whole is odd, and then the outlines must be read: several files of one
// session, rows with NUL bytes in them, lines too long to hold.

import type { UsageOfSession } from '../../schema/usage-row.ts';
import { Field, Fields } from '../json-fields.ts';
import { markOf } from '../json-walk.ts';
import { readLines, readMarkedLines } from '../lines.ts';
import { Odd, unless } from '../odd.ts';
import { eachRowIn } from '../rows-in-line.ts';
import type { Family, FamilyFile, Files } from '../source.ts';
import { inlineId } from './outline.ts';
import { NeedsAll, RowFields, SessionUsage } from './session-usage.ts';

export function familyUsage(family: Family, port: Files): UsageOfSession[] | null {
  return unless(Odd, () => {
    const main = family.files.filter(({ role }) => role === 'main' || role === 'copy');
    const subagents = family.files.filter(({ role }) => role === 'subagent');
    const agents = new Set(subagents.map(({ session_id }) => session_id));
    if (main.length > 1 || agents.size < subagents.length) throw new Odd('several files');
    const sessions = [
      ...main.flatMap((file) => new MainFile(family.id, file, agents).read(port)),
      ...subagents.map((file) => subagentIn(file, port)),
    ];
    return sessions.map((session) => session.result).filter(({ rows }) => rows.length > 0);
  });
}

const row = new RowFields();
const isSidechain = new Field('isSidechain');
const agentId = new Field('agentId');
const parentUuid = new Field('parentUuid');
const parentCall = new Field('parentToolUseID');
/** A row of a subagent inside a row of the session (2.1.7 to 2.1.63). */
const inner = new RowFields();
const innerMessage = new Field('message', inner.all);
const innerAgent = new Field('agentId');
const innerType = new Field('type');
const data = new Field('data', [innerType, innerAgent, innerMessage]);
const ROW = new Fields([...row.all, isSidechain, agentId, parentUuid, parentCall, data]);

function subagentIn({ info, session_id }: FamilyFile, port: Files): SessionUsage {
  const id = session_id ?? '';
  return (
    unless(NeedsAll, () => {
      const session = new SessionUsage(id, { takesAll: false });
      eachRowWithUsage(port, info.path, session, () => session.take(row));
      return session;
    }) ?? wholeSubagent(id, info.path, port)
  );
}

function wholeSubagent(id: string, path: string, port: Files): SessionUsage {
  const session = new SessionUsage(id, { takesAll: true });
  eachRow(port, path, () => session.take(row));
  return session;
}

/** A session's own file. */
class MainFile {
  private readonly id: string;
  private readonly path: string;
  /** Subagents that have files. */
  private readonly agents: ReadonlySet<string | null>;
  private readonly inline = new Map<string, SessionUsage>();
  private readonly partOfRow = new Map<string, string>();
  private readonly agentOfCall = new Map<string, string>();

  constructor(id: string, file: FamilyFile, agents: ReadonlySet<string | null>) {
    this.id = id;
    this.path = file.info.path;
    this.agents = agents;
  }

  /** The session, and the subagents inside it: those that have no files. */
  read(port: Files): SessionUsage[] {
    return unless(NeedsAll, () => [this.alone(port)]) ?? this.withSubagents(port);
  }

  private alone(port: Files): SessionUsage {
    const session = new SessionUsage(this.id, { takesAll: false });
    eachRowWithUsage(port, this.path, session, () => {
      if (isSidechain.isTrue || this.agentWithoutFile() !== undefined) throw new NeedsAll('a subagent');
      session.take(row);
    });
    return session;
  }

  private withSubagents(port: Files): SessionUsage[] {
    const session = new SessionUsage(this.id, { takesAll: true });
    eachRow(port, this.path, (line) => {
      const agent = this.agentWithoutFile();
      if (isSidechain.isTrue) this.sidechain(line);
      else if (agent !== undefined) this.progress(agent);
      if (!isSidechain.isTrue) session.take(row);
    });
    return [session, ...this.inline.values()];
  }

  /** As `sidechainRow` in outline.ts. */
  private sidechain(line: number): void {
    const uuid = row.uuid.text;
    const part = agentId.text ?? this.partOfRow.get(parentUuid.text ?? '') ?? uuid ?? `line-${line}`;
    if (uuid !== undefined) this.partOfRow.set(uuid, part);
    if (!this.agents.has(part)) this.partNamed(part).take(row);
  }

  /** As `progressRow` in outline.ts. */
  private progress(agent: string): void {
    const call = parentCall.text;
    const part = (call === undefined ? undefined : this.agentOfCall.get(call)) ?? agent;
    if (call !== undefined) this.agentOfCall.set(call, part);
    this.partNamed(part).take(inner, inner.cwd.isThere ? inner.cwd : row.cwd);
  }

  private agentWithoutFile(): string | undefined {
    if (!innerMessage.isObject || !row.type.is('progress') || !innerType.is('agent_progress')) return undefined;
    const agent = innerAgent.text;
    return agent === undefined || this.agents.has(agent) ? undefined : agent;
  }

  private partNamed(part: string): SessionUsage {
    const known = this.inline.get(part);
    if (known !== undefined) return known;
    const session = new SessionUsage(inlineId(part, this.id), { takesAll: true });
    this.inline.set(part, session);
    return session;
  }
}

/** Stands in every row that has tokens: in the names of the counts. */
const TOKENS = markOf('_tokens');
const USAGE = Buffer.from('"usage"');
/** Whoever writes a letter of a key as an escape must write this. */
const ESCAPE = Buffer.from('\\u00');
const USER = Buffer.from('"type":"user"');
/** What `indexOf` says, and what is said before it is asked. */
const NOWHERE = -1;
const NOT_YET = -2;
/** The type of a user's row stands in front of its message. */
const HEAD_BYTES = 700;
/** The type of a row, where it is the first that the row tells. */
const FIRST_BYTES = 20;

/** Looks into the rows that can tell tokens, and into the first ones, until the session's project is known. */
function eachRowWithUsage(port: Files, path: string, session: SessionUsage, take: () => void): void {
  readMarkedLines(port, path, TOKENS, (lines, ends, base) => {
    let user = NOT_YET;
    let from = 0;
    for (let i = 0; i < ends.length; i += 2) {
      const to = (ends[i] ?? 0) - base;
      let mayTell = ends[i + 1] !== 0 || session.project === null;
      if (!mayTell) {
        // Most of all bytes are of rows that are plainly no reply: they are not even asked.
        if (user < from && user !== NOWHERE) user = lines.indexOf(USER, from);
        const isUsers = user !== NOWHERE && user < Math.min(to, from + HEAD_BYTES);
        mayTell = !isUsers && mayHideUsage(lines, from, to);
      }
      if (mayTell) eachRowIn(lines, from, to, ROW, take);
      from = to + 1;
    }
  });
}

/** A row may have a usage without any count, or in escapes. */
function mayHideUsage(lines: Buffer, from: number, to: number): boolean {
  const head = lines.toString('latin1', from, Math.min(to, from + FIRST_BYTES));
  if (head.startsWith('{"type":"') && !head.startsWith('{"type":"assistant"')) return false;
  const line = lines.subarray(from, to);
  return line.includes(USAGE) || line.includes(ESCAPE);
}

/** Looks into every row. */
function eachRow(port: Files, path: string, take: (line: number) => void): void {
  let line = 0;
  readLines(port, path, (bytes, from, to) => {
    line++;
    eachRowIn(bytes, from, to, ROW, () => take(line));
  });
}
