// Text of messages, made plain and cut into sentences.

/** Longest sentence worth weighing: what is longer is data that somebody pasted. */
const LONGEST = 1200;

// Colours of terminals, and control characters that no reader can see.
const ESCAPE = String.fromCharCode(0x1b);
const BELL = String.fromCharCode(0x07);
const ANSI = new RegExp(
  `${ESCAPE}(?:\\[[0-9;?]*[ -/]*[@-~]|\\][^${BELL}${ESCAPE}]*(?:${BELL}|${ESCAPE}\\\\)?|[@-_])`,
  'g',
);
const UNSEEN = /[\p{Cc}\p{Bidi_Control}\u200b\ufeff]/gu;
/** Without colours, control characters and broken halves of characters. */
export function plainText(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(ANSI, '')
    .replace(UNSEEN, (unseen) => (unseen === '\n' || unseen === '\t' ? unseen : ''))
    .toWellFormed();
}

/** What somebody said, without what the client put around it. */
export function saidText(text: string): string {
  return withoutAdded(plainText(text)).trim();
}

// Clients wrap what they add to a message in tags such as <system-reminder> or <environment_context>; nobody said that.
const TAG = /<(\/?)([a-z]+[-_][a-z_-]+)(?:\s[^<>]*)?>/g;

/** Walks the tags once: to look for each closing tag anew would take hours in a text full of open ones. */
function withoutAdded(text: string): string {
  const tags = [...text.matchAll(TAG)];
  const lastClosing = new Map(tags.filter(([, slash]) => slash === '/').map((tag) => [tag[2], tag.index]));
  let kept = '';
  let from = 0;
  let inside: string | undefined;
  for (const tag of tags) {
    const [whole, slash, name] = tag;
    if (inside === undefined && slash === '' && (lastClosing.get(name) ?? -1) > tag.index) {
      kept += `${text.slice(from, tag.index)} `;
      inside = name;
    } else if (inside === name && slash === '/') {
      from = tag.index + whole.length;
      inside = undefined;
    }
  }
  return kept + text.slice(from);
}

/** On one line. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** At most this long, cut at a word, with a sign that it was cut. */
export function clip(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = text.slice(0, Math.max(1, most - 1));
  const space = head.lastIndexOf(' ');
  return `${(space > most * 0.6 ? head.slice(0, space) : head)
    .toWellFormed()
    .replace(/\ufffd$/, '')
    .trimEnd()}…`;
}

const FENCE = /^\s*(?:```|~~~)/;
const LIST = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+/;
const HEADING = /^\s*(?:#{1,6}\s|\*\*[^*]{1,80}\*\*:?\s*$)/;
/** A link to a file: the text names it, the address only repeats where the project lies. */
const FILE_LINK = /\[([^\]\n]{1,200})\]\((?!https?:)[^)\s]{1,400}\)/g;
const TABLE_RULE = /^\s*\|?[\s:|-]+\|[\s:|-]*$/;

/** Sentences in order. Code in fences is left out; a lead-in ("The cause:") goes with what it leads to. */
export function sentencesOf(text: string): string[] {
  return paragraphsOf(text).flatMap(splitSentences);
}

function paragraphsOf(text: string): string[] {
  const paragraphs: string[] = [];
  let heading = '';
  let fenced = false;
  let open = false;
  for (const whole of text.split('\n')) {
    const line = whole.length > LONGEST * 4 ? `${whole.slice(0, LONGEST * 4)}…` : whole;
    const bare = bareLine(line);
    if (FENCE.test(line)) fenced = !fenced;
    if (FENCE.test(line) || fenced || bare === '') {
      open = false;
      continue;
    }
    const last = paragraphs.at(-1) ?? '';
    const row = line.trimStart().startsWith('|');
    if (line.length < 500 && TABLE_RULE.test(line)) {
      // The row above the rule only names the columns.
      if (open) paragraphs.pop();
      open = false;
    } else if (HEADING.test(line)) {
      heading = bare.replace(/^\*\*|\*\*:?$|:$/g, '');
      open = false;
    } else if (goesOn(last, bare, open && !row && !LIST.test(line)) && !row && heading === '') {
      paragraphs[paragraphs.length - 1] = `${last} ${bare}`;
      open = true;
    } else {
      paragraphs.push(heading === '' || heading.length + bare.length > 320 ? bare : `${heading}: ${bare}`);
      heading = '';
      open = true;
    }
  }
  return paragraphs.filter((paragraph) => /[\p{L}\p{N}]/u.test(paragraph));
}

/** A line without the marks of lists, headings, quotes and tables. */
function bareLine(line: string): string {
  const bare = oneLine(
    line
      .replace(LIST, '')
      .replace(FILE_LINK, '$1')
      .replace(/^\s*(?:#{1,6}\s|>)\s*/, ''),
  );
  return bare.startsWith('|') ? bare.replace(/^\|\s*|\s*\|$/g, '').replaceAll(' | ', ' · ') : bare;
}

/** Whether a line belongs to the paragraph before it: wrapped lines do, and what a lead-in ("The cause:") leads to. */
function goesOn(last: string, bare: string, wrapped: boolean): boolean {
  return (wrapped && last.length < LONGEST * 4) || (last.endsWith(':') && last.length + bare.length < 320);
}

const END = /(?:[.!?…]+["'”’)\]*_`]*\s+|[。！？]+)/g;
const ABBREVIATION = /(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|mr|mrs|dr|no|fig|incl|resp)|\b[A-Za-z])\.\s+$/i;
/** A sentence that begins so leans on the one before it. */
const LEANS =
  /^(?:that|this|it|otherwise|therefore|hence|because|which|without|if not|so|the (?:reason|alternative))\b/i;

function splitSentences(paragraph: string): string[] {
  const pieces: string[] = [];
  let from = 0;
  for (const match of paragraph.matchAll(END)) {
    const to = match.index + match[0].length;
    const piece = paragraph.slice(from, to);
    if (ABBREVIATION.test(piece)) continue;
    pieces.push(piece.trim());
    from = to;
  }
  pieces.push(paragraph.slice(from).trim());
  return joined(pieces.filter((piece) => piece !== '').map((piece) => piece.slice(0, LONGEST)));
}

/** Short exclamations go with what follows, leaning sentences with what came before: alone they say nothing. */
function joined(pieces: string[]): string[] {
  const result: string[] = [];
  for (const piece of pieces) {
    const last = result.at(-1);
    const belongs = last !== undefined && (last.length < 25 || LEANS.test(piece)) && last.length + piece.length < 360;
    if (belongs) result[result.length - 1] = `${last} ${piece}`;
    else result.push(piece);
  }
  return result;
}

/** What must not be lost of a text even if its sentences are: addresses, paths, versions, quoted code. */
const LITERAL =
  /https?:\/\/[^\s<>"')\]]+|`[^`\n]{2,80}`|(?:~|\.{0,2})?\/?(?:[\w.@-]+\/)+[\w.@-]*\w|\b[\w-]+\.(?:[cm]?[jt]sx?|py|go|rs|rb|java|md|ya?ml|toml|json|sql|sh)\b|\bv?\d+\.\d+(?:\.\d+)?\b|#\d+\b/g;

export function literalsOf(text: string, most: number): string[] {
  const found = new Set<string>();
  for (const [literal] of text.slice(0, 8000).matchAll(LITERAL)) {
    if (literal.length <= 160) found.add(literal.replace(/^`|`$/g, '').trim());
    if (found.size >= most) break;
  }
  return [...found];
}
