// The copy in the making: the messages of a context, block by block, with what is to become of each. It holds no text,
// so that sessions of any size can be thought over.

import type { Block } from '../schema/blocks.ts';
import { contextAt } from '../schema/context.ts';
import { DEEPEST } from '../schema/json-text.ts';
import type { Message } from '../schema/message.ts';
import type { SessionView } from '../schema/stream.ts';
import { afterParents } from './after-parents.ts';
import { type BlockChange, type Cut, isLong, isOmitted } from './change.ts';
import type { TokenModel } from './estimate.ts';

export const CATEGORIES = [
  'prompts',
  'replies',
  'thinking',
  'tool calls',
  'tool results',
  'images',
  'summaries',
  'added by the client',
  'not recorded',
] as const;
type Category = (typeof CATEGORIES)[number];

export interface DraftBlock {
  type: Block['type'];
  category: Category;
  /** Estimated, as it stands in the session. */
  tokens: number;
  /** Characters of its texts, and of the longest of them. */
  characters: number;
  longest: number;
  /** Images in it, or itself. */
  images: number;
  image_tokens: number;
  /** Bytes of base64 of its largest image. */
  largest_image: number;
  /** Thinking that no server would take back. */
  unsigned: boolean;
  tool_use_id: string | null;
  /** The tool's name, on calls and on their results. */
  tool: string | null;
  change: BlockChange | null;
}

export interface DraftMessage {
  index: number;
  id: string;
  parent_id: string | null;
  role: Message['role'];
  kind: Message['kind'];
  turn: number;
  timestamp: string | null;
  blocks: DraftBlock[];
}

/** What a summary is made of: these messages, told in no more than about so many tokens. */
export interface SummaryTask {
  messages: number[];
  level: 'full' | 'brief';
  limit: number;
}

/** What stands in place of the oldest messages: one text, of a part for each range of turns. */
interface DraftSummary {
  text: string;
  /** A line of ours that tells of no messages has no task. */
  parts: { text: string; task: SummaryTask | null }[];
  tokens: number;
  replaced: number[];
  timestamp: string | null;
}

export interface Draft {
  session_id: string;
  summary: DraftSummary | null;
  messages: DraftMessage[];
}

/** The messages with these indices. */
export function draftOf(view: SessionView, tokens: TokenModel, indices: number[]): Draft {
  const tools = new Map<string, string>();
  let turn = -1;
  const messages = indices.map((index) => {
    const message = view.message(index);
    turn = message.turn ?? turn;
    return draftMessage(message, message.kind === 'summary' ? -1 : turn, tokens, tools);
  });
  const draft = { session_id: view.document.session.id, summary: null, messages: afterParents(messages) };
  return tokens.keepsThinking ? draft : withoutOldThinkingTokens(draft);
}

/** Servers of older models drop what was thought before the last prompt: it costs nothing. */
function withoutOldThinkingTokens(draft: Draft): Draft {
  const last = draft.messages.findLastIndex(({ kind }) => kind === 'prompt');
  for (const { blocks } of draft.messages.slice(0, Math.max(0, last)))
    for (const block of blocks) if (block.type === 'thinking') block.tokens = 0;
  return draft;
}

/**
 * What the model saw at a message, in the order of the rows, not that of the request: clients put things in order themselves
 * when they send. Mended, it goes on over breaks in the files at which a client would stop.
 */
export function contextIndices(view: SessionView, at: number, { mend }: { mend: boolean }): number[] {
  const marks = view.sentMarks().map(({ sent }) => ({ sent, sent_before: null }));
  const { windows } = view.document.context;
  if (!mend) return contextAt(windows, marks, at);
  const begun = windows.findLast(({ opened_by }) => ['start', 'compaction', 'clear'].includes(opened_by));
  const from = begun?.opened_at_index ?? 0;
  const unbroken = windows.filter((window) => !isBreak(window, from));
  return withTorn(view, contextAt(unbroken, marks, at), from, at);
}

