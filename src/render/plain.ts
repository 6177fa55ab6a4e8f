// Text from a history, made safe and short for one line of a terminal.

const LINE_LENGTH = 160;

/** One line of printable text: transcripts hold control sequences that must not reach a terminal. */
export function plain(text: string, length: number = LINE_LENGTH): string {
  const line = printable(text).replace(/\s+/g, ' ').trim();
  return line.length <= length ? line : `${line.slice(0, length - 1)}…`;
}

/**
 * The text without control characters, line feeds and tabs kept. Whole sequences go (colours, titles, links), and so do the
 * marks that turn the direction of writing: with them a text can look like another.
 */
export function printable(text: string): string {
  return text.includes('\r') ? safe(text.replace(/\r\n?/g, '\n')) : safe(text);
}

function safe(text: string): string {
  return text.replace(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
    /\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b\[[0-9;?]*[ -/]*[@-~]|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    '',
  );
}
