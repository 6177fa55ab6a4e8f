// Text as it is, with nothing in it that is not seen: escape sequences of terminals, and letters that turn the direction of
// writing around, could make a reader see something else than what is there.

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is about
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
const TURNING = /[\u200e\u200f\u202a-\u202e\u2066-\u2069\u061c]/g;
const UNSEEN = /[\u200b\u2060\ufeff\u00ad\u{e0000}-\u{e007f}]/gu;

export function visible(text: string): string {
  return text.replace(CONTROLS, picture).replace(TURNING, named).replace(UNSEEN, named);
}

function picture(character: string): string {
  const code = character.charCodeAt(0);
  if (code === 0x0d) return '';
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? '␡' : named(character);
}

function named(character: string): string {
  return `⟨${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`;
}
