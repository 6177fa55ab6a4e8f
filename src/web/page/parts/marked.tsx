import { visible } from './visible.ts';

/** Text in pieces, of which every second one is a hit. */
export function Marked({ pieces }: { pieces: readonly string[] }) {
  return <>{pieces.map((piece, i) => (i % 2 === 1 ? <mark key={i}>{visible(piece)}</mark> : visible(piece)))}</>;
}
