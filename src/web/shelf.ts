// The sessions that somebody is reading: opened once, and closed when others take their room.

import type { FoundFamily, OpenFamily, SessionReader } from '../index.ts';
import type { SessionAnswer } from './api.ts';
import { sessionAnswer } from './session-answer.ts';
import { type MessageShower, messageShower } from './shown-message.ts';

export interface OpenSession {
  reader: SessionReader;
  shower: MessageShower;
  answer(): SessionAnswer;
  /** What can be read in each message, in small letters; made as it is asked for. */
  texts: string[];
}

interface Shelved {
  open: OpenFamily;
  bytes: number;
  sessions: Map<string, OpenSession>;
}

/** So much is held open at once, but always the last one. */
const MOST_BYTES = 256 * 1024 * 1024;
const MOST_FAMILIES = 6;
/** Of larger ones the texts are read when they are asked for: they stay open for long. */
const WITH_TEXTS_BYTES = 24 * 1024 * 1024;

export class Shelf {
  private readonly keyOfId: (family: string, id: string) => string;
  /** The last one used stands last. */
  private readonly families = new Map<string, Shelved>();

  constructor(keyOfId: (family: string, id: string) => string) {
    this.keyOfId = keyOfId;
  }

  /** The session of the family with this id; the main one where it is null. */
  open(key: string, family: FoundFamily, id: string | null): OpenSession | undefined {
    const shelved = this.families.get(key) ?? shelve(family);
    this.families.delete(key);
    this.families.set(key, shelved);
    this.makeRoom();
    const reader = shelved.open.sessions.find(({ document }, i) =>
      id === null ? i === 0 : document.session.id === id,
    );
    if (reader === undefined) return undefined;
    const known = shelved.sessions.get(reader.document.session.id);
    if (known !== undefined) return known;
    const session = this.opened(reader, key);
    shelved.sessions.set(reader.document.session.id, session);
    return session;
  }

  has(key: string): boolean {
    return this.families.has(key);
  }

  /** Its files have changed: the next one who asks gets what is in them then. */
  drop(key: string): void {
    this.families.get(key)?.open.close();
    this.families.delete(key);
  }

  close(): void {
    for (const key of [...this.families.keys()]) this.drop(key);
  }

  private opened(reader: SessionReader, family: string): OpenSession {
    const keyOfId = (id: string) => this.keyOfId(family, id);
    let answer: SessionAnswer | undefined;
    return {
      reader,
      shower: messageShower(reader, keyOfId),
      answer: () => (answer ??= sessionAnswer(reader, keyOfId)),
      texts: [],
    };
  }

  private makeRoom(): void {
    const bytes = () => [...this.families.values()].reduce((sum, { bytes }) => sum + bytes, 0);
    for (const key of this.families.keys()) {
      if (this.families.size === 1 || (this.families.size <= MOST_FAMILIES && bytes() <= MOST_BYTES)) return;
      this.drop(key);
    }
  }
}

function shelve(family: FoundFamily): Shelved {
  const open = family.open();
  if (family.bytes > WITH_TEXTS_BYTES) open.rest();
  return { open, bytes: family.bytes, sessions: new Map() };
}
