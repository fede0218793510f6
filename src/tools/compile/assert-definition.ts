import { isObject } from '../../base/is-object.ts';
import { assertKnown } from '../../errors/assert-known.ts';
import type { ComponentKind } from '../../errors/component-kind.ts';
import { DefinitionError } from '../../errors/errors.ts';
import { suggest } from '../../errors/nearest-names.ts';
import { assertValues, FUNCTION, NON_EMPTY, required, SCHEMA } from '../../errors/options/rules.ts';
import type { Rules } from '../../errors/options/rules.ts';
import { describeValue } from '../../errors/options/wrong-value.ts';
import { CALLABLE_MEMBERS } from '../tool-definition.ts';
import type { AnyToolDefinition } from '../tool-definition.ts';
import { assertMembers } from './assert-members.ts';
import { mergeAnnotations } from './merge-annotations.ts';

/** Tool names that the protocol allows. */
export const TOOL_NAME_PATTERN: RegExp = /^[A-Za-z0-9_.-]{1,128}$/;

/** Members of a definition; the author's own members belong in `metadata`. */
const MEMBERS: readonly string[] = Object.keys({
  ...CALLABLE_MEMBERS,
  name: true,
  description: true,
  annotations: true,
  metadata: true,
  icons: true,
  _meta: true,
  inputSchema: true,
  outputSchema: true,
  middleware: true,
  defaultArgumentResolver: true,
  preview: true,
  handler: true,
} satisfies Record<keyof AnyToolDefinition, true>);

const NEEDED: Rules = {
  description: required([NON_EMPTY[0], 'a string that tells the model what the tool is for']),
  inputSchema: required([SCHEMA[0], 'a schema; for a tool without arguments, use z.object({})']),
  outputSchema: SCHEMA,
  handler: required(FUNCTION),
  defaultArgumentResolver: FUNCTION,
};

/** Rejects invalid definitions. The types do the same; this is for JavaScript and for data from outside. */
export function assertDefinition(definition: AnyToolDefinition<never>): void {
  if (typeof definition !== 'object' || definition === null || Array.isArray(definition)) {
    throw new DefinitionError(`A tool definition must be an object, not ${describeKind(definition)}.`);
  }
  assertToolName(definition.name);
  const owner = `Tool "${definition.name}"`;
  assertValues(owner, definition, NEEDED);
  assertMembers(definition, owner);
  assertConsistent(definition, owner);
}

/** Members of grouped actions and of other frameworks, with their names here. */
const ALIASES: Readonly<Record<string, string>> = {
  readOnly: 'annotations.readOnlyHint',
  destructive: 'annotations.destructiveHint',
  idempotent: 'annotations.idempotentHint',
  schema: 'inputSchema',
  parameters: 'inputSchema',
  execute: 'handler',
};

/**
 * Rejects members that have another name here. Runs first, so that the message names the member and not a missing
 * one.
 */
export function assertNoAlias(definition: AnyToolDefinition<never>): void {
  const alias = Object.entries(ALIASES).find(
    ([name]) => isObject(definition) && Object.hasOwn(definition, name),
  );
  if (alias === undefined) return;
  const [option, meant] = alias;
  throw new DefinitionError(`Unknown option "${option}" of tool "${definition.name}".${suggest([meant])}`, {
    reason: 'unknown-option',
    option,
    expected: MEMBERS,
  });
}

/** Rejects unknown members: misspelt `scopes` would protect nothing. */
export function assertKnownMembers(definition: AnyToolDefinition<never>): void {
  assertKnown(`Tool "${definition.name}"`, definition, MEMBERS);
}

/** Rejects a name that the protocol does not allow. */
export function assertToolName(name: unknown, kind: ComponentKind = 'tool'): asserts name is string {
  if (typeof name !== 'string' || !TOOL_NAME_PATTERN.test(name)) {
    const [expected, received] = ['1 to 128 letters, digits, "_", "." or "-"', describeValue(name)];
    throw new DefinitionError(`Invalid ${kind} name ${received}: use ${expected}.`, {
      reason: 'wrong-value',
      option: 'name',
      expected,
      received,
    });
  }
}

function assertConsistent(definition: AnyToolDefinition<never>, owner: string): void {
  const annotations = mergeAnnotations(definition);
  if (definition.repairArguments === true && annotations.destructiveHint === true) {
    throw new DefinitionError(
      `${owner} is destructive, so its arguments are never repaired: it must receive exactly what the caller sent. Remove repairArguments.`,
      { option: 'repairArguments' },
    );
  }
  if (annotations.readOnlyHint === true && annotations.destructiveHint === true) {
    throw new DefinitionError(`${owner} has both readOnlyHint and destructiveHint. Remove one of them.`, {
      option: 'annotations',
    });
  }
  if ((definition.confirm === undefined) !== (definition.preview === undefined)) {
    throw new DefinitionError(
      `${owner} must have both confirm: 'preview' and a preview function, or neither.`,
      { option: 'confirm' },
    );
  }
  if (definition.confirmIf !== undefined && definition.confirm === undefined) {
    throw new DefinitionError(
      `${owner} has confirmIf but no confirm: 'preview'. Add it, or remove confirmIf.`,
      {
        option: 'confirmIf',
      },
    );
  }
  if (definition.confirm !== undefined && annotations.readOnlyHint === true) {
    throw new DefinitionError(
      `${owner} is read-only (readOnlyHint), so it must not have confirm. Remove one of them.`,
      {
        option: 'confirm',
      },
    );
  }
  if (definition.resolvedArguments !== undefined && definition.defaultArgumentResolver === undefined) {
    throw new DefinitionError(
      `${owner} has resolvedArguments but no defaultArgumentResolver. Add one, or remove resolvedArguments.`,
      { option: 'resolvedArguments' },
    );
  }
}

function describeKind(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array; use registerAll' : typeof value;
}
