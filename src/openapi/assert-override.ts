import { assertKnown } from '../errors/assert-known.ts';
import { DefinitionError } from '../errors/errors.ts';
import { isNode } from '../schema/nodes/json-node.ts';
import type { ArgumentOverride, OperationKind, OperationOverride } from './selection/operation-override.ts';

const MEMBERS: readonly string[] = Object.keys({
  name: true,
  title: true,
  description: true,
  hidden: true,
  tags: true,
  category: true,
  annotations: true,
  scopes: true,
  kind: true,
  timeoutMs: true,
  confirm: true,
  arguments: true,
  response: true,
} satisfies Record<keyof OperationOverride, true>);

const ARGUMENT: readonly string[] = Object.keys({
  name: true,
  description: true,
  hidden: true,
  default: true,
  fixed: true,
  secret: true,
  required: true,
  allowSlashes: true,
} satisfies Record<keyof ArgumentOverride, true>);

const KINDS: readonly OperationKind[] = ['tool', 'resource', 'resource-template', 'none'];

/** Refuses an override of the author that is misspelt: a list of scopes that nobody reads protects nothing. */
export function assertOverride(where: string, override: unknown): void {
  if (isNode(override) && typeof override['then'] === 'function')
    throw new DefinitionError(`${where} must be there at once, not as a promise.`);
  assertKnown(where, override as object, MEMBERS);
  const { kind, arguments: args, response, description, title, name } = override as OperationOverride;
  if (kind !== undefined && !KINDS.includes(kind))
    throw new DefinitionError(`${where}: "kind" must be one of ${KINDS.join(', ')}.`);
  for (const [member, text] of Object.entries({ description, title, name }))
    assertText(`${where}: "${member}"`, text);
  if (response !== undefined) assertKnown(`${where}: "response"`, response, ['select', 'maxChars']);
  if (args === undefined) return;
  if (!isNode(args))
    throw new DefinitionError(`${where}: "arguments" must be an object with a member for each argument.`);
  for (const [key, argument] of Object.entries(args)) {
    assertKnown(`${where}: the argument "${key}"`, argument, ARGUMENT);
    assertText(`${where}: "name" of the argument "${key}"`, argument.name);
    assertText(`${where}: "description" of the argument "${key}"`, argument.description);
  }
}

function assertText(what: string, text: unknown): void {
  if (text !== undefined && typeof text !== 'string') throw new DefinitionError(`${what} must be a text.`);
}
