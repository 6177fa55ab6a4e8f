// Writes what is known of families and their sessions. Whoever calls holds the transaction.

import type { DatabaseSync } from 'node:sqlite';
import type { FamilyFacts, SessionFacts } from './rows.ts';
import { SESSIONS_PER_FAMILY } from './tables.ts';

export class MainWriter {
  private readonly sql;

  constructor(database: DatabaseSync) {
    this.sql = {
      family: database.prepare(
        'update families set tier = ?, shard = ?, stamp = ?, fingerprint = ?, links = ?, last_used = ? where id = ?',
      ),
      session: database.prepare('insert into sessions values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)'),
      event: database.prepare('insert into events values (?, ?, ?, ?, ?)'),
      usage: database.prepare('insert into usage values (?, ?, ?, ?)'),
      unread: database.prepare('insert into unread values (?, ?, ?)'),
      gone: ['sessions', 'unread'].map((table) => database.prepare(`delete from ${table} where family = ?`)),
      goneOfSessions: ['events', 'usage', 'usage_sums'].map((table) =>
        database.prepare(
          `delete from ${table} where session between ? * ${SESSIONS_PER_FAMILY} and ? * ${SESSIONS_PER_FAMILY} + ${SESSIONS_PER_FAMILY - 1}`,
        ),
      ),
      noFamily: database.prepare('delete from families where id = ?'),
      noFiles: database.prepare('delete from family_files where family = ?'),
    };
  }

  /** Of a new family, of which nothing was ever written, nothing has to go. */
  write(facts: FamilyFacts, { isNew }: { isNew: boolean }): void {
    const { id, tier, shard, stamp, fingerprint, links, last_used, unread, sessions } = facts;
    if (!isNew) this.clear(id);
    this.sql.family.run(tier, shard, stamp, fingerprint, links, last_used, id);
    for (const { path, message } of unread) this.sql.unread.run(id, path, message);
    for (const session of sessions) this.session(id, session);
  }

  /** The family itself goes too. */
  remove(family: number): void {
    this.clear(family);
    this.sql.noFamily.run(family);
    this.sql.noFiles.run(family);
  }

  private clear(family: number): void {
    for (const statement of this.sql.gone) statement.run(family);
    for (const statement of this.sql.goneOfSessions) statement.run(family, family);
  }

  private session(family: number, session: SessionFacts): void {
    const { id, position, native_id, agent, kind, title, project, started_at, ended_at, messages } = session;
    const { head, paths, presence, calls, diagnostics, events, usage } = session;
    this.sql.session.run(
      ...[id, family, position, native_id, agent, kind, title, project, started_at, ended_at, messages],
      ...[head, paths, presence, calls, diagnostics],
    );
    events.forEach(({ kind: what, timestamp, event }, i) => {
      this.sql.event.run(id, i, what, timestamp, event);
    });
    if (usage.keys.length > 0) this.sql.usage.run(id, usage.keys, usage.rows, usage.models);
  }
}
