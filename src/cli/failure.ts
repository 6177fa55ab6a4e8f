/** The user's mistake, or nothing found: one clear message, no stack, exit code 1. */
export class UserError extends Error {}

export function fail(message: string): never {
  throw new UserError(message);
}
