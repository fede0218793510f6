import { assertKnown } from '../../../errors/assert-known.ts';
import { DefinitionError } from '../../../errors/errors.ts';
import { assertMiddleware } from '../../../middleware/compile-chain.ts';
import type { AnyMiddleware } from '../../../middleware/middleware.ts';
import type { Schema } from '../../../schema/nodes/schema-types.ts';
import { CALLABLE_MEMBERS } from '../../tool-definition.ts';
import type { AnyActionDefinition } from './action-definition.ts';

/** What a group gives to each of its actions. */
export interface GroupRecord {
  readonly name: string;
  readonly description: string | undefined;
  readonly middleware: readonly AnyMiddleware[];
  readonly commonSchemas: readonly Schema[];
  readonly tags: readonly string[];
}

/** One action as it was written, and the group it was written in. */
export interface ActionRecord {
  readonly key: string;
  readonly definition: AnyActionDefinition;
  readonly group: GroupRecord | undefined;
}

const NAME_PATTERN = /^[A-Za-z0-9_-]{1,64}$/;

/** Refuses names that cannot be part of a key. A dot would make `a.b` mean two things. */
export function assertPartName(name: unknown, kind: 'Action' | 'Group', builder: string): void {
  if (typeof name === 'string' && name.includes('.')) {
    throw new DefinitionError(
      `${kind} name "${name}" of builder "${builder}" must not contain dots. The framework uses dots to join group and action.`,
    );
  }
  if (typeof name !== 'string' || !NAME_PATTERN.test(name)) {
    throw new DefinitionError(
      `${kind} name ${JSON.stringify(name)} of builder "${builder}" is not allowed: use 1 to 64 letters, digits, "_" or "-".`,
    );
  }
}

/** Every member of an action, so that none is left out by a typo: a misspelt list of scopes protects nothing. */
const MEMBERS: Readonly<Record<keyof AnyActionDefinition, true>> = {
  ...CALLABLE_MEMBERS,
  name: true,
  description: true,
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
  if (typeof definition.handler !== 'function') {
    throw new DefinitionError(`${owner}: handler must be a function, not ${typeof definition.handler}.`);
  }
  if (definition.description !== undefined && typeof definition.description !== 'string') {
    throw new DefinitionError(`${owner}: description must be a string.`);
  }
  assertKnown(owner, withoutUndefined(definition), [...Object.keys(MEMBERS), 'inputSchema']);
  if ('inputSchema' in definition) {
    throw new DefinitionError(`${owner}: the fields of an action are given as schema, not as inputSchema.`);
  }
  if (definition.middleware !== undefined) assertMiddleware(definition.middleware, owner);
  if (definition.destructive === true && definition.readOnly === true) {
    throw new DefinitionError(`${owner} says both destructive and readOnly. Remove one of them.`);
  }
  assertLists(definition, owner);
}

function assertLists(definition: AnyActionDefinition, owner: string): void {
  for (const key of ['tags', 'scopes', 'synonyms', 'omitCommonFields'] as const) {
    const value: unknown = definition[key];
    if (value === undefined) continue;
    if (!Array.isArray(value) || !value.every((entry) => typeof entry === 'string'))
      throw new DefinitionError(`${owner}: ${key} must be a list of strings.`);
  }
  const { examples } = definition;
  if (examples === undefined) return;
  if (!Array.isArray(examples) || !examples.every((entry) => typeof entry === 'object' && entry !== null))
    throw new DefinitionError(`${owner}: examples must be a list of objects with arguments.`);
}
