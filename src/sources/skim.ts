// Lines of 100 MB exist: a screenshot in base64, a whole history copied into one row.
// They are never parsed whole. This walks over the bytes once, in chunks, and gives the
// same JSON with every very long string replaced by `{"omitted_bytes":…,"offset":…}`.

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Strings up to so many bytes stay, the less the more has been kept: a line of 60 MB may be one screenshot, or a whole
 * history of thousands of messages. Ids stay in any case.
 */
const KEEP_BYTES = [
  { kept: 2 * 1024 * 1024, longest: 64 * 1024 },
  { kept: 8 * 1024 * 1024, longest: 512 },
  { kept: Number.POSITIVE_INFINITY, longest: 64 },
];

export interface Skimmer {
  /** Takes the next bytes of the line; `at` is where in the file they begin. */
  take(chunk: Buffer, at: number): void;
  /** The shortened JSON text. */
  end(): string;
}

export function skimmer(): Skimmer {
  const out: string[] = [];
  let inString = false;
  let escaped = false;
  let stringAt = 0;
  let stringBytes = 0;
  let held: Buffer[] = [];
  let kept = 0;
  let longest = 0;

  return {
    take(chunk, at) {
      let from = 0;
      for (let i = 0; i < chunk.length; i++) {
        const byte = chunk[i];
        if (!inString) {
          if (byte !== QUOTE) continue;
          push(chunk.toString('utf8', from, i + 1));
          inString = true;
          longest = KEEP_BYTES.find((step) => kept < step.kept)?.longest ?? 0;
          stringAt = at + i + 1;
          stringBytes = 0;
          held = [];
          from = i + 1;
        } else if (escaped) {
          escaped = false;
        } else if (byte === BACKSLASH) {
          escaped = true;
        } else if (byte === QUOTE) {
          hold(chunk, from, i);
          closeString();
          from = i + 1;
        }
      }
      if (inString) hold(chunk, from, chunk.length);
      else push(chunk.toString('utf8', from));
    },
    end() {
      if (inString) out.push(...held.map((piece) => piece.toString('utf8')));
      return out.join('');
    },
  };

  function push(text: string): void {
    out.push(text);
    kept += text.length;
  }

  function hold(chunk: Buffer, from: number, to: number): void {
    stringBytes += to - from;
    if (stringBytes <= longest) held.push(Buffer.from(chunk.subarray(from, to)));
    else held = [];
  }

  function closeString(): void {
    inString = false;
    if (stringBytes <= longest) {
      push(Buffer.concat(held).toString('utf8'));
      out.push('"');
      return;
    }
    // The opening quote is the last character of the last piece: take it back.
    const opening = out.pop() ?? '';
    out.push(opening.slice(0, -1), `{"omitted_bytes":${stringBytes},"offset":${stringAt}}`);
  }
}
