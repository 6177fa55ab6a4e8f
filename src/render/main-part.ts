import { jsonText } from '../schema/json-text.ts';

/** Of what a call was asked, the part that tells most: the first short text in it. */
export function mainPart(input: unknown): string {
  if (typeof input === 'string') return input;
  if (typeof input !== 'object' || input === null) return '';
  const values = Object.values(input);
  const texts = values.map((value) =>
    Array.isArray(value) && value.length > 0 && value.every((part) => typeof part === 'string')
      ? value.join(' ')
      : value,
  );
  const short = texts.find((value) => typeof value === 'string' && value !== '' && value.length <= 300);
  const any = texts.find((value) => typeof value === 'string' && value !== '');
  const found = short ?? any;
  return typeof found === 'string' ? found : values.length === 0 ? '' : jsonText(input);
}
