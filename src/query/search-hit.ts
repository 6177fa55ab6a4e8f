// What a search says about a message: where it stands, what it is, and whether the model still sees it.

import { type AgentName, MESSAGE_KINDS } from '../schema/words.ts';
import type { Store } from '../store/open.ts';
import type { Found } from './found.ts';
import type { ShardMessages } from './shard-messages.ts';
import { rowsOf } from './statements.ts';

export interface SearchHit {
  session_id: string;
  agent: AgentName;
  /** main, subagent, helper. */
  session_kind: string;
  title: string | null;
  project: string | null;
  /** Its index in the session. */
  message_index: number;
  kind: (typeof MESSAGE_KINDS)[number];
  timestamp: string | null;
  tools: string[];
  /** Whether the model still saw it at the end of the session. */
  live: boolean;
  /** The kind of event that took it out of the context; null where none did. */
  left_by: string | null;
  /** The agent has deleted it; it is read from what was kept. */
  kept: boolean;
  stored: StoredPlace;
}

/** What is needed to read its text: see stored-message.ts. */
export interface StoredPlace {
  root: number;
  shard: number;
  family: number;
  session: number;
  /** The session's files, by which places are numbered. */
  paths: string[];
  kind: SearchHit['kind'];
  /** File, line, offset and length of each of its rows. */
  places: number[][];
  /** How its blocks lie in its rows. */
  shape: string;
}

/** For one search: a session is asked for once. Null for a message of a session that is not, or not wholly, there. */
export class HitReader {
  private readonly store: Store;
  private readonly sessions = new Map<string, SessionFacts | null>();

  constructor(store: Store) {
    this.store = store;
  }

  isWhole({ shard, session }: Found): boolean {
    return this.session(shard, session) !== null;
  }

  hit(found: Found, messages: ShardMessages): SearchHit | null {
    const facts = this.session(found.shard, found.session);
    if (facts === null) return null;
    const { presence, root, family, paths, ...known } = facts;
    const { outline, at } = messages.message(found.session, found.number);
    const { position, kind, time, tools, places, shape } = outline.message(at);
    const gone = presence.find(([first, last]) => first <= position && position <= last);
    const named = MESSAGE_KINDS[kind] ?? 'meta';
    const [row] = rowsOf(messages.database, 'select blocks from shapes where id = ?', shape);
    return {
      ...known,
      message_index: position,
      kind: named,
      timestamp: time === null ? null : new Date(time).toISOString(),
      tools: tools?.trim().split(' ') ?? [],
      live: gone === undefined,
      left_by: gone?.[2] || null,
      stored: {
        root,
        shard: found.shard,
        family,
        session: found.session,
        paths,
        kind: named,
        places,
        shape: String(row?.[0] ?? ''),
      },
    };
  }

  private session(shard: number, session: number): SessionFacts | null {
    const key = `${shard} ${session}`;
    const known = this.sessions.get(key);
    if (known !== undefined) return known;
    const facts = this.readSession(shard, session);
    this.sessions.set(key, facts);
    return facts;
  }

  private readSession(shard: number, session: number): SessionFacts | null {
    const [row] = rowsOf(this.store.main, SESSION, session);
    const database = this.store.shards[shard];
    if (row === undefined || database === undefined) return null;
    const [family, root, inShard, tier, stamp, id, agent, kind, title, project, paths, presence, kept] = row;
    // A writer that was stopped between the two leaves a shard that main does not speak of.
    const [there] = rowsOf(database, 'select stamp from families where family = ?', Number(family));
    if (inShard !== shard || Number(tier) < 1 || there?.[0] !== stamp) return null;
    return {
      family: Number(family),
      root: Number(root),
      session_id: String(id),
      agent: agent as AgentName,
      session_kind: String(kind),
      title: title === null ? null : String(title),
      project: project === null ? null : String(project),
      paths: JSON.parse(String(paths)),
      presence: JSON.parse(String(presence)),
      kept: kept === 1,
    };
  }
}

type SessionFacts = Pick<SearchHit, 'session_id' | 'agent' | 'session_kind' | 'title' | 'project' | 'kept'> &
  Pick<StoredPlace, 'root' | 'family' | 'paths'> & {
    /** Messages that left the context: first, last, and what took them out. */
    presence: [number, number, string][];
  };

const SESSION = `
  select f.id, f.root, f.shard, f.tier, f.stamp, s.native_id, s.agent, s.kind, s.title, s.project, s.paths, s.presence,
    exists (select 1 from family_files ff cross join files on files.root = f.root and files.path = ff.path
      where ff.family = f.id and files.kept = 1)
  from sessions s join families f on f.id = s.family where s.id = ?`;
