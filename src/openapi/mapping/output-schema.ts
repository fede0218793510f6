import { isNode, listedChildren } from '../../schema/nodes/json-node.ts';
import type { SchemaNode } from '../../schema/nodes/json-node.ts';
import type { JsonSchemaCheck, JsonSchemaCompiler } from '../../schema/issues/json-schema-compiler.ts';
import { definePlainSchema } from '../../schema/nodes/plain-schema.ts';
import type { Schema } from '../../schema/nodes/schema-types.ts';
import type { Operation } from '../model/operation.ts';
import { collectDefinitions } from '../schemas/collect-definitions.ts';
import type { SchemaConverter } from '../schemas/schema-converter.ts';
import { relax } from './argument-schema.ts';
import { mediaKindOf } from './media-kinds.ts';

/** Output schema of an operation. */
export interface OutputPlan {
  readonly schema: Schema;
  /** Returns the differences between a response and the schema. */
  readonly check: (value: unknown) => readonly string[];
}

const MAX_PROBLEMS = 5;

/** Options of {@link planOutput}. */
export interface OutputParts {
  readonly converter: SchemaConverter;
  readonly compiler: () => JsonSchemaCompiler;
  /** Maximum size of all definitions of one schema, in characters. */
  readonly maxSchemaChars: number;
}

/**
 * The output schema of an operation; undefined if the document has none. APIs drift from their documents, and
 * clients reject whole results that do not match: so the advertised schema describes the response but accepts any
 * other object as well.
 */
export function planOutput(
  operation: Operation,
  { converter, compiler, maxSchemaChars }: OutputParts,
): OutputPlan | undefined {
  const answer = operation.responses.find(
    ({ status, contents }) => status.startsWith('2') && contents.length > 0,
  );
  const content = answer?.contents.find((each) => mediaKindOf(each, converter.parts) === 'json');
  if (content?.schema === undefined) return undefined;
  const { node, uses, problems } = converter.convert(content.schema);
  const collected = collectDefinitions(converter, uses, maxSchemaChars);
  const isFatal = [...problems, ...collected.problems].some((problem) => problem.isFatal);
  if (isFatal || !isNode(node)) return undefined;
  const $defs = collected.$defs === undefined ? {} : { $defs: collected.$defs };
  const described = isObject(node, collected.$defs ?? {}, 0)
    ? node
    : { type: 'object', properties: { result: node } };
  const document = {
    type: 'object',
    anyOf: [described, { description: 'Whatever the API answers instead' }],
    ...$defs,
  };
  let check: JsonSchemaCheck | undefined;
  return {
    schema: definePlainSchema(document, (value) => value, { isServable: true }),
    check: (value) => {
      check ??= compiler().compile(relax({ ...node, ...$defs }) as SchemaNode);
      const issues = check(value);
      return issues
        .slice(0, MAX_PROBLEMS)
        .map(({ path, message }) => `${path.map(String).join('.') || 'the response'} ${message}`);
    },
  };
}

const MAX_STEPS = 8;

/** Objects are their own structured content; other values are its `result`. */
function isObject(node: unknown, definitions: SchemaNode, steps: number): boolean {
  if (!isNode(node) || steps > MAX_STEPS) return false;
  if (node['type'] !== undefined) return node['type'] === 'object';
  if (isNode(node['properties'])) return true;
  const { $ref } = node as { $ref?: unknown };
  if (typeof $ref === 'string') {
    const name = $ref.slice('#/$defs/'.length);
    return isObject(Object.hasOwn(definitions, name) ? definitions[name] : undefined, definitions, steps + 1);
  }
  if (listedChildren(node, 'allOf').some((part) => isObject(part, definitions, steps + 1))) return true;
  const choices = [...listedChildren(node, 'anyOf'), ...listedChildren(node, 'oneOf')];
  return choices.length > 0 && choices.every((choice) => isObject(choice, definitions, steps + 1));
}
