import { cutText } from '../../base/cut-text.ts';
import { SchemaError } from '../../errors/errors.ts';
import type { Check, Checked } from '../issues/checked.ts';
import type { RawIssue } from '../issues/explain.ts';
import { toObjectDocument } from '../convert/convert.ts';
import { joinChecks } from './joined-check.ts';
import { isJoinedSchema } from '../nodes/joined-schema.ts';
import type { JoinedSchema } from '../nodes/joined-schema.ts';
import type { SchemaNode } from '../nodes/json-node.ts';
import type { JsonSchemaCheck, JsonSchemaCompiler } from '../issues/json-schema-compiler.ts';
import { boundZod } from '../expressions/bound-zod.ts';
import type { PatternLimits } from '../expressions/bounded-expression.ts';
import { isStandardSchema } from '../nodes/schema-types.ts';
import { toRawIssues } from '../issues/standard-issue.ts';
import type { StandardIssue } from '../issues/standard-issue.ts';
import { isPromiseLike } from '../../base/maybe-promise.ts';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import { mayBeAsyncZod } from '../zod/zod-async.ts';

/** Options of {@link createCheck}. */
export interface CheckOptions {
  /** Names the schema in messages. */
  readonly owner: string;
  readonly side: 'input' | 'output';
  readonly override?: SchemaNode;
  /** Patterns that must not be tried on long strings. */
  readonly limits?: PatternLimits | undefined;
  readonly jsonSchemaCompiler: () => JsonSchemaCompiler;
}

/** The library's own validator, that of the advertised JSON Schema, or both if the author overrides the advertised schema. */
export function createCheck(schema: unknown, jsonSchema: SchemaNode, options: CheckOptions): Check {
  const own = ownCheck(schema, options);
  if (options.override === undefined) return own ?? jsonSchemaCheck(jsonSchema, options);
  const advertised = jsonSchemaCheck(jsonSchema, options);
  const author = own ?? jsonSchemaCheck(schema as SchemaNode, options);
  return (value, stopsEarly) => {
    const shown = advertised(value, stopsEarly);
    const written = author(value, stopsEarly);
    return isPromiseLike(written) ? written.then((settled) => join(shown, settled)) : join(shown, written);
  };
}

/** The validator of the schema's own library; undefined for a JSON Schema. */
function ownCheck(schema: unknown, options: CheckOptions): Check | undefined {
  if (isJoinedSchema(schema)) return joinedCheck(schema, options);
  return isStandardSchema(schema) ? standardCheck(schema, options.limits) : undefined;
}

function joinedCheck({ parts }: JoinedSchema, options: CheckOptions): Check {
  const checked = parts.map((part) => {
    if (isStandardSchema(part)) {
      const document = findDocument(part, options);
      return {
        check: standardCheck(part, options.limits),
        document,
        strips: part['~standard'].vendor === 'zod',
      };
    }
    const document = toObjectDocument(part, options);
    return { check: jsonSchemaCheck(document, options), document, strips: false };
  });
  return joinChecks(checked, options.owner, options.limits);
}

/** With an override, the library's schema need not be convertible to JSON Schema. */
function findDocument(part: unknown, options: CheckOptions): SchemaNode | undefined {
  try {
    return toObjectDocument(part, options);
  } catch (error) {
    if (options.override === undefined || !(error instanceof SchemaError)) throw error;
    return undefined;
  }
}

/** Issues of the override come first, because it is what the model was shown; those of the author's schema follow, one per path. */
function join(shown: Checked, own: Checked): Checked {
  if (shown.issues === undefined || own.issues === undefined) return shown.issues === undefined ? own : shown;
  const known = new Set(shown.issues.map(pathText));
  return { issues: [...shown.issues, ...own.issues.filter((issue) => !known.has(pathText(issue)))] };
}

/** The path of an issue as a short key: there may be thousands below a key of megabytes. */
function pathText({ path }: RawIssue): string {
  return JSON.stringify(path.map((key) => (typeof key === 'string' ? `${cutText(key)} ${key.length}` : key)));
}

function jsonSchemaCheck(
  jsonSchema: SchemaNode,
  options: CheckOptions,
): (value: unknown, stopsEarly?: boolean) => Checked {
  const compiler = options.jsonSchemaCompiler();
  const problem = compiler.findProblem(jsonSchema);
  if (problem !== undefined) throw new SchemaError(`${options.owner} is not valid JSON Schema: ${problem}.`);
  let compiled: JsonSchemaCheck | undefined;
  return (value, stopsEarly) => {
    compiled ??= compiler.compile(jsonSchema, options.limits);
    const issues = compiled(value, stopsEarly);
    return issues.length === 0 ? { value } : { issues };
  };
}

interface StandardOwner {
  readonly '~standard': {
    readonly vendor: string;
    readonly validate: (value: unknown) => MaybePromise<StandardResult>;
  };
  readonly safeParseAsync?: unknown;
}

/** Result of Zod's `safeParseAsync`. */
interface ZodResult {
  readonly data?: unknown;
  readonly error?: { readonly issues: readonly StandardIssue[] };
}

interface StandardResult {
  readonly value?: unknown;
  readonly issues?: readonly StandardIssue[] | undefined;
}

/**
 * Zod's `validate` runs synchronously first. For an asynchronous schema it abandons the promise and runs every check again; an abandoned
 * promise that rejects ends the process. Such schemas are validated with `safeParseAsync` instead. A function that returns a promise
 * without being `async` is only recognized after its first call: that call still runs it twice.
 */
function standardCheck(given: StandardOwner, limits: PatternLimits | undefined): Check {
  const schema = limits !== undefined && isZod(given) ? boundZod(given, limits) : given;
  const standard = schema['~standard'];
  // Determined at the first call, so that a server with many tools starts faster: Zod creates the method on first access.
  let isAsync: boolean | undefined;
  return (value) => {
    isAsync ??= isZod(schema) && mayBeAsyncZod(schema);
    if (isAsync && isZod(schema))
      return schema
        .safeParseAsync(value)
        .then(({ data, error }) => read({ value: data, issues: error?.issues }));
    const result = standard.validate(value);
    if (!isPromiseLike(result)) return read(result);
    isAsync = true;
    return result.then(read);
  };
}

/** Other libraries run their validator once, and may use the method name for something else. */
function isZod(schema: StandardOwner): schema is ZodOwner {
  return schema['~standard'].vendor === 'zod' && typeof schema.safeParseAsync === 'function';
}

interface ZodOwner extends StandardOwner {
  readonly safeParseAsync: (value: unknown) => Promise<ZodResult>;
}

function read(result: StandardResult): Checked {
  return result.issues === undefined
    ? { value: result.value }
    : { issues: result.issues.flatMap((issue) => toRawIssues(issue)) };
}
