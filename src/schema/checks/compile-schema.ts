import { about } from '../../errors/errors.ts';
import type { Issue } from '../../errors/issue.ts';
import type { Logger } from '../../errors/logger.ts';
import { withObjectRoot, withOptional } from '../convert/argument-root.ts';
import { boundIssues } from './bound-issues.ts';
import { closeObjects } from '../convert/close-objects.ts';
import { toServable } from '../convert/convert.ts';
import { explainIssues, hideInIssues, showPath } from '../issues/explain.ts';
import type { Secrecy } from '../issues/explain.ts';
import { createGuarded } from './guarded-check.ts';
import type { Cleaner, Judge, Validate, ViewOf } from './guarded-check.ts';
import { createHider } from '../issues/hider.ts';
import type { Hide } from '../issues/hider.ts';
import { fromFields } from '../nodes/fields-schema.ts';
import { isJoinedSchema } from '../nodes/joined-schema.ts';
import { isNode, subschemas } from '../nodes/json-node.ts';
import type { SchemaNode } from '../nodes/json-node.ts';
import type { JsonSchemaCompiler } from '../issues/json-schema-compiler.ts';
import type { SlowPatterns } from '../expressions/check-patterns.ts';
import { guardPatterns } from './guard-patterns.ts';
import { deepFreeze } from '../../base/json/deep-freeze.ts';
import type { KeyVerdict } from '../view/key-rule.ts';
import { repairArguments } from '../convert/repair.ts';
import { createCheck } from './schema-check.ts';
import { isStandardSchema } from '../nodes/schema-types.ts';
import { SchemaView } from '../view/schema-view.ts';
import { parseSecretPaths } from '../issues/secret-paths.ts';
import { checkKeys, explainUnknownKey, unchecked } from '../issues/unknown-keys.ts';
import type { UnknownArguments } from '../issues/unknown-keys.ts';
import { isPromiseLike } from '../../base/maybe-promise.ts';
import type { Validated } from '../issues/validated.ts';
import type { MaybePromise } from '../../base/maybe-promise.ts';

/** A compiled schema: the advertised JSON Schema and its validator. */
export interface CompiledSchema<TValue = unknown> {
  /** The advertised JSON Schema; frozen. */
  readonly jsonSchema: SchemaNode;
  /** Whether the schema is known to close no object of its input, and to have no annotations except titles, descriptions and defaults. */
  readonly isOrdinary?: boolean;
  /** Whether the root of the schema names this argument, or accepts arguments that it does not name. */
  hasArgument(name: string): boolean;
  /** Returns a function that hides the secrets of this value in other texts. Lazy: it costs nothing until used. */
  hiderOf(value: unknown): Hide;
  /** Prepares issues of this value that were found elsewhere: hides its secrets, and limits their number. */
  showIssues(value: unknown, issues: readonly Issue[]): readonly Issue[];
  /** Validates a value. `alsoHide` also hides the secrets of another value: the output of a tool may quote its input. */
  validate(value: unknown, alsoHide?: Hide): MaybePromise<Validated<TValue>>;
}

/** Options of {@link compileSchema}. */
export interface CompileSchemaOptions {
  /** Name of the schema in messages, such as `Tool "add": the input schema`. */
  readonly owner: string;
  readonly side: 'input' | 'output';
  /** JSON Schema that is advertised instead of the converted one, and enforced as well. */
  readonly override?: SchemaNode;
  readonly unknownArguments?: UnknownArguments;
  /** Whether numbers, booleans, arrays and objects that were sent as JSON strings are parsed. */
  readonly repair?: boolean;
  /** Dot paths of fields whose values must not appear in messages; see `parseSecretPaths`. */
  readonly secrets?: readonly string[];
  /** Arguments that are supplied before validation if the caller omits them; advertised as optional. */
  readonly suppliedArguments?: readonly string[];
  /** Handling of patterns that can take very long. Default: `'refuse'`. */
  readonly slowPatterns?: SlowPatterns;
  /** Logger for warnings about slow patterns. */
  readonly logger?: Pick<Logger, 'warning'>;
  readonly jsonSchemaCompiler: () => JsonSchemaCompiler;
  /** Name of the option in errors. Default: `inputSchema` or `outputSchema`. */
  readonly option?: string;
}

/** Converts and checks a schema once; the result serves every list and every call. */
export function compileSchema(given: unknown, options: CompileSchemaOptions): CompiledSchema {
  const { side, option = side === 'input' ? 'inputSchema' : 'outputSchema' } = options;
  return about({ option }, () => compile(given, options));
}

