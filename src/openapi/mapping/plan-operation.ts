import { DefinitionError } from '../../errors/errors.ts';
import { CONFIRMATION_ARGUMENT } from '../../pipeline/confirm.ts';
import { isNode } from '../../schema/json-node.ts';
import type { SchemaNode } from '../../schema/json-node.ts';
import { toPlainJson } from '../../schema/plain-json.ts';
import { hasHidden } from '../naming/clean-text.ts';
import { describeParameter } from '../naming/describe-parameter.ts';
import type { Operation } from '../operation.ts';
import type { RequestPlan } from '../request/request-plan.ts';
import { CONTINUE_ARGUMENT } from '../response/response-options.ts';
import type { Converted, Definition, SchemaConverter, SchemaProblem } from '../schemas/schema-converter.ts';
import { argumentOverrideOf, unmatchedArguments } from '../selection/operation-override.ts';
import type { ArgumentOverride, OperationOverride } from '../selection/operation-override.ts';
import { fitsType } from '../schemas/convert-types.ts';
import { collectDefinitions } from '../schemas/collect-definitions.ts';
import { fileListSchema, fileSchema } from './file-schema.ts';
import { planBody } from './plan-body.ts';
import { ArgumentNames } from './planned-arguments.ts';
import type { Argument } from './planned-arguments.ts';

/** An operation as a tool calls it. */
export interface OperationPlan {
  readonly request: RequestPlan;
  /** JSON Schema 2020-12 of the arguments, complete. */
  readonly inputSchema: SchemaNode;
  /** Values of arguments that are not given: defaults that the API insists on, and those of overrides. */
  readonly defaults: ReadonlyMap<string, unknown>;
  /** Arguments that nobody can give: their values are fixed. */
  readonly fixed: ReadonlyMap<string, unknown>;
  readonly secrets: readonly string[];
  /** Query parameters and their arguments, for what says how to go on. */
  readonly query: readonly { readonly argument: string; readonly name: string }[];
  readonly problems: readonly SchemaProblem[];
  /** Overrides that fit no argument. */
  readonly unmatched: readonly string[];
}

/** How operations are planned. */
export interface PlanOptions {
  readonly converter: SchemaConverter;
  readonly argumentNames: 'exact' | 'safe';
  readonly maxDescription: number;
  /** Of all definitions of a tool together. */
  readonly maxSchemaChars: number;
  readonly stripHtml: boolean;
  /** Media types that are preferred for bodies. */
  readonly preferred: readonly string[];
}

/** Plans an operation: its arguments, their schema, and how a request is made of them. */
export function planOperation(
  operation: Operation,
  override: OperationOverride,
  options: PlanOptions,
): OperationPlan {
  const { converter } = options;
  assertRoom(converter);
  const reserved = override.confirm === undefined ? [CONTINUE_ARGUMENT] : RESERVED;
  const names = new ArgumentNames({ mode: options.argumentNames, reserved });
  const parameters = planParameters(operation, names);
  const body = planBody(operation, { parts: converter.parts, names, preferred: options.preferred });
  const all = [...parameters.map(({ argument }) => argument), ...(body?.arguments ?? [])];
  const settled = all.map((argument) => settle(argument, overrideOf(argument, override), converter));
  for (const { node } of settled) converter.spentChars += charsOf(node);
  assertNames(settled, reserved, operation.key);
  assertComplete(settled, operation.key);
  const renamed = new Map(settled.map(({ argument, name }) => [argument.name, name]));
  const nameOf = (name: string): string => renamed.get(name) ?? name;
  return {
    request: {
      key: operation.key,
      method: operation.method,
      path: operation.path,
      parameters: parameters.map(({ parameter, argument }) => ({
        parameter,
        argument: nameOf(argument.name),
      })),
      body: body === undefined ? undefined : renameBody(body.body, nameOf),
    },
    ...toDocument(settled, options),
    defaults: new Map(
      settled.flatMap(({ name, fallback }) => (fallback === undefined ? [] : [[name, fallback]])),
    ),
    fixed: new Map(settled.flatMap(({ name, fixed }) => (fixed === undefined ? [] : [[name, fixed]]))),
    secrets: settled
      .filter(({ isSecret, isHidden }) => isSecret && !isHidden)
      .map(({ name }) => name.replaceAll('.', '\\.')),
    query: parameters
      .filter(({ parameter }) => parameter.in === 'query')
      .map(({ parameter, argument }) => ({ argument: nameOf(argument.name), name: parameter.name })),
    unmatched: unmatchedArguments(
      override,
      all.map(({ place, property }) => [place, property ?? 'body']),
    ),
  };
}

