// Text from a history, made safe and short for one line of a terminal.

const LINE_LENGTH = 160;

/** One line of printable text: transcripts hold control sequences that must not reach a terminal. */
export function plain(text: string, length: number = LINE_LENGTH): string {
  const line = printable(text).replace(/\s+/g, ' ').trim();
  return line.length <= length ? line : `${line.slice(0, length - 1)}…`;
}

/** The text without control characters, line feeds and tabs kept. */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  return text.replace(/\u001b\[[0-9;?]*[ -/]*[@-~]|[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '');
}
