// Who ended it? Refusal, stop, or neither.
//
// Up to 2.1.110 a stopped tool says so in its result. From 2.1.2xx on it gets the very sentence
// of a refusal, and two things tell them apart (2.1.325, fixtures i_interrupt and i_reject):
// the marker row of a stop names the interrupted message, and the marker row of a refusal has a
// `turn_duration` row below it. Where neither is there, we say what else it could be.

import type { SourceRef } from '../../schema/blocks.ts';
import type { OutlineMessage, Signal } from '../../schema/outline.ts';
import { type JsonObject, objectAt, stringAt } from '../json-access.ts';
import type { Calls } from './calls.ts';
import { rowSignal, signalAt } from './row-signal.ts';
import { textOf, timeOf } from './rows.ts';
import { type Marker, markerIn, type ResultVerdict } from './signals.ts';

interface ResultSeen {
  row: JsonObject;
  ref: SourceRef;
  index: number;
  tool_use_id: string;
  verdict: ResultVerdict;
  caller: number | null;
}

interface MarkerSeen {
  ref: SourceRef;
  index: number;
  uuid: string;
  timestamp: string | null;
  marker: Marker;
  names: string | undefined;
  byShutdown: boolean;
}

export class Stops {
  private readonly messages: readonly OutlineMessage[];
  private readonly results: ResultSeen[] = [];
  private readonly markers: MarkerSeen[] = [];
  /** Turns that the client ended, and said so. */
  private readonly ended: Signal[] = [];
  /** Rows on which the client noted how long a turn took. */
  readonly endedTurns = new Set<string>();
  /** `message.id` of the API → message. */
  private readonly replies: ReadonlyMap<string, number>;
  private readonly calls: Calls;
  /** Messages that a cleared context begins with. */
  private readonly begun: ReadonlySet<number>;
  /** Plans that were accepted with a cleared context, by call: see clears.ts. */
  readonly accepted = new Set<string>();

  constructor(
    messages: readonly OutlineMessage[],
    replies: ReadonlyMap<string, number>,
    calls: Calls,
    begun: ReadonlySet<number>,
  ) {
    this.messages = messages;
    this.replies = replies;
    this.calls = calls;
    this.begun = begun;
  }

  result(seen: ResultSeen): void {
    // Only what the verdicts need is kept of the row: text can be long.
    this.results.push({
      ...seen,
      row: {
        toolDenialKind: seen.row.toolDenialKind ?? null,
        entrypoint: seen.row.entrypoint ?? null,
        uuid: seen.row.uuid ?? null,
        version: seen.row.version ?? null,
        timestamp: seen.row.timestamp ?? null,
      },
    });
  }

  marker(row: JsonObject, ref: SourceRef, index: number): void {
    this.markers.push({
      ref,
      index,
      uuid: stringAt(row, 'uuid') ?? `line-${ref.line}`,
      timestamp: timeOf(row),
      marker: markerIn(textOf(row)) ?? 'response',
      names: stringAt(row, 'interruptedMessageId'),
      byShutdown: row.interruptedByShutdown === true || markerIn(textOf(row)) === 'ended',
    });
  }

  /** A hook before or after a call ended the turn (2.1.325); one that runs when the agent is done ends nothing. */
  hook(row: JsonObject, ref: SourceRef, index: number): void {
    const attachment = objectAt(row, 'attachment');
    const isAtCall = /^(Pre|Post)ToolUse/.test(stringAt(attachment, 'hookEvent') ?? '');
    if (stringAt(attachment, 'type') !== 'hook_stopped_continuation' || !isAtCall) return;
    this.ended.push({
      name: 'turn-interrupted',
      ...rowSignal(row, ref, index),
      type: 'system',
      target: 'response',
      tool_use_ids: [],
      interrupted_message_index: null,
      partial_output: null,
    });
  }

  turnEnded(parent: string | undefined): void {
    if (parent !== undefined) this.endedTurns.add(parent);
  }

  settle(): Signal[] {
    const signals: Signal[] = [...this.ended];
    const used = new Set<MarkerSeen>();
    const namesMessages = this.markers.some((marker) => marker.names !== undefined);
    for (const step of this.steps()) {
      const marker = this.markerAfter(step);
      signals.push(...this.settleStep(step, marker, { used, namesMessages }));
    }
    for (const marker of this.markers) if (!used.has(marker)) signals.push(this.stopOfMarker(marker, []));
    return signals;
  }