/** Names of arguments that mean something else. */
const RESERVED: readonly string[] = [CONTINUE_ARGUMENT, CONFIRMATION_ARGUMENT];

/** Overrides can give names that are taken. */
function assertNames(settled: readonly SettledArgument[], reserved: readonly string[], key: string): void {
  const taken = new Set(reserved);
  for (const { name } of settled) {
    if (name.trim() === '') throw new DefinitionError(`An argument of ${key} would have an empty name.`);
    if (taken.has(name))
      throw new DefinitionError(
        reserved.includes(name)
          ? `No argument of ${key} can be called "${name}", which has a meaning of its own.`
          : `Two arguments of ${key} would be called "${name}". Give one of them another name.`,
      );
    taken.add(name);
  }
}

/** What nobody can give and nobody has given: every call would fail. */
function assertComplete(settled: readonly SettledArgument[], key: string): void {
  const missing = settled.find(
    ({ argument, isHidden, fallback, fixed }) =>
      isHidden && argument.required && fallback === undefined && fixed === undefined,
  );
  if (missing === undefined) return;
  throw new DefinitionError(
    `The argument "${missing.name}" is hidden, and ${key} cannot do without it. Give it a default or a fixed value.`,
  );
}

interface PlannedParameterArgument {
  readonly parameter: Operation['parameters'][number];
  readonly argument: Argument;
}

/** Parameters of the path have their names first: a call cannot do without them. */
function planParameters({ parameters }: Operation, names: ArgumentNames): PlannedParameterArgument[] {
  const order = ['path', 'query', 'querystring', 'header', 'cookie'];
  return parameters
    .toSorted((one, other) => order.indexOf(one.in) - order.indexOf(other.in))
    .map((parameter) => ({
      parameter,
      argument: {
        name: names.take(parameter.name, `${parameter.in}_${parameter.name}`),
        place: parameter.in,
        property: parameter.name,
        schema: parameter.schema ?? { value: { type: 'string' }, base: 'inline:/text' },
        file: false,
        description: parameter.description,
        required: parameter.required,
        isNeeded: false,
        deprecated: parameter.deprecated,
        example: parameter.example,
      },
    }));
}

/** A whole body goes by `body`. */
function overrideOf({ place, property }: Argument, override: OperationOverride): ArgumentOverride {
  return argumentOverrideOf(override, place, property ?? 'body');
}

/** An argument with everything that was said of it. */
interface SettledArgument {
  readonly argument: Argument;
  readonly name: string;
  readonly node: SchemaNode;
  readonly uses: ReadonlySet<Definition>;
  readonly problems: readonly SchemaProblem[];
  readonly description: unknown;
  readonly required: boolean;
  readonly isHidden: boolean;
  readonly isSecret: boolean;
  readonly fallback: unknown;
  readonly fixed: unknown;
}

function settle(argument: Argument, override: ArgumentOverride, converter: SchemaConverter): SettledArgument {
  const converted = argument.file === false ? convertArgument(argument, converter) : NOTHING;
  const node =
    argument.file === false ? (isNode(converted.node) ? converted.node : {}) : toFile(argument, converter);
  // What must be there and can only be one thing need not be said.
  const own = argument.required ? onlyValueOf(node) : undefined;
  const isPath = argument.place === 'path';
  const fallback = override.default ?? own;
  const isHidden = override.hidden === true || override.fixed !== undefined;
  return {
    argument,
    name: override.name ?? argument.name,
    node: override.default === undefined ? node : { ...node, default: toPlain(override.default, argument) },
    uses: converted.uses,
    problems: converted.problems,
    description: override.description ?? argument.description ?? node['description'],
    // A path without one of its parts is another path.
    required: (isPath || (override.required ?? argument.required)) && fallback === undefined && !isHidden,
    isHidden,
    isSecret: override.secret === true,
    fallback,
    fixed: override.fixed,
  };
}

