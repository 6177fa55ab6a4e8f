// How figures, names and tables are shown. Apart from the rest of the library, which takes longer to load than most answers take.

export { bar } from './render/bar.ts';
export { ago, amount, counted, dayAndTime, dayOf, dollars, size, tokens } from './render/measures.ts';
export { plain, printable } from './render/plain.ts';
export { type Paint, painter, type Tone } from './render/style.ts';
export { usageCsv } from './render/usage-csv.ts';
export { cut, cutStart, fit, type Span, widthOf, wrapSpans, wrapText } from './render/width.ts';
export { jsonText } from './schema/json-text.ts';
