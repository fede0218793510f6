import { assertKnown } from '../../../errors/assert-known.ts';
import { DefinitionError } from '../../../errors/errors.ts';
import { isObject } from '../../../base/is-object.ts';
import {
  assertValues,
  BOOLEAN,
  FUNCTION,
  isListOf,
  oneOf,
  MIDDLEWARE,
  required,
  SCHEMA,
  SCOPES,
  STRING,
  STRINGS,
} from '../../../errors/options/rules.ts';
import type { Rules } from '../../../errors/options/rules.ts';
import { describeValue } from '../../../errors/options/wrong-value.ts';
import type { AnyMiddleware } from '../../../middleware/middleware.ts';
import type { Schema } from '../../../schema/nodes/schema-types.ts';
import { CALLABLE_MEMBERS } from '../../tool-definition.ts';
import type { MissingScopes } from '../../tool-definition.ts';
import type { AnyActionDefinition } from './action-definition.ts';

/** Settings that a group shares with its actions. */
export interface GroupRecord {
  readonly name: string;
  readonly description: string | undefined;
  readonly middleware: readonly AnyMiddleware[];
  readonly commonSchemas: readonly Schema[];
  readonly tags: readonly string[];
  readonly scopes: readonly string[];
  readonly missingScopes: MissingScopes | undefined;
}

/** The definition of an action and its group. */
export interface ActionRecord {
  readonly key: string;
  readonly definition: AnyActionDefinition;
  readonly group: GroupRecord | undefined;
}

const NAME_PATTERN = /^[A-Za-z0-9_-]{1,64}$/;

/** Rejects names that cannot be part of a key. A dot would make `a.b` ambiguous. */
export function assertPartName(name: unknown, kind: 'Action' | 'Group', builder: string): void {
  if (typeof name === 'string' && name.includes('.')) {
    throw new DefinitionError(
      `${kind} name "${name}" of builder "${builder}" must not contain dots. The framework uses dots to join group and action.`,
      { option: 'name', received: name },
    );
  }
  if (typeof name !== 'string' || !NAME_PATTERN.test(name)) {
    const [expected, received] = ['1 to 64 letters, digits, "_" or "-"', describeValue(name)];
    throw new DefinitionError(
      `Invalid ${kind.toLowerCase()} name ${received} of builder "${builder}": use ${expected}.`,
      { reason: 'wrong-value', option: 'name', expected, received },
    );
  }
}

/** Members of an action, to reject unknown ones: misspelt `scopes` would protect nothing. */
const MEMBERS: Readonly<Record<keyof AnyActionDefinition, true>> = {
  ...CALLABLE_MEMBERS,
  name: true,
  description: true,
  flatName: true,
  destructive: true,
  readOnly: true,
  idempotent: true,
  examples: true,
  schema: true,
  outputSchema: true,
  omitCommonFields: true,
  middleware: true,
  defaultArgumentResolver: true,
  preview: true,
  handler: true,
};

const MISSING_SCOPES = oneOf('hide', 'challenge');

const RULES: Partial<Rules<keyof AnyActionDefinition>> = {
  handler: required(FUNCTION),
  description: STRING,
  flatName: STRING,
  destructive: BOOLEAN,
  readOnly: BOOLEAN,
  idempotent: BOOLEAN,
  schema: SCHEMA,
  tags: STRINGS,
  scopes: SCOPES,
  missingScopes: MISSING_SCOPES,
  argumentScopes: FUNCTION,
  synonyms: STRINGS,
  endpoint: STRING,
  omitCommonFields: STRINGS,
  middleware: MIDDLEWARE,
  examples: [isListOf(isObject), 'an array of objects with arguments'],
};

/** Rejects texts of a builder or a group that are not strings. */
export function assertTexts(owner: string, option: string, texts: readonly unknown[]): void {
  const wrong = texts.find((text) => typeof text !== 'string');
  if (wrong !== undefined) assertValues(owner, { [option]: wrong }, { [option]: STRING });
}

/** Rejects scopes of a builder or a group that no token has: they would hide the actions from every caller. */
export function assertScopes(owner: string, scopes: readonly unknown[]): void {
  assertValues(owner, { scopes }, { scopes: SCOPES });
}

/** Rejects a `missingScopes` of a builder or a group that is neither of the two modes. */
export function assertMissingScopes(owner: string, missingScopes: unknown): void {
  assertValues(owner, { missingScopes }, { missingScopes: MISSING_SCOPES });
}

function withoutUndefined(definition: object): object {
  return Object.fromEntries(Object.entries(definition).filter(([, member]) => member !== undefined));
}

/** Rejects invalid actions. The types do the same; this is for JavaScript. */
export function assertAction(definition: AnyActionDefinition, builder: string): void {
  if (typeof definition !== 'object' || definition === null) {
    throw new DefinitionError(
      `Builder "${builder}": an action must be an object: .action({ name: 'list', handler: () => … }).`,
    );
  }
  assertPartName(definition.name, 'Action', builder);
  const owner = `Action "${definition.name}" of builder "${builder}"`;
  assertValues(owner, definition, RULES);
  assertKnown(owner, withoutUndefined(definition), [...Object.keys(MEMBERS), 'inputSchema']);
  if ('inputSchema' in definition) {
    throw new DefinitionError(`${owner}: "inputSchema" is unknown. Use schema for the fields of an action.`, {
      option: 'inputSchema',
    });
  }
  if (definition.destructive === true && definition.readOnly === true) {
    throw new DefinitionError(`${owner} has both destructive and readOnly. Remove one of them.`, {
      option: 'destructive',
    });
  }
}