  /** Results of the calls of one message, in the order of the calls. */
  private steps(): ResultSeen[][] {
    if (this.results.length === 0) return [];
    const steps = new Map<string, ResultSeen[]>();
    for (const result of this.results) {
      const key = result.caller === null ? `alone ${result.tool_use_id}` : String(result.caller);
      steps.set(key, [...(steps.get(key) ?? []), result]);
    }
    const place = this.calls.places();
    return [...steps.values()].map((step) =>
      step.sort((a, b) => (place.get(a.tool_use_id) ?? 0) - (place.get(b.tool_use_id) ?? 0)),
    );
  }

  /** The marker that names the message of a step's calls; else the one that follows their results before anything else is said. */
  private markerAfter(step: ResultSeen[]): MarkerSeen | undefined {
    const caller = step[0]?.caller ?? null;
    // Words that waited may stand between the results and the marker, and results behind it: rows are not written in the order of what happened.
    const naming = this.markers.find(({ names }) => names !== undefined && this.replies.get(names) === caller);
    if (naming !== undefined) return naming;
    const last = Math.max(...step.map((result) => result.index));
    for (let index = last + 1; index < this.messages.length; index++) {
      const kind = this.messages[index]?.kind;
      if (kind === 'interruption') return this.markers.find((marker) => marker.index === index);
      if (kind !== 'tool_result' && kind !== 'meta' && kind !== 'notice') return undefined;
    }
    return undefined;
  }

  private settleStep(
    step: ResultSeen[],
    marker: MarkerSeen | undefined,
    about: { used: Set<MarkerSeen>; namesMessages: boolean },
  ): Signal[] {
    const signals: Signal[] = [];
    const stopped = step.filter((result) => result.verdict.what === 'stopped');
    const ended = step.filter((result) => result.verdict.what === 'ended');
    // Calls that fell with another; those that never ran for want of another's success fell with nobody's no.
    const fell = step.filter(({ verdict }) => verdict.what === 'cancelled' && verdict.fellWith === 'refusal');
    const refused = step.filter((result) => result.verdict.what === 'refused');
    const reasoned = refused.filter(isTold);
    const quiet = refused.filter((result) => !isTold(result));
    const silent = quiet.filter((result) => !this.isAccepted(result, marker));
    for (const result of quiet) if (!silent.includes(result)) this.accepted.add(result.tool_use_id);
    if (marker !== undefined && silent.length < quiet.length) about.used.add(marker);
    for (const result of step) if (result.verdict.what === 'denied') signals.push(this.denied(result));
    for (const result of reasoned) signals.push(this.declined(result, [], null, certaintyOfTold(result)));
    // A call that told how it got on was running, and nobody was asked about it any more (2.1.45, wild: a subagent).
    const ran = silent.flatMap((result) => this.calls.progressOf(result.tool_use_id) ?? []);
    const running =
      silent.length > 0 &&
      (marker?.names !== undefined || silent.every(isHeadless) || ran.length > 0) &&
      !silent.some((result) => this.onlyAsks(result));
    if (silent.length > 0 && !running) {
      const first = this.askedFirst(silent, marker);
      const others = [...silent.filter((result) => result !== first), ...fell];
      signals.push(this.declined(first, others, marker, this.certainty(first, marker, about)));
      if (marker !== undefined && marker.marker === 'tool') about.used.add(marker);
    }
    const halted = [...stopped, ...(running ? silent : [])];
    if (halted.length > 0 || (fell.length > 0 && marker !== undefined && !about.used.has(marker))) {
      const stop =
        marker === undefined
          ? this.stopOfResults(halted)
          : this.stopOfMarker(marker, halted.length > 0 ? halted : fell);
      // Seen from 2.1.159 on, when `toolDenialKind` was not yet written: what a marker that names a message means there is not known.
      const unsure = running && silent.some((result) => result.row.toolDenialKind === null);
      // A host that was asked may have refused and ended the turn at once: the same rows (2.1.325, recording `sdk-stops`).
      const byHost =
        running && marker?.names === undefined && ran.length === 0 && silent.some((one) => this.mayAsk(one));
      const confidence = ran.length > 0 || (byHost && !unsure) ? 'medium' : 'low';
      const evidence = [...stop.evidence, ...ran];
      signals.push(unsure || byHost ? { ...stop, confidence, could_be: 'rejection', evidence } : stop);
      if (marker !== undefined) about.used.add(marker);
    }
    if (ended.length > 0) signals.push(this.stopBySystem(ended));
    return signals;
  }

