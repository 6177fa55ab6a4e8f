// The schema as a check: kept apart from index.ts, since it loads the checker.

export { session as sessionSchema } from './schema/session.ts';
export { type Fault, faultsOf, jsonSchema } from './schema/validate.ts';
