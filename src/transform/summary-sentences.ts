// Text made plain, put on one line and cut to a length.

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

/** The end of a text, cut at a word, with a sign that it was cut. */
export function clipStart(text: string, most: number): string {
  if (text.length <= most) return text;
  const tail = text.slice(2 - most);
  const space = tail.indexOf(' ');
  return `… ${(space !== -1 && space < most * 0.4 ? tail.slice(space) : tail)
    .toWellFormed()
    .replace(/^\ufffd/, '')
    .trimStart()}`;
}

/** As code in Markdown, whatever signs are in it. */
export function code(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return longest === 0 ? `\`${text}\`` : `${fence} ${text} ${fence}`;
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
