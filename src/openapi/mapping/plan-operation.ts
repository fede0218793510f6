import { isNode } from '../../schema/json-node.ts';
import type { SchemaNode } from '../../schema/json-node.ts';
import { describeParameter } from '../naming/describe-parameter.ts';
import { safeArgumentName } from '../naming/safe-argument-name.ts';
import type { Operation } from '../operation.ts';
import type { RequestPlan } from '../request/request-plan.ts';
import type { Definition, SchemaConverter, SchemaProblem } from '../schemas/schema-converter.ts';
import { argumentOverrideOf, unmatchedArguments } from '../selection/operation-override.ts';
import type { ArgumentOverride, OperationOverride } from '../selection/operation-override.ts';
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
  const names = new ArgumentNames((name) =>
    options.argumentNames === 'exact' ? name : safeArgumentName(name, NONE),
  );
  const parameters = planParameters(operation, names);
  const body = planBody(operation, { parts: converter.parts, names, preferred: options.preferred });
  const all = [...parameters.map(({ argument }) => argument), ...(body?.arguments ?? [])];
  const settled = all.map((argument) => settle(argument, overrideOf(argument, override), converter));
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
    secrets: settled.filter(({ isSecret }) => isSecret).map(({ name }) => name.replaceAll('.', '\\.')),
    query: parameters
      .filter(({ parameter }) => parameter.in === 'query')
      .map(({ parameter, argument }) => ({ argument: nameOf(argument.name), name: parameter.name })),
    unmatched: unmatchedArguments(
      override,
      all.map(({ place, property }) => [place, property ?? 'body']),
    ),
  };
}

const NONE: ReadonlySet<string> = new Set();

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
  const converted = argument.file === false ? converter.convert(argument.schema ?? ANYTHING) : NOTHING;
  const node =
    argument.file === false ? (isNode(converted.node) ? converted.node : {}) : toFile(argument, converter);
  // What must be there and can only be one thing need not be said.
  const own = argument.required ? onlyValueOf(node) : undefined;
  const fallback = override.default ?? own;
  const isHidden = override.hidden === true || override.fixed !== undefined;
  return {
    argument,
    name: override.name ?? argument.name,
    node: override.default === undefined ? node : { ...node, default: override.default },
    uses: converted.uses,
    problems: converted.problems,
    description: override.description ?? argument.description ?? node['description'],
    required: (override.required ?? argument.required) && fallback === undefined && !isHidden,
    isHidden,
    isSecret: override.secret === true,
    fallback,
    fixed: override.fixed,
  };
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
  return fallback ?? constant ?? only ?? undefined;
}

function toDocument(
  settled: readonly SettledArgument[],
  { converter, maxDescription, stripHtml }: PlanOptions,
): Pick<OperationPlan, 'inputSchema' | 'problems'> {
  const shown = settled.filter(({ isHidden }) => !isHidden);
  const properties = shown.map((each) => [
    each.name,
    describe(each, { maxChars: maxDescription, stripHtml }),
  ]);
  const required = shown.filter((each) => each.required).map(({ name }) => name);
  const closure = [...converter.closureOf(shown.flatMap(({ uses }) => [...uses]))];
  const definitions = closure.map((each) => [each.name, converter.convertDefinition(each).node]);
  return {
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(properties),
      ...(required.length > 0 ? { required } : {}),
      ...(definitions.length > 0 ? { $defs: Object.fromEntries(definitions) } : {}),
    },
    problems: [
      ...shown.flatMap(({ problems }) => problems),
      ...closure.flatMap((each) => converter.convertDefinition(each).problems),
    ],
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
  return isShort && example !== '' ? [example] : undefined;
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