  /** The call that the person was asked about: where the marker is that of running calls, the one that does nothing but ask. The others fell with it. */
  private askedFirst(silent: ResultSeen[], marker: MarkerSeen | undefined): ResultSeen {
    const asks = marker?.names === undefined ? undefined : silent.find((result) => this.onlyAsks(result));
    return asks ?? (silent[0] as ResultSeen); // asked where there is one
  }

  /** A plan after which the context was cleared at once was accepted so, whatever its result says. */
  private isAccepted({ tool_use_id, index }: ResultSeen, marker: MarkerSeen | undefined): boolean {
    return this.calls.purposeOf(tool_use_id) === 'plan' && this.begun.has((marker?.index ?? index) + 1);
  }

  private certainty(
    first: ResultSeen,
    marker: MarkerSeen | undefined,
    about: { namesMessages: boolean },
  ): Pick<Signal, 'confidence' | 'could_be'> {
    // Without a word of the person it may have been a rule: a subagent in the background is asked nothing.
    if (first.verdict.what === 'refused' && first.verdict.in_agent === true)
      return { confidence: 'medium', could_be: 'denial' };
    if (this.mayGoOnElsewhere(first, marker)) return { confidence: 'medium', could_be: 'none' };
    // A no without a word ends the turn. Up to 1.0.x a command that failed is known by nothing: it may have printed the sentence.
    if (marker === undefined && /^1\./.test(stringAt(first.row, 'version') ?? '') && this.goesOn(first))
      return { confidence: 'low', could_be: 'none' };
    // Before `toolDenialKind` a stopped tool never had this sentence.
    if (first.row.toolDenialKind === null) return { confidence: 'high', could_be: null };
    if (marker !== undefined && (this.endedTurns.has(marker.uuid) || about.namesMessages))
      return { confidence: 'high', could_be: null };
    return { confidence: 'low', could_be: 'interruption' };
  }

  /** The next thing said is a reply. */
  private goesOn({ index }: ResultSeen): boolean {
    const said = this.messages.slice(index + 1).find(({ kind }) => kind !== 'meta' && kind !== 'notice');
    return said?.kind === 'reply';
  }

  /** A plan that ends its file may have been accepted, and carried out in another file with a cleared context (2.1.x). */
  private mayGoOnElsewhere({ row, tool_use_id, index }: ResultSeen, marker: MarkerSeen | undefined): boolean {
    if (this.calls.purposeOf(tool_use_id) !== 'plan' || !/^2\.[1-9]/.test(stringAt(row, 'version') ?? '')) return false;
    return !this.messages.slice((marker?.index ?? index) + 1).some(({ kind }) => kind !== 'meta' && kind !== 'notice');
  }

  private declined(
    result: ResultSeen,
    others: ResultSeen[],
    marker: MarkerSeen | null | undefined,
    certainty: Pick<Signal, 'confidence' | 'could_be'>,
  ): Signal {
    const reason = result.verdict.what === 'refused' ? result.verdict.reason : null;
    return {
      name: 'tool-declined',
      ...signalAt(result.index, result.tool_use_id, timeOf(result.row)),
      basis: isByHost(result) ? 'recorded' : 'phrase',
      ...certainty,
      evidence: [result.ref, ...others.map((other) => other.ref), ...(marker ? [marker.ref] : [])],
      tool_use_id: result.tool_use_id,
      reason,
      reason_source: reason === null ? null : 'recorded',
      also: others.map((other) => other.tool_use_id),
    };
  }

  private denied(result: ResultSeen): Signal {
    const verdict = result.verdict as Extract<ResultVerdict, { what: 'denied' }>;
    return {
      name: 'tool-denied',
      ...signalAt(result.index, result.tool_use_id, timeOf(result.row)),
      basis: verdict.basis,
      evidence: [result.ref],
      tool_use_id: result.tool_use_id,
      denied_by: verdict.by,
      message: null,
    };
  }

