/** The user's mistake, or nothing found: one clear message, no stack, exit code 1. */
export class UserError extends Error {}

/** What was asked for is understood, and there is nothing of it. */
export class NothingFound extends UserError {}

export function nothing(message: string): never {
  throw new NothingFound(message);
}

export function fail(message: string): never {
  throw new UserError(message);
}