/** With what hangs on rows that are not in the files: nobody took that back, though what follows does not build on it. */
function withTorn(view: SessionView, context: number[], from: number, at: number): number[] {
  const known = new Set(context);
  const torn = new Set<string>();
  const marks = view.sentMarks();
  for (let index = from + 1; index <= at; index++) {
    if (known.has(index) || marks[index]?.sent !== true) continue;
    const { id, parent_id, extra } = view.message(index);
    if (extra.missing_parent === true || torn.has(parent_id ?? '')) torn.add(id);
    if (torn.has(id)) known.add(index);
  }
  if (torn.size === 0) return context;
  const isOlder = (index: number) => index < from;
  return [...context.filter(isOlder), ...[...known].filter((index) => !isOlder(index)).sort((a, b) => a - b)];
}

/**
 * Nobody recorded that the context was replaced there: it was only concluded from rows that hang on nothing, or on a line that does.
 * A line that goes back to the beginning is whole.
 */
function isBreak({ opened_by, confidence, start }: Window, from: number): boolean {
  const [first = Number.POSITIVE_INFINITY] = start[0] ?? [];
  return opened_by === 'resume' && confidence === 'low' && first > from;
}

type Window = SessionView['document']['context']['windows'][number];

function draftMessage(message: Message, turn: number, tokens: TokenModel, tools: Map<string, string>): DraftMessage {
  const { index, id, parent_id, role, kind, timestamp } = message;
  const blocks = message.content.map((block) => draftBlock(block, message, tokens, tools));
  return { index, id, parent_id, role, kind, turn, timestamp, blocks };
}

function draftBlock(block: Block, message: Message, tokens: TokenModel, tools: Map<string, string>): DraftBlock {
  const tool_use_id = callOf(block);
  if (block.type === 'tool_use' && block.id !== null) tools.set(block.id, block.name);
  const size = sizeOf(block);
  const image_tokens = size.images === 0 ? 0 : imagesOf(block).reduce((sum, image) => sum + tokens.ofBlock(image), 0);
  return {
    type: block.type,
    category: categoryOf(block, message),
    tokens: tokens.ofBlock(block),
    ...size,
    image_tokens,
    unsigned: block.type === 'thinking' && isUnsigned(block),
    tool_use_id,
    tool: block.type === 'tool_use' ? block.name : (tools.get(tool_use_id ?? '') ?? null),
    change: null,
  };
}

/** The call that a block is or answers; results of tools that run at the server are kinds of their own. */
function callOf(block: Block): string | null {
  if (block.type === 'tool_use') return block.id;
  if (block.type === 'tool_result') return block.tool_use_id;
  if (block.type !== 'unknown' || typeof block.data !== 'object' || block.data === null) return null;
  const id = (block.data as Record<string, unknown>).tool_use_id;
  return typeof id === 'string' ? id : null;
}

function categoryOf(block: Block, message: Message): Category {
  switch (block.type) {
    case 'thinking':
      return 'thinking';
    case 'tool_use':
      return 'tool calls';
    case 'tool_result':
      return 'tool results';
    case 'image':
      return 'images';
    default:
      break;
  }
  if (message.kind === 'summary') return 'summaries';
  if (message.kind === 'reply') return 'replies';
  return message.kind === 'prompt' || message.kind === 'tool_result' ? 'prompts' : 'added by the client';
}

/** A signature of nothing, and no sealed thinking either. */
function isUnsigned(block: Extract<Block, { type: 'thinking' }>): boolean {
  return block.encrypted === null && (block.signature === null || block.signature === '');
}

function sizeOf(block: Block): Pick<DraftBlock, 'characters' | 'longest' | 'images' | 'largest_image'> {
  const size = { characters: 0, longest: 0, images: 0, largest_image: 0 };
  const add = (length: number) => {
    size.characters += length;
    size.longest = Math.max(size.longest, length);
  };
  if (block.type === 'tool_use') stringsIn(block.input, add);
  if (block.type === 'tool_result')
    for (const part of block.content) if (part.type === 'text') add(lengthOf(part.text));
  if (block.type === 'text') add(isBlank(block.text) ? 0 : lengthOf(block.text));
  if (block.type === 'attachment') add(lengthOf(block.text));
  for (const image of imagesOf(block)) {
    size.images++;
    size.largest_image = Math.max(size.largest_image, lengthOf(image.data));
  }
  return size;
}

