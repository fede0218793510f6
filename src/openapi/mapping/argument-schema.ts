import { didYouMean } from '../../errors/nearest-names.ts';
import { isNode, mapSubschemas } from '../../schema/nodes/json-node.ts';
import type { SchemaNode } from '../../schema/nodes/json-node.ts';
import type { JsonSchemaCheck, JsonSchemaCompiler } from '../../schema/issues/json-schema-compiler.ts';
import { definePlainSchema } from '../../schema/nodes/plain-schema.ts';
import type { PlainIssue } from '../../schema/nodes/plain-schema.ts';
import type { Schema } from '../../schema/nodes/schema-types.ts';
import { CONTINUE_ARGUMENT } from '../response/model/response-options.ts';
import type { OperationPlan } from './plan-operation.ts';

/** Options of {@link createArgumentSchema}. */
export interface ArgumentCheckOptions {
  readonly compiler: () => JsonSchemaCompiler;
  /** Whether results may be returned in parts. */
  readonly isContinuable: boolean;
}

/**
 * The schema of a tool's arguments, with its validator. The validator is compiled on the first call: of a document
 * with a thousand operations, few are ever called.
 */
export function createArgumentSchema(
  plan: OperationPlan,
  { compiler, isContinuable }: ArgumentCheckOptions,
): Schema {
  const { inputSchema, defaults, integers } = plan;
  const properties = inputSchema['properties'] as SchemaNode;
  const known = Object.keys(properties);
  const names = new Set(known);
  let check: JsonSchemaCheck | undefined;
  const checkArguments = (given: Readonly<Record<string, unknown>>): object => {
    if (isContinuation(given)) return given;
    const { [CONTINUE_ARGUMENT]: next, ...value } = given;
    const issues: PlainIssue[] = typeof next === 'string' || next === undefined ? [] : [NO_CONTINUATION];
    for (const name of Object.keys(value)) if (!names.has(name)) issues.push(complain(name, known));
    const filled = defaults.size === 0 ? value : withDefaults(value, defaults);
    check ??= compiler().compile(relax(inputSchema) as SchemaNode);
    const read = integers.read(filled);
    issues.push(...read.issues, ...check(read.value));
    // Large integers stay strings until they are sent: code in between does not support bigints.
    return issues.length > 0 ? issues : filled;
  };
  const advertised = isContinuable
    ? { ...inputSchema, properties: { ...properties, [CONTINUE_ARGUMENT]: CONTINUATION } }
    : inputSchema;
  // Composed of converted parts, which most tools share.
  return definePlainSchema(advertised, checkArguments, { isServable: true });
}

/** Without a description: the shortened result says what to send, and a thousand tools would repeat it. */
const CONTINUATION: SchemaNode = Object.freeze({ type: 'string' });

const NO_CONTINUATION: PlainIssue = {
  path: [CONTINUE_ARGUMENT],
  message: 'must be the string from an earlier result',
};

/**
 * Whether a call asks for the rest of a response; other arguments are ignored then. Some clients send every
 * argument, so an empty one does not count.
 */
export function isContinuation(value: Readonly<Record<string, unknown>>): boolean {
  const next = Object.hasOwn(value, CONTINUE_ARGUMENT) ? value[CONTINUE_ARGUMENT] : '';
  return typeof next === 'string' && next !== '';
}

function withDefaults(
  value: Readonly<Record<string, unknown>>,
  defaults: OperationPlan['defaults'],
): Readonly<Record<string, unknown>> {
  const missing = [...defaults].filter(([name]) => !Object.hasOwn(value, name) || value[name] === undefined);
  return missing.length === 0 ? value : { ...value, ...Object.fromEntries(missing) };
}

function complain(name: string, known: readonly string[]): PlainIssue {
  const list = known.length === 0 ? 'The tool takes no arguments' : `Known: ${known.slice(0, 50).join(', ')}`;
  return { path: [name], message: `is unknown.${didYouMean(name, [...known])} ${list}.` };
}

/** Replaces `oneOf` by `anyOf`: alternatives often overlap, and the API decides which one applies. */
export function relax(schema: unknown): unknown {
  if (!isNode(schema)) return schema;
  const { oneOf, anyOf, ...rest } = mapSubschemas(schema, relax);
  if (oneOf === undefined) return anyOf === undefined ? rest : { ...rest, anyOf };
  if (anyOf === undefined) return { ...rest, anyOf: oneOf };
  const all = Array.isArray(rest['allOf']) ? (rest['allOf'] as unknown[]) : [];
  return { ...rest, anyOf, allOf: [...all, { anyOf: oneOf }] };
}
