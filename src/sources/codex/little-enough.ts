/** Of long texts, whoever asks only for what was said needs no more than the beginning of what nobody can read. */
export function isLittleEnough(name: string): boolean {
  return name === 'encrypted_content';
}
