import { SchemaError } from '../errors/errors.ts';
import type { Issue } from '../errors/issue.ts';
import { assertServable } from './check-json-schema.ts';
import { closeObjects } from './close-objects.ts';
import { toJsonSchema } from './convert.ts';
import { explainIssues, parseSecretPaths } from './explain.ts';
import type { RawIssue } from './explain.ts';
import type { SchemaNode } from './json-node.ts';
import type { JsonSchemaCompiler } from './json-schema-compiler.ts';
import { repairArguments } from './repair.ts';
import { createCheck } from './schema-check.ts';
import type { Checked } from './schema-check.ts';
import { isStandardSchema } from './schema-types.ts';
import { SchemaView } from './schema-view.ts';
import { checkKeys } from './unknown-keys.ts';
import type { UnknownArguments } from './unknown-keys.ts';
import { isPromiseLike } from './validated.ts';
import type { MaybePromise, Validated } from './validated.ts';

/** A schema ready to serve: what is advertised, and the check of exactly that. */
export interface CompiledSchema<TValue = unknown> {
  /** The advertised JSON Schema; frozen. */
  readonly jsonSchema: SchemaNode;
  /** Whether the root of the schema names this argument. */
  hasArgument(name: string): boolean;
  validate(value: unknown): MaybePromise<Validated<TValue>>;
}

/** How {@link compileSchema} treats a schema. */
export interface CompileSchemaOptions {
  /** Names the schema in messages: `Tool "add": the input schema`. */
  readonly owner: string;
  readonly side: 'input' | 'output';
  /** Advertised instead of what the library says, and enforced as well. */
  readonly override?: SchemaNode;
  readonly unknownArguments?: UnknownArguments;
  /** Undo stringified numbers, booleans, arrays and objects. */
  readonly repair?: boolean;
  /** Dot paths of fields whose values must not appear in messages. */
  readonly secrets?: readonly string[];
  /** Arguments that somebody else supplies when the caller does not; advertised as optional. */
  readonly suppliedArguments?: readonly string[];
  readonly jsonSchemaCompiler: () => JsonSchemaCompiler;
}

/** Converts and checks a schema once; the result is used for every list and every call. */
export function compileSchema(schema: unknown, options: CompileSchemaOptions): CompiledSchema {
  const written = options.override ?? toJsonSchema(schema, options);
  const jsonSchema = prepare(written, options);
  const view = new SchemaView(jsonSchema);
  const clean = createCleaner(view, schema, options);
  const check = createCheck(schema, jsonSchema, options);
  const secrets = parseSecretPaths(options.secrets ?? []);
  const fail = (
    value: unknown,
    issues: readonly RawIssue[],
    before: readonly Issue[],
  ): Validated<unknown> => ({
    ok: false,
    issues: [...before, ...explainIssues(view, value, { issues, secrets })],
  });
  const judge = (value: unknown, checked: Checked, before: readonly Issue[]): Validated<unknown> => {
    if (checked.issues !== undefined || before.length > 0) return fail(value, checked.issues ?? [], before);
    return { ok: true, value: checked.value };
  };
  const root = view.keyRule(view.root, {});
  return {
    jsonSchema,
    hasArgument: (name) => root.isKnown(name),
    validate: (value) => {
      const cleaned = clean === undefined ? { value, issues: NO_ISSUES } : clean(value);
      const checked = check(cleaned.value);
      if (!isPromiseLike(checked)) return judge(cleaned.value, checked, cleaned.issues);
      return checked.then((settled) => judge(cleaned.value, settled, cleaned.issues));
    },
  };
}

const NO_ISSUES: readonly Issue[] = [];

function prepare(written: SchemaNode, options: CompileSchemaOptions): SchemaNode {
  assertServable(written, options.owner);
  if (options.side === 'output') return deepFreeze(structuredClone(written));
  const rooted = withOptional(withObjectRoot(written, options.owner), options.suppliedArguments ?? []);
  return deepFreeze(options.unknownArguments === 'reject' ? closeObjects(rooted) : structuredClone(rooted));
}

/** Whoever leaves out an argument that is supplied has sent a valid call: the advertised schema must say so. */
function withOptional(schema: SchemaNode, supplied: readonly string[]): SchemaNode {
  const { required, ...rest } = schema as { required?: unknown };
  if (supplied.length === 0 || !Array.isArray(required)) return schema;
  const remaining = required.filter((name: unknown) => !supplied.includes(String(name)));
  return remaining.length === 0 ? rest : { ...rest, required: remaining };
}

/** Arguments are an object. A union of objects may stay a union, with the type said beside it. */
function withObjectRoot(schema: SchemaNode, owner: string): SchemaNode {
  if (schema['type'] === 'object') return schema;
  const accepted = new SchemaView(schema).acceptedTypes(schema);
  if (schema['type'] === undefined && accepted?.size === 1 && accepted.has('object')) {
    const { $schema, ...rest } = schema as { $schema?: unknown };
    return { ...($schema === undefined ? {} : { $schema }), type: 'object', ...rest };
  }
  const found = accepted === undefined ? 'anything' : [...accepted].join(' or ');
  throw new SchemaError(
    `${owner} must describe an object, because the arguments of a tool are an object; it accepts ${found}. Wrap it, for example: z.object({ value: … }).`,
  );
}

type Cleaner = (value: unknown) => { readonly value: unknown; readonly issues: readonly Issue[] };

/** Libraries whose object schemas drop unknown keys by themselves, at every depth. */
const STRIPPING_VENDORS: ReadonlySet<string> = new Set(['zod', 'valibot']);

function createCleaner(
  view: SchemaView,
  schema: unknown,
  options: CompileSchemaOptions,
): Cleaner | undefined {
  if (options.side === 'output') return undefined;
  const mode = options.unknownArguments ?? 'strip';
  const stripsItself = isStandardSchema(schema) && STRIPPING_VENDORS.has(schema['~standard'].vendor);
  const needsKeys = mode === 'reject' || !stripsItself || options.override !== undefined;
  if (options.repair === true) {
    return (value) => checkKeys(view, repairArguments(view, value), mode);
  }
  return needsKeys ? (value) => checkKeys(view, value, mode) : undefined;
}

function deepFreeze<TValue>(value: TValue): TValue {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) deepFreeze(member);
  }
  return value;
}
