import { isNode } from '../../schema/nodes/json-node.ts';
import type { SchemaNode } from '../../schema/nodes/json-node.ts';
import { toPlainJson } from '../../schema/convert/plain-json.ts';
import { hasHidden } from '../naming/clean-text.ts';
import { describeParameter } from '../naming/describe-parameter.ts';
import type { SchemaConverter } from '../schemas/schema-converter.ts';
import type { Converted, Definition, SchemaProblem } from '../schemas/model/conversion.ts';
import { showDefault } from '../schemas/model/stray-default.ts';
import { NOTHING as NO_OVERRIDE } from '../selection/operation-override.ts';
import type { ArgumentOverride } from '../selection/operation-override.ts';
import { fileListSchema, fileSchema } from './file-schema.ts';
import type { Argument } from './planned-arguments.ts';

/** Options of {@link settleArgument}. */
export interface SettleOptions {
  readonly converter: SchemaConverter;
  readonly maxDescription: number;
  readonly stripHtml: boolean;
}

/** An argument with its overrides applied. */
export interface SettledArgument {
  readonly argument: Argument;
  readonly name: string;
  /** The advertised schema. */
  readonly schema: SchemaNode;
  /** Length of the schema without its description, in characters. */
  readonly chars: number;
  readonly uses: ReadonlySet<Definition>;
  readonly problems: readonly SchemaProblem[];
  readonly required: boolean;
  readonly isHidden: boolean;
  readonly isSecret: boolean;
  readonly fallback: unknown;
  readonly fixed: unknown;
}

/** Cache of arguments without overrides, which many operations share. */
const known = new WeakMap<SchemaConverter, WeakMap<Argument, SettledArgument>>();

/** Determines schema, description, default and necessity of an argument. */
export function settleArgument(
  argument: Argument,
  override: ArgumentOverride,
  options: SettleOptions,
): SettledArgument {
  if (override !== NO_OVERRIDE) return settle(argument, override, options);
  let ofConverter = known.get(options.converter);
  if (ofConverter === undefined) known.set(options.converter, (ofConverter = new WeakMap()));
  let settled = ofConverter.get(argument);
  if (settled === undefined) ofConverter.set(argument, (settled = settle(argument, override, options)));
  return settled;
}

function settle(argument: Argument, override: ArgumentOverride, options: SettleOptions): SettledArgument {
  const { converter } = options;
  const converted =
    argument.file === false
      ? withFittingDefault(argument, convertArgument(argument, converter), converter)
      : NOTHING;
  const own =
    argument.file === false ? (isNode(converted.node) ? converted.node : {}) : toFile(argument, converter);
  const node =
    override.default === undefined ? own : { ...own, default: toPlain(override.default, argument) };
  // A required argument with a single allowed value is filled in.
  const only = argument.required ? onlyValueOf(own) : undefined;
  const fallback = override.default ?? only;
  const isHidden = override.hidden === true || override.fixed !== undefined;
  // Path parameters are always required.
  const isNeeded = argument.location === 'path' || (override.required ?? argument.required);
  const required = isNeeded && fallback === undefined && !isHidden;
  const description = override.description ?? argument.description ?? node['description'];
  return {
    argument,
    name: override.name ?? argument.name,
    schema: isHidden ? node : describe({ argument, node, description, required, fallback }, options),
    chars: charsOf(node),
    uses: converted.uses,
    problems: converted.problems,
    required,
    isHidden,
    isSecret: override.secret === true,
    fallback,
    fixed: override.fixed,
  };
}

/** Copies a value to plain JSON: advertised schemas share no objects with the document. */
function toPlain(value: unknown, { name }: Argument): unknown {
  return toPlainJson({ value }, `The default of the argument "${name}"`)['value'];
}

/** Maximum size of the schema of one argument, in characters. */
const MAX_ARGUMENT_CHARS = 150_000;

