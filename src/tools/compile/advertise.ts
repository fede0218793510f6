import { DefinitionError } from '../../errors/errors.ts';
import { CONFIRMATION_ARGUMENT } from '../../pipeline/confirm.ts';
import type { CompiledSchema } from '../../schema/checks/compile-schema.ts';
import { DefinitionPool } from '../../schema/nodes/definition-pool.ts';
import { joinDocuments } from '../../schema/convert/join-documents.ts';
import type { SchemaNode } from '../../schema/nodes/json-node.ts';
import { deepFreeze } from '../../base/json/deep-freeze.ts';
import { fieldNames } from '../../schema/view/root-keys.ts';
import type { AnyToolDefinition } from '../tool-definition.ts';

/** Schemas as they are advertised to clients. */
export interface AdvertisedSchemas {
  readonly input: SchemaNode;
  readonly output: SchemaNode | undefined;
}

interface CompiledSchemas {
  readonly input: CompiledSchema;
  readonly output: CompiledSchema | undefined;
}

/** The advertised schemas: the enforced ones, plus the members that confirmation adds. */
export function advertise(
  definition: AnyToolDefinition<never>,
  { input, output }: CompiledSchemas,
): AdvertisedSchemas {
  const owner = `Tool "${definition.name}"`;
  if (definition.confirm === undefined) return { input: input.jsonSchema, output: output?.jsonSchema };
  if (fieldNames(input.jsonSchema).includes(CONFIRMATION_ARGUMENT)) {
    throw new DefinitionError(
      `${owner}: the argument name "${CONFIRMATION_ARGUMENT}" is reserved by confirm: 'preview'. Rename the argument.`,
      { option: 'inputSchema', path: [CONFIRMATION_ARGUMENT] },
    );
  }
  return {
    input: deepFreeze(joinDocuments([input.jsonSchema, TOKEN_DOCUMENT])),
    output: output === undefined ? undefined : deepFreeze(orConfirmation(output.jsonSchema, owner)),
  };
}

const TOKEN: SchemaNode = {
  type: 'string',
  description:
    'Leave out at first: the call then only shows what it would do and gives a token. Call again with the same arguments and the token to do it.',
};

const TOKEN_DOCUMENT: SchemaNode = { type: 'object', properties: { [CONFIRMATION_ARGUMENT]: TOKEN } };

/** Adds the request to confirm as a possible result: a first call returns it. */
function orConfirmation(schema: SchemaNode, owner: string): SchemaNode {
  if (schema['type'] !== 'object') {
    throw new DefinitionError(
      `${owner}: confirm: 'preview' needs an outputSchema with an object at its root.`,
      { option: 'outputSchema' },
    );
  }
  const pool = new DefinitionPool();
  const own = pool.embed(schema);
  const $defs = pool.definitions();
  return {
    type: 'object',
    anyOf: [own, CONFIRMATION_RESULT],
    ...($defs === undefined ? {} : { $defs }),
  };
}

const CONFIRMATION_RESULT: SchemaNode = {
  type: 'object',
  description: 'Nothing was done yet; the call has to be confirmed.',
  properties: {
    [CONFIRMATION_ARGUMENT]: { type: 'string' },
    expires_in_ms: { type: 'number' },
    preview: {},
  },
  required: [CONFIRMATION_ARGUMENT, 'expires_in_ms'],
};
