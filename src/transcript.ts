// A session as a page to read. Apart from the rest of the library, because it loads a Markdown parser.

export { type Paint, painter, type Tone } from './render/style.ts';
export { settledUntil, type TranscriptOptions, transcript, transcriptHeading } from './render/transcript.ts';