/** Leaves a schema open if it is too long to be read. */
function convertArgument({ name, schema = ANYTHING }: Argument, converter: SchemaConverter): Converted {
  const converted = converter.convert(schema);
  const { node, problems } = converted;
  if (!isNode(node) || charsOf(node) <= MAX_ARGUMENT_CHARS) return converted;
  const { type, description } = node;
  const text = `the schema of "${name}" is longer than ${MAX_ARGUMENT_CHARS} characters; any value is accepted`;
  return {
    node: {
      ...(description === undefined ? {} : { description }),
      ...(type === undefined ? {} : { type }),
    },
    uses: new Set(),
    problems: [...problems, { text, isFatal: false }],
  };
}

/** Removes an invalid default: calls with it would be rejected. */
function withFittingDefault({ name }: Argument, converted: Converted, converter: SchemaConverter): Converted {
  const { node, problems } = converted;
  if (!isNode(node) || node['default'] === undefined || converter.accepts(converted, node['default']))
    return converted;
  const { default: value, ...rest } = node;
  const text = `the default ${showDefault(value)} of "${name}" is invalid under its schema; it is left out`;
  // `null` as a default means none.
  const noted = value === null ? problems : [...problems, { text, isFatal: false }];
  return { ...converted, node: rest, problems: noted };
}

/** Cached: many operations share their parameters. */
const sizes = new WeakMap<object, number>();

function charsOf(node: SchemaNode): number {
  let chars = sizes.get(node);
  if (chars === undefined) {
    chars = JSON.stringify(node).length;
    sizes.set(node, chars);
  }
  return chars;
}

const ANYTHING = { value: {}, base: 'inline:/anything' };
const NOTHING = { node: {}, uses: new Set<Definition>(), problems: [] };

function toFile(argument: Argument, { parts }: SchemaConverter): SchemaNode {
  const found = argument.schema === undefined ? undefined : parts.references.follow(argument.schema);
  const described = found === undefined || 'problem' in found || !isNode(found.value) ? {} : found.value;
  const description = described['description'];
  const node = argument.file === 'list' ? fileListSchema() : fileSchema();
  return typeof description === 'string' ? { ...node, description } : node;
}

function onlyValueOf(node: SchemaNode): unknown {
  const { default: fallback, const: constant, enum: values } = node;
  const only: unknown = Array.isArray(values) && values.length === 1 ? values[0] : undefined;
  const value = fallback ?? constant ?? only ?? undefined;
  // Integers beyond 2^53 were rounded when the document was parsed, so they are not sent.
  return typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)
    ? undefined
    : value;
}

interface Described extends Pick<SettledArgument, 'argument' | 'fallback' | 'required'> {
  readonly node: SchemaNode;
  readonly description: unknown;
}

/** The schema of an argument, with its description first. */
function describe(
  { argument, node, description, required, fallback }: Described,
  { maxDescription, stripHtml }: SettleOptions,
): SchemaNode {
  const { description: _own, examples, ...rest } = node;
  const deprecated = argument.deprecated || rest['deprecated'] === true;
  const isConditional = argument.isNeeded && !argument.required && fallback === undefined && !required;
  const text = describeParameter(
    { description, deprecated: argument.deprecated },
    { maxChars: maxDescription, stripHtml, examples: false },
  );
  const said = isConditional ? `${text === '' ? '' : `${text} `}(Required if a body is sent.)` : text;
  const shownExamples = examples ?? toExamples(argument.example);
  return {
    ...(said === '' ? {} : { description: said }),
    ...rest,
    ...(deprecated ? { deprecated } : {}),
    ...(shownExamples === undefined || rest['default'] !== undefined ? {} : { examples: shownExamples }),
  };
}

function toExamples(example: unknown): readonly unknown[] | undefined {
  const isShort = ['string', 'number', 'boolean'].includes(typeof example) && String(example).length <= 80;
  return isShort && example !== '' && !hasHidden(String(example)) ? [example] : undefined;
}
