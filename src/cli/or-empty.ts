import { NothingFound } from './failure.ts';
import { writeJson } from './output.ts';

interface Empty {
  json?: boolean;
  kind: string;
  value: () => unknown;
}

/** Where nothing is found, programs get an answer that is empty. What is said, and the exit code, are as for people. */
export async function orEmpty(empty: Empty, answer: () => void | Promise<void>): Promise<void> {
  try {
    await answer();
  } catch (error) {
    if (error instanceof NothingFound && empty.json === true) writeJson(empty.kind, empty.value());
    throw error;
  }
}