  private stopOfMarker(marker: MarkerSeen, halted: ResultSeen[]): Signal {
    const named = marker.names === undefined ? undefined : this.replies.get(marker.names);
    const above = this.messages
      .slice(0, marker.index)
      .findLastIndex((message) => message.kind !== 'meta' && message.kind !== 'notice');
    const replyAbove = this.messages[above]?.kind === 'reply' ? above : undefined;
    return {
      name: 'turn-interrupted',
      ...signalAt(marker.index, marker.uuid, marker.timestamp),
      basis: marker.names === undefined ? 'phrase' : 'recorded',
      evidence: [marker.ref, ...halted.map((result) => result.ref)],
      type: marker.byShutdown ? 'system' : 'user',
      target: this.targetOf(marker, halted),
      tool_use_ids: halted.map((result) => result.tool_use_id),
      interrupted_message_index: named ?? halted[0]?.caller ?? replyAbove ?? null,
      partial_output: partialOf(halted),
    };
  }

  private targetOf(marker: MarkerSeen, halted: ResultSeen[]): 'response' | 'tool' | 'agent' {
    if (marker.marker !== 'tool' && halted.length === 0) return 'response';
    return halted.some((result) => this.isAgent(result)) ? 'agent' : 'tool';
  }

  /** Rows of clients that can be asked through a host tell their mode; where all is allowed nobody is asked. */
  private mayAsk({ index }: ResultSeen): boolean {
    const told = this.messages.slice(0, index).findLast(({ extra }) => extra.permission_mode !== undefined);
    return told !== undefined && told.extra.permission_mode !== 'bypassPermissions';
  }

  /** A question or a plan waits for the person: it never runs, so it cannot be stopped while it does. */
  private onlyAsks(result: ResultSeen): boolean {
    const purpose = this.calls.purposeOf(result.tool_use_id);
    return purpose === 'question' || purpose === 'plan';
  }

  private isAgent(result: ResultSeen): boolean {
    return this.calls.purposeOf(result.tool_use_id) === 'agent';
  }

  /** A stopped call with no marker after it: the result itself is the record. */
  private stopOfResults(halted: ResultSeen[]): Signal {
    const [first] = halted as [ResultSeen];
    return {
      name: 'turn-interrupted',
      ...signalAt(first.index, first.tool_use_id, timeOf(first.row)),
      basis: first.verdict.what === 'stopped' ? first.verdict.basis : 'phrase',
      confidence: 'medium',
      // `interrupted: true` alone is also written for a command that the client stopped.
      could_be: first.verdict.what === 'stopped' && first.verdict.basis === 'recorded' ? 'none' : null,
      evidence: halted.map((result) => result.ref),
      type: 'user',
      target: halted.some((result) => this.isAgent(result)) ? 'agent' : 'tool',
      tool_use_ids: halted.map((result) => result.tool_use_id),
      interrupted_message_index: first.caller,
      partial_output: partialOf(halted),
    };
  }

  private stopBySystem(ended: ResultSeen[]): Signal {
    const [first] = ended as [ResultSeen];
    return {
      name: 'turn-interrupted',
      ...signalAt(first.index, first.tool_use_id, timeOf(first.row)),
      basis: first.verdict.what === 'ended' ? first.verdict.basis : 'phrase',
      evidence: ended.map((result) => result.ref),
      type: 'system',
      target: ended.some((result) => this.isAgent(result)) ? 'agent' : 'tool',
      tool_use_ids: ended.map((result) => result.tool_use_id),
      interrupted_message_index: first.caller,
      partial_output: null,
    };
  }
}

/** The person said something, or the client did for them: such a refusal does not end the turn, and is none of a running tool. */
function isTold({ verdict }: ResultSeen): boolean {
  return (
    verdict.what === 'refused' && (verdict.reason !== null || verdict.goes_on === true || verdict.by_host === true)
  );
}

function isByHost({ verdict }: ResultSeen): boolean {
  return verdict.what === 'refused' && verdict.by_host === true;
}

/** Whether the host asked the person or decided by itself, no row tells. */
function certaintyOfTold(result: ResultSeen): Pick<Signal, 'confidence' | 'could_be'> {
  return isByHost(result) ? { confidence: 'medium', could_be: 'denial' } : { confidence: 'high', could_be: null };
}

/** `claude -p` has nobody to ask: what looks like a refusal is a stop by a signal (2.1.325, conformance: SIGINT while a tool runs). */
function isHeadless({ row }: ResultSeen): boolean {
  return row.entrypoint === 'sdk-cli';
}

function partialOf(halted: ResultSeen[]): string | null {
  const [first] = halted;
  return first?.verdict.what === 'stopped' ? first.verdict.partial : null;
}
