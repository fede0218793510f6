import type { Outcome } from './outcome.ts';

/** The arguments of a call, by name. */
export type Arguments = Readonly<Record<string, unknown>>;

/** The argument that requests the next part of a long result. Cut results contain its value. */
export const CONTINUE_ARGUMENT = 'continue_from';

export const NO_ARGUMENTS: Arguments = Object.freeze({});

/** The outcome for arguments that are not an object. */
export const NOT_AN_OBJECT: Outcome = {
  kind: 'invalid-input',
  issues: [{ path: [], message: 'must be an object with the arguments by name', expected: 'object' }],
};
