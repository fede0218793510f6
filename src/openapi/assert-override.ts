import type { Within } from '../errors/assert-known.ts';
import { DefinitionError } from '../errors/errors.ts';
import { findNearestNames, suggest } from '../errors/nearest-names.ts';
import { isObject } from '../base/is-object.ts';
import { ANY, assertOptions, oneOf, STRING } from '../errors/options/rules.ts';
import type { Rules } from '../errors/options/rules.ts';
import type { OperationPlan } from './mapping/plan-operation.ts';
import type { Operation } from './model/operation.ts';
import type { ArgumentOverride, OperationOverride } from './selection/operation-override.ts';
import type { ReadOperation } from './operations/read-operations.ts';
import { OPERATION_KIND } from './selection/route-maps.ts';

const OVERRIDE: Rules<keyof OperationOverride> = {
  name: STRING,
  title: STRING,
  description: STRING,
  hidden: ANY,
  tags: ANY,
  category: ANY,
  annotations: ANY,
  scopes: ANY,
  missingScopes: oneOf('hide', 'challenge'),
  kind: OPERATION_KIND,
  timeoutMs: ANY,
  confirm: ANY,
  arguments: [isObject, 'an object with a member for each argument'],
  response: ANY,
};

const ARGUMENT: Rules<keyof ArgumentOverride> = {
  name: STRING,
  description: STRING,
  hidden: ANY,
  default: ANY,
  fixed: ANY,
  secret: ANY,
  required: ANY,
  allowSlashes: ANY,
};

const RESPONSE: Rules = { select: ANY, maxChars: ANY };

/** Rejects misspelt members of an override: ignored `scopes` would protect nothing. */
export function assertOverride(override: unknown, ...where: Within): void {
  const { then } = (override ?? {}) as { readonly then?: unknown };
  const [option = 'override', ...path] = where;
  if (typeof then === 'function')
    throw new DefinitionError(
      `${OWNER}: ${option} must be an object; received a promise. Return it synchronously.`,
      {
        option,
        path,
      },
    );
  assertOptions(OWNER, override as object, OVERRIDE, ...where);
  const { arguments: args = {}, response = {} } = override as OperationOverride;
  assertOptions(OWNER, response, RESPONSE, option, ...path, 'response');
  for (const [key, argument] of Object.entries(args))
    assertOptions(OWNER, argument, ARGUMENT, option, ...path, 'arguments', key);
}

const OWNER = 'fromOpenAPI';

/** Maximum number of arguments listed in a message: some operations have hundreds. */
const MAX_CHOICES = 20;

/**
 * Rejects overrides for operations that the document does not have: an override that restricts an operation must
 * not be ignored because its key is misspelt. `keys` are the unused ones. Operations that cannot be read count as
 * known.
 */
export function assertKnownOperations(keys: readonly string[], read: readonly ReadOperation[]): void {
  const isRefused = (key: string): boolean =>
    read.some(
      (each) =>
        'refused' in each &&
        // If a path cannot be read, only its path is known.
        (each.key === key || each.operationId === key || key.endsWith(` ${each.key}`)),
    );
  const stranger = keys.find((key) => !isRefused(key));
  if (stranger === undefined) return;
  const known = read.flatMap((each) =>
    'refused' in each ? [each.key] : [each.key, each.operation.operationId ?? each.key],
  );
  const expected = findNearestNames(stranger, known);
  throw new DefinitionError(
    `overrides: unknown operation "${stranger}".${suggest(expected)} Use an operationId, or a method and a path such as "GET /pets".`,
    { reason: 'unknown-operation', option: 'overrides', path: [stranger], expected },
  );
}

/**
 * The first argument in `overrides` that its operation does not have. Extensions of the document and the `override`
 * function may apply to some operations only, so they are not checked here.
 */
export function findUnknownOverride(
  { key, operationId = key }: Operation,
  { unmatched, known }: Pick<OperationPlan, 'unmatched' | 'known'>,
  overrides: Readonly<Record<string, OperationOverride>> = {},
): DefinitionError | undefined {
  for (const owner of new Set([key, operationId])) {
    const given = Object.hasOwn(overrides, owner) ? (overrides[owner]?.arguments ?? {}) : {};
    const name = unmatched.find((each) => Object.hasOwn(given, each));
    if (name === undefined) continue;
    const expected = findNearestNames(name, known);
    const choices = known.length === 0 ? 'none' : [...new Set(known)].slice(0, MAX_CHOICES).join(', ');
    return new DefinitionError(
      `overrides: unknown argument "${name}" of ${key}.${suggest(expected)} Arguments: ${choices}.`,
      {
        reason: 'unknown-argument',
        option: 'overrides',
        path: [owner, 'arguments', name],
        expected,
      },
    );
  }
  return undefined;
}
