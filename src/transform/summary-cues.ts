// What a sentence is worth to an agent that goes on with the work, told by the words in it.

/** Where a sentence belongs in the summary. */
export type SentenceClass = 'decided' | 'found' | 'open' | 'noted';

export interface Weighed {
  class: SentenceClass;
  score: number;
}

const QUESTION =
  /\?["'”’)*_`]*(?:\s|$)|\b(?:let me know|tell me|please (?:confirm|advise|decide|clarify)|(?:not|un)(?: |-)?(?:sure|certain|clear) (?:whether|if|which|what|how)|unclear|would you like|do you want|should i|shall i|open question|up to you)\b/i;
const OPEN =
  /\b(?:todo|to-do|fixme|remain(?:s|ing)?|still (?:need|have|has|to|open|miss\w*|fail\w*)|not (?:yet|done|finished|implemented|tested|covered|handled)|(?:have|has|did)(?: not|n't) (?:yet|been able)|haven't|hasn't|next (?:steps?|up|i|we|would|is)|(?:for|until|do \w+) later|later on|follow[- ]?ups?|pending|deferred|postponed|unfinished|unresolved|incomplete|out of scope|for now|blocked|left (?:to|for|over|undone|open)|needs? to be|outstanding|once (?:you|we|that|this))\b/i;
const CAUSE =
  /\b(?:root cause|cause[sd]?|caused by|culprit|turn(?:s|ed) out|traced|comes? from|came from|stems? from|due to|reason (?:is|was|for|why)|regression|race|deadlock|leak\w*|mismatch\w*|reproduc\w+|the (?:real )?(?:problem|issue|bug|failure|fault|error)\b[^.]{0,60}\b(?:is|was|are|were|lies|here)|found (?:it|the|that|out)|i see the (?:problem|issue)|(?:problem|issue|bug|cause)\s*:)/i;
const FAULT =
  /\b(?:errors?|exceptions?|fail(?:s|ed|ing|ures?)?|throws?|thrown|crash\w*|broken?|breaks|wrong|incorrect\w*|missing|stale|invalid|conflict\w*|undefined|null|timeouts?|timed out|panic\w*|bug|\w+(?:Error|Exception)|E[A-Z]{4,})\b/;
const DECIDE =
  /\b(?:decid\w+|decision|cho(?:se|ose|osing|sen|ice)|opt(?:ed|ing)? (?:for|to)|g(?:o|oing|oes) with|went with|settl\w+ (?:on|for)|stick(?:ing)? (?:with|to)|stay(?:s|ing)? (?:with|on)|prefer\w*|instead(?: of)?|rather than|in favou?r of|switch(?:ed|ing)? (?:to|from|the)|(?:we|i)(?:'|’)?ll (?:use|keep|take|pin)|will use|let(?:'|’)?s (?:use|keep|go|do|take)|agree[ds]?|recommend\w*|approach|trade-?off|design|(?:we|i) (?:use|used|keep|kept|want|picked|took|dropped|replaced|removed|avoided)|replac(?:ed?|ing)|dropp?(?:ed|ing)?|ruled? out|rules out|deliberate\w*|intentional\w*|on purpose|by design|convention)\b/i;
const REASON =
  /\b(?:because|since|so that|therefore|hence|thus|otherwise|given that|in order to|which means|as a result|that(?:'|’)?s why|that is why|the reason|to avoid|without (?:that|this|it)|unless|whenever|as (?:the|it|they|we|two|our|this|that|those|big|all)|so (?:it|the|we|they|every))\b/i;
const RULE =
  /\b(?:must|never|always|only|ha(?:s|ve|d) to|needs? (?:to|a|an|the)|require[sd]?|requirement|cannot|can(?:'|’)?t|can not|do(?:es)? not|don(?:'|’)?t|does(?:n(?:'|’)?t)|should(?:n(?:'|’)?t)?|shall|make sure|ensure|important\w*|note(?: that|:)|careful|caution|beware|keep in mind|remember|avoid|limit\w*|at most|at least|(?:no|not) more than|no less than|below|under|above|from now on|guarantee\w*|backwards?[- ]compatib\w+|leave|keep|stays?|not allowed|forbidden|without)\b/i;
const VERSION = /\bv?\d+\.\d+(?:\.\d+)*\b|@\^?~?\d/;
const PACKAGE =
  /\b(?:install\w*|add(?:ed|ing)?|pin(?:ned|ning)?|upgrad\w+|downgrad\w+|bump\w*|version|librar(?:y|ies)|packages?|dependenc(?:y|ies)|release)\b/i;
const LITERAL = /`[^`]+`|"[^"]{3,}"|“[^”]{3,}”|(?:[\w.-]+\/)+[\w.-]+|\b[a-z]+(?:[A-Z][a-z0-9]+)+\b|\b[a-z]+_[a-z_]+\b/;
const RUNS =
  /`[^`]*(?:\s-|=|\b(?:npm|npx|pnpm|yarn|bun|node|make|cargo|go|pytest|python3?|docker|git|mvn|gradlew?|uv|mise|bin)\b)[^`]*`/;
/** What an agent says while it works: what it will look at in the next minute. */
const NARRATION =
  /^(?:(?:ok(?:ay)?|good|great|perfect|excellent|alright|right|now|next|first|then|finally|so)[,.!:]?\s+)*(?:let me|let's (?:look|check|see|run|read|verify|view)|i(?:'|’)?ll (?:now |also |first |just )?(?:look|check|search|read|run|verify|view|update|add|fix|create|start|begin|find|examine|explore|review|write|make|implement)|i (?:need|want) to (?:look|check|see|read|find|understand)|i(?:['’]m| am) (?:now |also |just )?(?:going to|\w+ing)|looking|checking|reading|searching|running|now (?:i|the same|update|add|fix|let|run)|next i (?:look|check|read))\b/i;

/** The words that begin a correction: the person takes back what was understood or done. */
const CORRECTION =
  /^(?:no\b|nope\b|not\b|wrong|stop|wait|actually|instead|don(?:'|’)?t|do not|revert|undo|that(?:'|’)?s (?:not|wrong)|that is (?:not|wrong)|i (?:said|meant|told|asked)|please (?:don|stop|revert|undo)|but\b|forget\b)|\binstead\b|\bi meant\b|\bnot what i\b/i;

export function isCorrection(text: string): boolean {
  return CORRECTION.test(text.slice(0, 200));
}

/** Of lists and quotations: what is said comes after it. */
const MARK = /^(?:[-*+•>]|\d{1,3}[.)])\s+/;

export function isNarration(sentence: string): boolean {
  return NARRATION.test(sentence.replace(MARK, ''));
}

/** How much a sentence of a reply is worth. 0 and below: nothing. */
export function weighReply(sentence: string): Weighed {
  const marks = marksOf(sentence);
  const score = marks.total - (isNarration(sentence) ? 4 : 0);
  return { class: classOf(marks), score: Math.round(score * 10) / 10 };
}

/** How much a sentence of a prompt is worth: rules and choices most. Whatever a person says counts for something. */
export function weighPrompt(sentence: string): number {
  const marks = marksOf(sentence);
  return 1 + marks.total - Math.min(marks.open, 1) + (marks.rule > 0 ? 2 : 0);
}

interface Marks {
  question: number;
  open: number;
  found: number;
  decided: number;
  rule: number;
  total: number;
}

function marksOf(sentence: string): Marks {
  const has = (pattern: RegExp, worth: number) => (pattern.test(sentence) ? worth : 0);
  const question = has(QUESTION, 4);
  const open = has(OPEN, 3);
  const fault = has(FAULT, 1);
  const found = has(CAUSE, 3) + fault;
  const rule = has(RULE, 2);
  const version = has(VERSION, 2);
  const decided = has(DECIDE, 3) + (version > 0 ? version + has(PACKAGE, 1) : 0) + has(RUNS, 2);
  const literal = has(LITERAL, 1) + has(/\d/, 0.5) + (sentence.length > 60 ? 0.5 : 0);
  const reason = has(REASON, 2);
  return { question, open, found, decided, rule, total: question + open + found + decided + rule + reason + literal };
}

function classOf(marks: Marks): SentenceClass {
  const { question, open, found, decided, rule } = marks;
  if (question > 0 || (open > 0 && open >= found && open >= decided)) return 'open';
  if (found >= 2 && found >= decided) return 'found';
  if (decided + rule > 0) return 'decided';
  return found > 0 ? 'found' : 'noted';
}