type Image = Extract<Block, { type: 'image' }>;

function imagesOf(block: Block): Image[] {
  if (block.type === 'image') return [block];
  if (block.type !== 'tool_result') return [];
  return block.content.flatMap((part): Image[] =>
    part.type === 'image' ? [{ ...part, source: null, cleared_by: null }] : [],
  );
}

function stringsIn(value: unknown, add: (length: number) => void, levels = DEEPEST): void {
  if (typeof value === 'string') add(value.length);
  else if (isOmitted(value)) add(value.omitted_bytes);
  else if (typeof value === 'object' && value !== null && levels > 0)
    for (const inner of Object.values(value)) stringsIn(inner, add, levels - 1);
}

function isBlank(text: unknown): boolean {
  return typeof text === 'string' && text.trim() === '';
}

/** Nothing is lost with it: clients send no such text. */
export function isBlankText({ type, characters }: DraftBlock): boolean {
  return type === 'text' && characters === 0;
}

function lengthOf(text: string | { omitted_bytes: number } | null): number {
  if (text === null) return 0;
  return typeof text === 'string' ? text.length : text.omitted_bytes;
}

/** Tokens of a block as the copy will have it. */
function tokensAfter(block: DraftBlock, ofText: (text: string) => number): number {
  const { change, tokens } = block;
  if (change === null) return tokens;
  switch (change.to) {
    case 'nothing':
      return 0;
    case 'note':
      return ofText(change.text);
    case 'words':
      return tokens - block.image_tokens + block.images * NOTE_TOKENS;
    case 'cut':
      return cutTokens(block, change.cut);
  }
}

/** What a line of ours costs that says where the original stands: some 130 characters, most of them ids. */
const NOTE_TOKENS = 60;

function cutTokens(block: DraftBlock, cut: Cut): number {
  const words = block.tokens - block.image_tokens;
  const images = block.images * NOTE_TOKENS;
  if (block.longest === 0 || !isLong(block.longest, cut)) return words + images;
  const left = Math.min(1, (block.characters - block.longest + cut.head + cut.tail) / block.characters);
  return Math.round(words * left) + NOTE_TOKENS + images;
}

export type TokensByCategory = Record<Category, number>;

export function tokensBy(draft: Draft, ofText: (text: string) => number): TokensByCategory {
  const sums = Object.fromEntries(CATEGORIES.map((category) => [category, 0])) as TokensByCategory;
  for (const { blocks } of draft.messages)
    for (const block of blocks) sums[categoryAfter(block)] += tokensAfter(block, ofText);
  if (draft.summary !== null) sums.summaries += draft.summary.tokens;
  return sums;
}

/** A note in place of a call is the agent's word. */
function categoryAfter({ change, category }: DraftBlock): Category {
  return change?.to === 'note' && category === 'tool calls' ? 'replies' : category;
}

/** The draft with other blocks; a message of which nothing is left goes. */
export function withBlocks(
  draft: Draft,
  changeOf: (block: DraftBlock, message: DraftMessage, place: number) => BlockChange | null | undefined,
): Draft {
  const messages = draft.messages.map((message, place) => {
    let touched = false;
    const blocks = message.blocks.map((block) => {
      const change = changeOf(block, message, place);
      if (change === undefined) return block;
      touched = true;
      return { ...block, change };
    });
    return touched ? { ...message, blocks } : message;
  });
  return { ...draft, messages: messages.filter(isLeft) };
}

function isLeft({ blocks }: DraftMessage): boolean {
  return blocks.some((block) => block.change?.to !== 'nothing');
}
