// A unified diff as pairs of lines.

export interface Side {
  number: number | null;
  text: string;
  kind: 'same' | 'less' | 'more' | 'none';
}

type Pair = [Side, Side] | [null, null];

/** Lines that went and came together stand beside one another. */
export function diffRows(diff: string): Pair[] {
  const rows: Pair[] = [];
  let [old, now] = [1, 1];
  let isBegun = false;
  let [less, more]: [Side[], Side[]] = [[], []];
  const flush = () => {
    for (let i = 0; i < Math.max(less.length, more.length); i++) rows.push([less[i] ?? NONE, more[i] ?? NONE]);
    [less, more] = [[], []];
  };
  for (const line of diff.split('\n')) {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line);
    if (hunk !== null) {
      flush();
      isBegun = true;
      if (rows.length > 0) rows.push([null, null]);
      [old, now] = [Number(hunk[1]), Number(hunk[2])];
    } else if (!isBegun || line.startsWith('\\')) continue;
    else if (line.startsWith('-')) less.push({ number: old++, text: line.slice(1), kind: 'less' });
    else if (line.startsWith('+')) more.push({ number: now++, text: line.slice(1), kind: 'more' });
    else if (line.startsWith(' ')) {
      flush();
      const text = line.slice(1);
      rows.push([
        { number: old++, text, kind: 'same' },
        { number: now++, text, kind: 'same' },
      ]);
    }
  }
  flush();
  return rows;
}

const NONE: Side = { number: null, text: '', kind: 'none' };
