// What the store holds. Everything in it is derived from the agents' files: it can be deleted at any time.
//
// `main.db` knows the files, the sessions, what happened in them and what they cost. The words lie in shards, one per worker:
// writing the word lists is most of the work, and only one thread at a time can write to a database. A shard's rows count
// only if `main.db` says so (`families.stamp`): so a crash between the two leaves nothing half done.

/** A session's id tells its family, so that workers can give ids without asking. */
export const SESSIONS_PER_FAMILY = 65_536;

/** Raised with every change of the tables; see migrations.ts. */
export const STORE_VERSION = 6;

/** Raised whenever readers or detectors make something else of the same files: then all of them are read again. */
export const READING = 9;

/** Sessions that are read together. */
export const FAMILIES = `
-- "tier" tells how much of it was read: 0 tokens, 1 outline and prose, 2 the texts of tools too.
create table families (
  -- Never given twice: sums are told of a session by what it was before, and the id of one that is gone must not be another's.
  id integer primary key autoincrement,
  root integer not null,
  native_id text not null,
  -- -1 where nothing of it was written yet.
  tier integer not null,
  shard integer,
  stamp integer,
  -- Names, sizes, times and roles of its files.
  fingerprint text not null,
  -- What ties it to others, and what its beginning tells, for finding such ties.
  links text not null,
  head text,
  last_used text,
  unique (root, native_id)
) strict;
-- A row holds the beginning of a session: to find the few that were not read so far, or to count, all of them would be loaded.
create index families_by_tier on families (root, tier);
create index families_by_shard on families (shard, stamp);
`;

export const UNREAD = `
-- Files that could not be opened, and what was said of them. No size and no time tells when they can be: they are tried each time.
create table unread (
  family integer not null,
  path text not null,
  message text not null,
  primary key (family, path)
) strict, without rowid;
`;

export const LISTED_NAMES = `
-- The names of these files. They are most of it, and when a file grows they stay.
create table listed_names (root integer primary key, names blob not null) strict;
`;

/** What requests add up to. */
const FIGURES = `requests integer not null,
  input_tokens integer not null,
  cache_read_tokens integer not null,
  cache_write_5m_tokens integer not null,
  cache_write_1h_tokens integer not null,
  output_tokens integer not null,
  reasoning_tokens integer not null,
  web_searches integer not null,
  cost real not null,
  unpriced integer not null,
  estimated integer not null`;

export const MAIN_TABLES = `
create table meta (name text primary key, value text not null) strict, without rowid;

-- An agent's folder. "links" is what ties its sessions.
create table roots (
  id integer primary key,
  agent text not null,
  folder text not null,
  links text not null,
  unique (agent, folder)
) strict;

-- All files of a root as they were when all of them had been read, in one value: so they are held against those that are there
-- without loading a row for each. See packed-listing.ts.
create table listings (root integer primary key, numbers blob not null) strict;
${LISTED_NAMES}
-- The same files, one by one.
create table files (
  root integer not null,
  path text not null,
  bytes integer not null,
  modified_ms real not null,
  kept integer not null,
  -- A hash of its first and last bytes: a file that only grew still has both where they were. Empty as long as only tokens are wanted.
  ends text not null,
  primary key (root, path)
) strict, without rowid;

${FAMILIES}
-- A file may belong to several: a fork goes on from the middle of its parent's file.
create table family_files (
  family integer not null,
  position integer not null,
  path text not null,
  role text not null,
  session_id text,
  primary key (family, position)
) strict, without rowid;
create index family_files_by_path on family_files (path);
${UNREAD}
create table sessions (
  id integer primary key,
  family integer not null,
  position integer not null,
  native_id text not null,
  agent text not null,
  kind text not null,
  title text,
  project text,
  started_at text,
  ended_at text,
  messages integer not null,
  -- The head of the document, the files by which places are numbered, the messages that left the context, tool calls by outcome, diagnostics.
  head text not null,
  paths text not null,
  presence text not null,
  calls text not null,
  diagnostics text not null
) strict;
create index sessions_by_family on sessions (family, position);

create table events (
  session integer not null,
  position integer not null,
  kind text not null,
  timestamp text,
  event text not null,
  primary key (session, position)
) strict, without rowid;

-- The requests of a session, one after the other: what each is known by in every file that holds it (a hash), then time,
-- model and tokens. Packed: a row for each would be half of all rows, and nobody asks for a single one. See packed-usage.ts.
create table usage (session integer primary key, keys blob not null, rows blob not null, models text not null) strict;

-- Which sessions hold which requests, by the keys of these: see request-places.ts.
create table request_places (
  root integer not null,
  bucket integer not null,
  places blob not null,
  primary key (root, bucket)
) strict, without rowid;

-- The same by session, local day and model, each request of the agent's folder once; cost by the prices that "meta" names.
create table usage_sums (
  root integer not null,
  session integer not null,
  day text,
  model text,
  ${FIGURES}
) strict;
create index usage_sums_by_session on usage_sums (session);
create index usage_sums_by_day on usage_sums (root, day);

-- These added up over all sessions: most reports ask for no more.
create table usage_days (
  root integer not null,
  day text,
  model text,
  ${FIGURES}
) strict;
create index usage_days_by_day on usage_days (root, day);

-- What models cost, by the prices that "meta" names: to load the list of all prices takes longer than all else.
create table tariffs (model text primary key, tariff text not null) strict, without rowid;
`;

export const READINGS = `
-- Where the reading of large files was left that were seen to grow, and the state of what reads them: see left-readings.ts.
create table readings (
  family integer not null,
  path text not null,
  reach integer not null,
  cut integer not null,
  bound text not null,
  place text not null,
  sum text not null,
  state blob not null,
  primary key (family, path)
) strict;
`;

export const MERGING = `
-- FTS5 keeps a list for each time that it was written to. So many on the lowest level, and all of them are merged at once, the largest among them: with
-- its own limit, 16, the twelfth session that grew after a first index of 1.2 GB took a third of a second. See word-lists.ts for what is merged before.
insert into prose(prose, rank) values ('crisismerge', 1000);
insert into tool_texts(tool_texts, rank) values ('crisismerge', 1000);
`;

export const SHARD_TABLES = `
-- The messages of a session, packed, in pieces of PIECE: see packed-outline.ts.
create table outlines (
  session integer not null,
  piece integer not null,
  messages blob not null,
  tools text not null,
  primary key (session, piece)
) strict, without rowid;

-- How the blocks of a message lie in its rows: type, row and pointer of each. Few shapes serve all messages.
create table shapes (id integer primary key, blocks text not null unique) strict;

-- Which messages have which ids in the word lists: those from "first" to "last" are the messages of a session from number "start" of
-- its outline on. Ids rise in the order of writing, which is nearly that of time; "newest" is the time of the newest among them, so
-- that who looks for the newest may stop early.
create table runs (
  first integer primary key,
  last integer not null,
  session integer not null,
  start integer not null,
  newest integer
) strict;
create index runs_by_session on runs (session, start);

-- What was written whole, of which family.
create table families (family integer primary key, stamp integer not null) strict;
${READINGS}
create virtual table prose using fts5(text, content='', contentless_delete=1, tokenize='unicode61');
create virtual table tool_texts using fts5(text, content='', contentless_delete=1, tokenize='unicode61');
insert into prose(prose, rank) values ('hashsize', 16777216);
insert into tool_texts(tool_texts, rank) values ('hashsize', 16777216);
${MERGING}`;
