// A unified diff as rows: lines beside one another, a heading for each file, a gap between two pieces of one.

export interface Side {
  number: number | null;
  text: string;
  kind: 'same' | 'less' | 'more' | 'none';
}

export type DiffRow = { kind: 'file'; name: string } | { kind: 'gap' } | { kind: 'lines'; left: Side; right: Side };

/** Lines that went and came together stand beside one another. */
export function diffRows(diff: string): DiffRow[] {
  const rows: DiffRow[] = [];
  let [old, now]: [Coming, Coming] = [NOTHING, NOTHING];
  let file: string | undefined;
  let [less, more]: [Side[], Side[]] = [[], []];
  const flush = () => {
    for (let i = 0; i < Math.max(less.length, more.length); i++)
      rows.push({ kind: 'lines', left: less[i] ?? NONE, right: more[i] ?? NONE });
    [less, more] = [[], []];
  };
  const lines = diff.split('\n');
  lines.forEach((line, i) => {
    // A line that went may look like a heading: only where all lines of a piece have come there is one.
    const isInside = old.left > 0 || now.left > 0;
    const hunk = isInside ? null : HUNK.exec(line);
    const name = isInside ? undefined : fileName(line, lines[i + 1]);
    if (hunk !== null) {
      flush();
      if (rows.at(-1)?.kind === 'lines') rows.push({ kind: 'gap' });
      old = { number: Number(hunk[1]), left: Number(hunk[2] ?? 1) };
      now = { number: Number(hunk[3]), left: Number(hunk[4] ?? 1) };
    } else if (name !== undefined) {
      flush();
      [old, now] = [NOTHING, NOTHING];
      // Pieces of one file may come with its name each time.
      if (name !== file) rows.push({ kind: 'file', name });
      file = name;
    } else if (old === NOTHING || line.startsWith('\\')) return;
    else if (line.startsWith('-')) less.push({ number: take(old), text: line.slice(1), kind: 'less' });
    else if (line.startsWith('+')) more.push({ number: take(now), text: line.slice(1), kind: 'more' });
    else if (isInside || line.startsWith(' ')) {
      flush();
      const side = (coming: Coming): Side => ({ number: take(coming), text: line.slice(1), kind: 'same' });
      rows.push({ kind: 'lines', left: side(old), right: side(now) });
    }
  });
  flush();
  return rows;
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;
const NONE: Side = { number: null, text: '', kind: 'none' };

/** The number of the line that comes next on a side, and how many are still to come. */
interface Coming {
  number: number;
  left: number;
}

/** No piece has begun. */
const NOTHING: Coming = { number: 0, left: 0 };

function take(coming: Coming): number {
  coming.left--;
  return coming.number++;
}

/** From the two lines above the pieces of a file: one that is new, gone or moved is said to be. */
function fileName(old: string, now: string | undefined): string | undefined {
  if (!old.startsWith('--- ') || now?.startsWith('+++ ') !== true) return undefined;
  const [from, to] = [pathIn(old), pathIn(now)];
  if (from === '/dev/null') return `${to} (new)`;
  if (to === '/dev/null') return `${from} (deleted)`;
  return from === to ? to : `${from} → ${to}`;
}

/** Behind a tab there may be a word more. */
function pathIn(heading: string): string {
  return heading.slice(4).split('\t')[0] ?? '';
}
