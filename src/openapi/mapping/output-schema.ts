import { isNode } from '../../schema/json-node.ts';
import type { SchemaNode } from '../../schema/json-node.ts';
import type { JsonSchemaCheck, JsonSchemaCompiler } from '../../schema/json-schema-compiler.ts';
import { definePlainSchema } from '../../schema/plain-schema.ts';
import type { Schema } from '../../schema/schema-types.ts';
import type { Operation } from '../operation.ts';
import type { SchemaConverter } from '../schemas/schema-converter.ts';
import { mediaKindOf } from './media-kinds.ts';

/** What the document says of an answer. */
export interface OutputPlan {
  readonly schema: Schema;
  /** How an answer differs from that. */
  readonly check: (value: unknown) => readonly string[];
}

const MAX_PROBLEMS = 5;

/**
 * The output schema of an operation; undefined if the document has none. APIs drift from their documents, and clients throw away whole
 * results that do not fit: so what is advertised describes the answer and takes any other object as well.
 */
export function planOutput(
  operation: Operation,
  converter: SchemaConverter,
  compiler: () => JsonSchemaCompiler,
): OutputPlan | undefined {
  const answer = operation.responses.find(
    ({ status, contents }) => status.startsWith('2') && contents.length > 0,
  );
  const content = answer?.contents.find((each) => mediaKindOf(each, converter.parts) === 'json');
  if (content?.schema === undefined) return undefined;
  const { node, uses, problems } = converter.convert(content.schema);
  const closure = [...converter.closureOf(uses)];
  const isFatal = [
    ...problems,
    ...closure.flatMap((each) => converter.convertDefinition(each).problems),
  ].some((problem) => problem.isFatal);
  if (isFatal || !isNode(node)) return undefined;
  const definitions = closure.map((each) => [each.name, converter.convertDefinition(each).node]);
  const $defs = definitions.length > 0 ? { $defs: Object.fromEntries(definitions) as SchemaNode } : {};
  const described = isObject(node, $defs.$defs) ? node : { type: 'object', properties: { result: node } };
  const document = {
    type: 'object',
    anyOf: [described, { description: 'Whatever the API answers instead' }],
    ...$defs,
  };
  let check: JsonSchemaCheck | undefined;
  return {
    schema: definePlainSchema(document, (value) => value),
    check: (value) => {
      check ??= compiler().compile({ ...node, ...$defs });
      const issues = check(value);
      return issues
        .slice(0, MAX_PROBLEMS)
        .map(({ path, message }) => `${path.map(String).join('.') || 'the answer'} ${message}`);
    },
  };
}

/** Objects are their own structured content; everything else is the `result` of one. */
function isObject(node: SchemaNode, definitions: SchemaNode = {}): boolean {
  if (node['type'] === 'object') return true;
  const ref = node['$ref'];
  if (typeof ref !== 'string') return false;
  const target = definitions[ref.slice('#/$defs/'.length)];
  return isNode(target) && target['type'] === 'object';
}