/** What is advertised is JSON, and nobody else's object. */
function toPlain(value: unknown, { name }: Argument): unknown {
  return toPlainJson({ value }, `The default of the argument "${name}"`)['value'];
}

/** All schemas of all tools together. Lists of that length are of no use to anybody. */
const MAX_ALL_CHARS = 64_000_000;

function assertRoom({ spentChars }: SchemaConverter): void {
  if (spentChars <= MAX_ALL_CHARS) return;
  throw new DefinitionError(
    `The schemas of the document's tools have more than ${MAX_ALL_CHARS} characters together. Use filters to import fewer operations.`,
  );
}

/** Longer than the schema of any argument that people write. */
const MAX_ARGUMENT_CHARS = 150_000;

/** What is longer than anybody reads is left open. */
function convertArgument({ name, schema = ANYTHING }: Argument, converter: SchemaConverter): Converted {
  const converted = converter.convert(schema);
  const { node, problems } = converted;
  if (!isNode(node) || charsOf(node) <= MAX_ARGUMENT_CHARS) return converted;
  const { type, description } = node;
  const text = `the schema of "${name}" is longer than ${MAX_ARGUMENT_CHARS} characters; any value is taken there`;
  return {
    node: {
      ...(description === undefined ? {} : { description }),
      ...(type === undefined ? {} : { type }),
    },
    uses: new Set(),
    problems: [...problems, { text, isFatal: false }],
  };
}

/** Many operations share their parameters. */
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
  // A default that the schema itself does not take is a mistake of the document.
  const isUsable = fitsType(fallback, node['type']) && (!Array.isArray(values) || values.includes(fallback));
  return (isUsable ? fallback : undefined) ?? constant ?? only ?? undefined;
}

function toDocument(
  settled: readonly SettledArgument[],
  { converter, maxDescription, maxSchemaChars, stripHtml }: PlanOptions,
): Pick<OperationPlan, 'inputSchema' | 'problems'> {
  const shown = settled.filter(({ isHidden }) => !isHidden);
  const properties = shown.map((each) => [
    each.name,
    describe(each, { maxChars: maxDescription, stripHtml }),
  ]);
  const required = shown.filter((each) => each.required).map(({ name }) => name);
  const uses = shown.flatMap((each) => [...each.uses]);
  const { $defs, problems: further } = collectDefinitions(converter, uses, maxSchemaChars);
  return {
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(properties),
      ...(required.length > 0 ? { required } : {}),
      ...($defs === undefined ? {} : { $defs }),
    },
    problems: [...shown.flatMap(({ problems }) => problems), ...further],
  };
}

/** The schema of an argument with its description in front, where models look first. */
function describe(
  { argument, node, description, required, fallback }: SettledArgument,
  texts: { maxChars: number; stripHtml: boolean },
): SchemaNode {
  const { description: _own, examples, ...rest } = node;
  const deprecated = argument.deprecated || rest['deprecated'] === true;
  const isConditional = argument.isNeeded && !argument.required && fallback === undefined && !required;
  const text = describeParameter(
    { description, deprecated: argument.deprecated },
    { ...texts, examples: false },
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

function renameBody(
  body: NonNullable<RequestPlan['body']>,
  nameOf: (name: string) => string,
): NonNullable<RequestPlan['body']> {
  return {
    ...body,
    contents: body.contents.map((content) => ({
      ...content,
      source:
        content.source.kind === 'whole'
          ? { kind: 'whole', argument: nameOf(content.source.argument) }
          : {
              kind: 'properties',
              properties: content.source.properties.map((each) => ({
                ...each,
                argument: nameOf(each.argument),
              })),
            },
    })),
  };
}