function compile(given: unknown, options: CompileSchemaOptions): CompiledSchema {
  // As an output schema, `{}` is the JSON Schema that accepts any value.
  const isAnything = options.side === 'output' && isNode(given) && Object.keys(given).length === 0;
  const schema = isAnything ? given : fromFields(given);
  const own = checksItself(schema) ? undefined : toServable(schema, options);
  const shown =
    own === undefined || options.override !== undefined
      ? toServable(options.override ?? schema, options)
      : own;
  const written = shown.document;
  const documents = own === undefined || own === shown ? [shown] : [own, shown];
  const guard = guardPatterns(documents, schema, options);
  // Arguments are supplied before validation, so the enforced schema still requires them.
  const enforced = prepare(written, options, []);
  const supplied = options.suppliedArguments ?? [];
  const jsonSchema = supplied.length === 0 ? enforced : prepare(written, options, supplied);
  // Created on first use: most values are valid, and a server with many tools need not keep a view for each.
  let made: SchemaView | undefined;
  const viewOf: ViewOf = () => (made ??= new SchemaView(enforced, { limits: guard?.limits }));
  const clean = createCleaner({ root: enforced, isOrdinary: shown.isOrdinary, viewOf }, schema, options);
  const author = createCheck(own?.document ?? schema, enforced, { ...options, limits: guard?.limits });
  const check = boundIssues(author, !checksItself(schema), viewOf);
  const secrets = parseSecretPaths(options.secrets ?? []);
  const hiderOf = (value: unknown): Hide => createHider(viewOf(), value, secrets);
  const judge: Judge = (cleaned, checked, alsoHide) => {
    const { value, unknown, lists } = cleaned;
    // defence: validation
    const isValid = checked.issues === undefined && unknown.length === 0 && lists.length === 0;
    if (isValid) return { ok: true, value: checked.value };
    const issues =
      checked.issues ?? lists.map((path) => ({ path, message: 'must be an object, not an array' }));
    const view = viewOf();
    view.begin();
    const own = hiderOf(cleaned.given);
    const secrecy = { secrets, hide: alsoHide === undefined ? own : (text: string) => alsoHide(own(text)) };
    const shown = [
      ...unknown
        .slice(0, MAX_ISSUES)
        .map((key) => explainUnknownKey(key, showPath(view, { value, path: key.path }, secrecy))),
      ...explainIssues(view, value, { issues: issues.slice(0, MAX_ISSUES), ...secrecy }),
    ].slice(0, MAX_ISSUES);
    if (checked.isIncomplete === true) return { ok: false, issues: [...shown, MORE] };
    return { ok: false, issues: withCount(shown, unknown.length + issues.length) };
  };
  const validate: Validate = (value, alsoHide) => {
    const cleaned = clean === undefined ? unchecked(value) : clean(value);
    const checked = check(cleaned.value);
    if (!isPromiseLike(checked)) return judge(cleaned, checked, alsoHide);
    return checked.then((settled) => judge(cleaned, settled, alsoHide));
  };
  return {
    jsonSchema,
    isOrdinary: shown.isOrdinary,
    hasArgument: (name) => {
      const view = viewOf();
      return view.mentions(view.root, name) || ACCEPTING.has(view.at(view.root, {}).judge(name));
    },
    hiderOf,
    showIssues: (value, issues) => showThrown(viewOf(), value, { issues, secrets, hide: hiderOf(value) }),
    validate: guard === undefined ? validate : createGuarded({ guard, clean, check, judge, viewOf }),
  };
}

/** Whether a schema has its own validator, so that its document is only advertised. */
function checksItself(schema: unknown): boolean {
  return isStandardSchema(schema) || isJoinedSchema(schema);
}

/** Verdicts for arguments of the tool. */
const ACCEPTING: ReadonlySet<KeyVerdict> = new Set(['known', 'welcome', 'silent']);

/** Maximum number of reported issues: an array of 50,000 invalid elements must not produce a response of megabytes. */
const MAX_ISSUES = 100;

const MORE: Issue = { path: [], message: 'has more problems that are not listed' };

function withCount(shown: Issue[], total: number): Issue[] {
  const rest = total - shown.length;
  return rest > 0
    ? [...shown, { path: [], message: `has ${rest} more problems that are not listed` }]
    : shown;
}

function showThrown(
  view: SchemaView,
  value: unknown,
  found: Secrecy & { readonly issues: readonly Issue[] },
): Issue[] {
  const { issues } = found;
  view.begin();
  return withCount(
    hideInIssues(view, value, { ...found, issues: issues.slice(0, MAX_ISSUES) }),
    issues.length,
  );
}

function prepare(
  written: SchemaNode,
  options: CompileSchemaOptions,
  supplied: readonly string[],
): SchemaNode {
  if (options.side === 'output') return deepFreeze(written);
  const rooted = withOptional(withObjectRoot(written, options.owner), supplied);
  return deepFreeze(options.unknownArguments === 'reject' ? closeObjects(rooted) : rooted);
}

/** Libraries whose object schemas drop unknown keys at every depth. */
const STRIPPING_VENDORS: ReadonlySet<string> = new Set(['zod', 'valibot']);

function dropsUnknownKeys(schema: unknown): boolean {
  if (isJoinedSchema(schema)) return schema.parts.every(dropsUnknownKeys);
  return isStandardSchema(schema) && STRIPPING_VENDORS.has(schema['~standard'].vendor);
}

function createCleaner(
  { root, isOrdinary, viewOf }: { root: SchemaNode; isOrdinary: boolean; viewOf: ViewOf },
  schema: unknown,
  options: CompileSchemaOptions,
): Cleaner | undefined {
  if (options.side === 'output') return undefined;
  const mode = options.unknownArguments ?? 'strip';
  // If unknown keys need no stripping here, only forbidden ones have to be found.
  const stripsItself = mode === 'keep' || (dropsUnknownKeys(schema) && options.override === undefined);
  // Only a closed object needs our issue, which names the allowed keys.
  const mayBeClosed = mode === 'reject' || !isOrdinary;
  const needsKeys = !stripsItself || (mayBeClosed && isClosedSomewhere(root));
  const checkAll: Cleaner = needsKeys ? (value) => checkKeys(viewOf(), value, mode) : unchecked;
  if (options.repair === true) return (value) => checkAll(repairArguments(viewOf(), value));
  return needsKeys ? checkAll : undefined;
}

/** Frozen schemas without closed objects, cached because tools of one origin share most of them. */
const openOnes = new WeakSet<SchemaNode>();

function isClosedSomewhere(node: SchemaNode): boolean {
  if (openOnes.has(node)) return false;
  if (node['additionalProperties'] === false || node['unevaluatedProperties'] === false) return true;
  if (subschemas(node).some(({ schema }) => isNode(schema) && isClosedSomewhere(schema))) return true;
  if (Object.isFrozen(node)) openOnes.add(node);
  return false;
}
