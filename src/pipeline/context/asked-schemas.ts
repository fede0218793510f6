import { DefinitionError } from '../../errors/errors.ts';
import { compileSchema } from '../../schema/checks/compile-schema.ts';
import type { CompiledSchema } from '../../schema/checks/compile-schema.ts';
import type { JsonSchemaCompiler } from '../../schema/issues/json-schema-compiler.ts';
import { fromFields } from '../../schema/nodes/fields-schema.ts';
import { isNode } from '../../schema/nodes/json-node.ts';
import type { SchemaNode } from '../../schema/nodes/json-node.ts';
import { isStandardSchema } from '../../schema/nodes/schema-types.ts';
import type { Schema } from '../../schema/nodes/schema-types.ts';

/** The schema of a form, as it is sent and as answers are checked. */
export interface AskedSchema {
  readonly requestedSchema: SchemaNode;
  readonly validate: CompiledSchema['validate'];
}

/** Compiles the schemas of forms, each once: a schema that is made outside of its handler costs nothing when it is asked again. */
export class AskedSchemas {
  readonly #known = new WeakMap<object, AskedSchema>();
  readonly #jsonSchemaCompiler: () => JsonSchemaCompiler;

  constructor(jsonSchemaCompiler: () => JsonSchemaCompiler) {
    this.#jsonSchemaCompiler = jsonSchemaCompiler;
  }

  find(given: Schema): AskedSchema {
    const known = this.#known.get(given);
    if (known !== undefined) return known;
    const schema = fromFields(given);
    const compiled = compileSchema(schema, {
      owner: 'The schema of a question',
      side: 'input',
      option: 'schema',
      unknownArguments: 'strip',
      jsonSchemaCompiler: this.#jsonSchemaCompiler,
    });
    // What an author wrote by hand goes out as it is written; what a library says, without what clients do not know.
    const requestedSchema = isStandardSchema(schema) ? toForm(compiled.jsonSchema) : (schema as SchemaNode);
    assertPlainFields(requestedSchema);
    const asked: AskedSchema = { requestedSchema, validate: (value) => compiled.validate(value) };
    this.#known.set(given, asked);
    return asked;
  }
}

function toForm({ properties, required }: SchemaNode): SchemaNode {
  return { type: 'object', properties: properties ?? {}, ...(required === undefined ? {} : { required }) };
}

const PLAIN_TYPES: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean']);

/** Clients show one field for one value: nothing nested, no lists but of choices. */
function assertPlainFields({ properties }: SchemaNode): void {
  for (const [name, field] of Object.entries(isNode(properties) ? properties : {})) {
    if (isNode(field) && (PLAIN_TYPES.has(field['type']) || isChoices(field))) continue;
    throw new DefinitionError(
      `Invalid field "${name}" of a question: expected a string, a number, a boolean or an array of choices. Clients support nothing else.`,
      { option: 'schema', path: [name], expected: ['string', 'number', 'integer', 'boolean', 'array'] },
    );
  }
}

function isChoices({ type, items }: SchemaNode): boolean {
  return type === 'array' && isNode(items) && ('enum' in items || 'anyOf' in items || 'oneOf' in items);
}
