import { counted, isWrong, type NativeFault } from '../../index.ts';
import { chooseOne } from '../choose.ts';
import { fail } from '../failure.ts';
import { say, writeAll, writeJson } from '../output.ts';
import { shellWord } from '../places.ts';
import { canBeRepaired, withoutMain } from '../resume-line.ts';

/** The file of a session against what its client needs to go on with it. */
export function validateNative(file: string, flags: { json?: boolean }): void {
  const { family } = chooseOne(file, {});
  if (!family.hasMain) fail(withoutMain(family));
  const report = family.check();
  const unknown = `What the client of ${file} needs is not known: it can only be read.`;
  if (report === null) fail(unknown);
  const { sent, of, faults } = report;
  if (flags.json === true) writeJson('native-validation', { sent, of, faults });
  else writeAll(faults.map((fault) => `${placeOf(fault)}${fault.effect}: ${fault.message}\n`));
  const wrong = faults.filter(isWrong);
  const repair = canBeRepaired(family, faults) ? ` A repaired copy: pal doctor ${shellWord(file)} --fix` : '';
  if (wrong.length > 0) fail(`${counted(wrong.length, 'fault')}.${repair}`);
  if (sent === null) fail(unknown);
  if (flags.json !== true) say(`A resume would send ${sent} of ${of} messages.`);
}

function placeOf({ source, message }: NativeFault): string {
  return source === null || message.startsWith('Line ') ? '' : `line ${source.line}: `;
}
