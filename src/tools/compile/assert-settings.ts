import { DefinitionError } from '../../errors/errors.ts';
import { isObject } from '../../base/is-object.ts';
import {
  ANY,
  assertOptions,
  assertValues,
  BOOLEAN,
  CLOCK,
  FUNCTION,
  objectWith,
  oneOf,
  POSITIVE,
  required,
  STRING,
} from '../../errors/options/rules.ts';
import type { Rules } from '../../errors/options/rules.ts';
import { assertPolicy } from '../../pipeline/tool/policy-rules.ts';
import type { ToolSettingsOptions } from './settings-options.ts';

/** Rules for every setting. Unknown ones are rejected: a misspelt `policy` would hide nothing. */
export const SETTINGS: Rules<keyof ToolSettingsOptions> = {
  name: STRING,
  createContext: FUNCTION,
  policy: ANY,
  unknownArguments: oneOf('strip', 'reject', 'keep'),
  repairArguments: BOOLEAN,
  invalidArguments: oneOf('tool-error', 'protocol-error'),
  missingScopes: oneOf('hide', 'challenge'),
  slowPatterns: oneOf('refuse', 'warn', 'allow'),
  structuredText: oneOf('full', 'short'),
  timeoutMs: ANY,
  maxResultBytes: POSITIVE,
  rateLimit: [
    (value) => value === false || isObject(value),
    'false or an object: { limit: 100, perMs: 60_000 }',
  ],
  flatSeparator: STRING,
  confirmationTtlMs: POSITIVE,
  confirmationStore: objectWith('put', 'take'),
  withSecurityWrapper: FUNCTION,
  errors: oneOf('masked', 'messages'),
  errorHandler: objectWith('createValidationError', 'handleError'),
  responseFormatter: objectWith('format', 'runWithMinifyOverride'),
  cache: objectWith('get', 'set', 'delete'),
  stateStore: objectWith('get', 'set', 'take', 'delete'),
  rateLimitStore: objectWith('consume'),
  logger: objectWith('debug', 'info', 'warning', 'error'),
  clock: CLOCK,
  onCallEnd: FUNCTION,
  jsonSchemaCompiler: objectWith('findProblem', 'compile'),
};

const RATE_LIMIT: Rules = { limit: required(POSITIVE), perMs: required(POSITIVE) };

/** Rejects invalid settings. `owner` names the object that they were passed to. */
export function assertSettings(options: ToolSettingsOptions<never>, owner: string): void {
  assertValues(owner, options, SETTINGS);
  const { rateLimit = false } = options;
  if (rateLimit !== false) assertOptions(owner, rateLimit, RATE_LIMIT, 'rateLimit');
  assertPolicy(options.policy, owner);
  if (options.errors !== undefined && options.errorHandler !== undefined) {
    throw new DefinitionError(
      `${owner}: use either errors or errorHandler, not both. To combine them, pass errorHandler: new ErrorHandler({ errors }).`,
      { option: 'errors' },
    );
  }
}
