// A command that stands first is described alone: it says the same of itself.

import { expect, test } from 'vitest';
import { program } from '../src/cli/program.ts';

const all = program('1.2.3').commands.map((command) => [command.name(), command.helpInformation()]);

test.each(all)('%s', (name = '', help) => {
  const alone = program('1.2.3', name).commands.map((command) => [command.name(), command.helpInformation()]);
  expect(alone).toEqual([[name, help]]);
});
