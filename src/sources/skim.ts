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
  { kept: 1024 * 1024, longest: 64 * 1024 },
  { kept: 4 * 1024 * 1024, longest: 512 },
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
  let kept = 0;
  let inString = false;
  /** The string at hand began in an earlier chunk; not even its opening quote was written. */
  let crosses = false;
  /** Where the string at hand begins in the file, how many of its bytes earlier chunks had, and how many may stay. */
  let stringAt = 0;
  let stringBytes = 0;
  let longest = 0;
  /** Those bytes, as long as they may stay. */
  let held: Buffer[] = [];
  /** Backslashes at the end of the last chunk. */
  let slashes = 0;

  return {
    take(chunk, at) {
      let from = 0; // from here on nothing was written yet
      let begin = 0; // where the string at hand begins in this chunk
      for (let quote = chunk.indexOf(QUOTE); quote !== -1; quote = chunk.indexOf(QUOTE, quote + 1)) {
        if (!inString) {
          inString = true;
          begin = quote + 1;
          stringAt = at + begin;
          longest = longestNow(quote - from);
        } else if (slashesBefore(chunk, quote, begin) % 2 === 0) {
          const length = crosses ? stringBytes + quote : quote - begin;
          if (length > longest) {
            if (!crosses) push(chunk.toString('utf8', from, begin - 1));
            push(`{"omitted_bytes":${length},"offset":${stringAt}}`);
            from = quote + 1;
          } else if (crosses) {
            push(`"${Buffer.concat([...held, chunk.subarray(0, quote)]).toString('utf8')}"`);
            from = quote + 1;
          }
          inString = false;
          crosses = false;
        }
      }
      endChunk(chunk, from, begin);
    },
    end() {
      // A line that was cut inside a string is no JSON, whatever we give.
      if (inString) push(`"${Buffer.concat(held).toString('utf8')}`);
      return out.join('');
    },
  };

  function push(text: string): void {
    out.push(text);
    kept += text.length;
  }

  function longestNow(unwritten: number): number {
    return KEEP_BYTES.find((step) => kept + unwritten < step.kept)?.longest ?? 0;
  }

  /** How many backslashes stand before a place in a string: an even number means nothing. */
  function slashesBefore(chunk: Buffer, place: number, begin: number): number {
    let at = place;
    while (at > begin && chunk[at - 1] === BACKSLASH) at--;
    return place - at + (crosses && at === 0 ? slashes : 0);
  }

  function endChunk(chunk: Buffer, from: number, begin: number): void {
    if (!inString) {
      push(chunk.toString('utf8', from));
      return;
    }
    slashes = slashesBefore(chunk, chunk.length, begin);
    if (!crosses) {
      push(chunk.toString('utf8', from, begin - 1));
      held = [];
      stringBytes = 0;
      crosses = true;
    }
    stringBytes += chunk.length - begin;
    if (stringBytes <= longest) held.push(Buffer.from(chunk.subarray(begin)));
    else held = [];
  }
}
