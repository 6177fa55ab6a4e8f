import { z } from 'zod';

/** Any JSON value, as the agent wrote it. */
export const json = z.json();
export type Json = z.infer<typeof json>;

/** Where a thing lies: a row of a file of `session.source.files`, and a JSON pointer into the row where it is a part of it. */
export const sourceRef = z.strictObject({
  file: z.int().min(0),
  line: z.int().min(1),
  offset: z.int().min(0),
  length: z.int().min(0),
  pointer: z.string().nullable(),
});
export type SourceRef = z.infer<typeof sourceRef>;

/** A string too large to carry along: how many bytes it has between its quotes, and where they begin in the file. */
const omitted = z.strictObject({ omitted_bytes: z.int().min(0), offset: z.int().min(0) });

const text = z.union([z.string(), omitted]);
export type Text = z.infer<typeof text>;

const textPart = z.strictObject({ type: z.literal('text'), text });
const imagePart = z.strictObject({
  type: z.literal('image'),
  media_type: z.string().nullable(),
  data: text.nullable(),
  url: z.string().nullable(),
});
const unknownPart = z.strictObject({ type: z.literal('unknown'), native_type: z.string().nullable(), data: json });

/** What a tool result is made of. */
const resultPart = z.discriminatedUnion('type', [textPart, imagePart, unknownPart]);
export type ResultPart = z.infer<typeof resultPart>;

// Every block says where it lies, and which event took its content out of the context while the message stayed.
const place = { source: sourceRef.nullable(), cleared_by: z.string().nullable() };

export const block = z.discriminatedUnion('type', [
  textPart.extend(place),
  z.strictObject({
    type: z.literal('thinking'),
    text: text.nullable(),
    subject: z.string().nullable(),
    signature: text.nullable(),
    encrypted: text.nullable(),
    ...place,
  }),
  z.strictObject({ type: z.literal('tool_use'), id: z.string().nullable(), name: z.string(), input: json, ...place }),
  z.strictObject({
    type: z.literal('tool_result'),
    tool_use_id: z.string().nullable(),
    is_error: z.boolean(),
    content: z.array(resultPart),
    details: json,
    ...place,
  }),
  imagePart.extend(place),
  z.strictObject({
    type: z.literal('attachment'),
    name: z.string(),
    text: text.nullable(),
    data: json,
    ...place,
  }),
  unknownPart.extend(place),
]);
export type Block = z.infer<typeof block>;
