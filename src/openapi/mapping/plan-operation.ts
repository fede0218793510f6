import { DefinitionError } from '../../errors/errors.ts';
import { CONFIRMATION_ARGUMENT } from '../../pipeline/confirm.ts';
import { ExactIntegers } from '../../schema/convert/exact-integers.ts';
import type { SchemaNode } from '../../schema/nodes/json-node.ts';
import type { Located, Operation, ParameterLocation } from '../model/operation.ts';
import type { RequestPlan } from '../request/request-plan.ts';
import { CONTINUE_ARGUMENT } from '../response/model/response-options.ts';
import type { PagingParameter } from '../response/pagination/pagination-input.ts';
import { collectDefinitions } from '../schemas/collect-definitions.ts';
import type { SchemaConverter } from '../schemas/schema-converter.ts';
import type { Definition, SchemaProblem } from '../schemas/model/conversion.ts';
import { argumentOverrideOf, unmatchedArguments } from '../selection/operation-override.ts';
import type { ArgumentOverride, OperationOverride } from '../selection/operation-override.ts';
import { planBody } from './plan-body.ts';
import { ArgumentNames, sharedArgument } from './planned-arguments.ts';
import type { Argument } from './planned-arguments.ts';
import { settleArgument } from './settle-argument.ts';
import type { SettleOptions, SettledArgument } from './settle-argument.ts';

/** Plan of an operation: its arguments and its request. */
export interface OperationPlan {
  readonly request: RequestPlan;
  /** Complete JSON Schema 2020-12 of the arguments. */
  readonly inputSchema: SchemaNode;
  /** Parses large integers of arguments. */
  readonly integers: ExactIntegers;
  /** Values of missing arguments: defaults of required parameters, and defaults of overrides. */
  readonly defaults: ReadonlyMap<string, unknown>;
  /** Fixed values, which callers cannot send. */
  readonly fixed: ReadonlyMap<string, unknown>;
  readonly secrets: readonly string[];
  /** Query parameters that callers can send, with their arguments: for the next page. */
  readonly query: readonly PagingParameter[];
  readonly problems: readonly SchemaProblem[];
  /** Arguments by their names in the document. */
  readonly known: readonly string[];
  /** Overrides that match no argument. */
  readonly unmatched: readonly string[];
}

/** Options of {@link planOperation}. */
export interface PlanOptions extends SettleOptions {
  readonly argumentNames: 'exact' | 'safe';
  /** Maximum size of all definitions of a tool, in characters. */
  readonly maxSchemaChars: number;
  /** Preferred media types of bodies. */
  readonly preferred: readonly string[];
  /** Whether values of path parameters may contain slashes. */
  readonly allowSlashes: boolean;
}

/** Plans an operation: its arguments, their schema, and its request. */
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
  const settled = all.map((argument) => settleArgument(argument, overrideOf(argument, override), options));
  for (const { chars } of settled) converter.spentChars += chars;
  assertNames(settled, reserved, operation.key);
  assertNoneMissing(settled, operation.key);
  const nameOf = namesAfter(settled, override);
  return {
    request: {
      key: operation.key,
      method: operation.method,
      path: operation.path,
      parameters: parameters.map(({ parameter, argument }) => ({
        parameter,
        argument: nameOf(argument.name),
        allowSlashes: overrideOf(argument, override).allowSlashes ?? options.allowSlashes,
      })),
      body: body === undefined ? undefined : renameBody(body.body, nameOf),
    },
    ...toDocument(settled, options, operation.body !== undefined && body === undefined ? [NO_BODY] : []),
    ...valuesOf(settled),
    query: settled
      .filter(({ argument, isHidden }) => argument.location === 'query' && !isHidden)
      .map(({ argument, name, schema }) => ({
        argument: name,
        name: argument.property ?? name,
        ...typeIn(schema),
      })),
    known: all.map(({ property = 'body' }) => property),
    unmatched: unmatchedArguments(override, all),
  };
}

/**
 * The single type of an argument apart from `null`. Otherwise a value from a response could have a type that the
 * schema rejects.
 */
function typeIn({ type }: SchemaNode): Pick<PagingParameter, 'type'> {
  const types = [type].flat().filter((each) => typeof each === 'string' && each !== 'null');
  return types.length === 1 ? { type: String(types[0]) } : {};
}

type NameOf = (name: string) => string;

const asBefore: NameOf = (name) => name;

/** Names of arguments after overrides. */
function namesAfter(settled: readonly SettledArgument[], override: OperationOverride): NameOf {
  if (override.arguments === undefined) return asBefore;
  const renamed = new Map(settled.map(({ argument, name }) => [argument.name, name]));
  return (name) => renamed.get(name) ?? name;
}

/** Default, fixed and secret values. */
function valuesOf(
  settled: readonly SettledArgument[],
): Pick<OperationPlan, 'defaults' | 'fixed' | 'secrets'> {
  const defaults = new Map<string, unknown>();
  const fixed = new Map<string, unknown>();
  const secrets: string[] = [];
  for (const each of settled) {
    if (each.fallback !== undefined) defaults.set(each.name, each.fallback);
    if (each.fixed !== undefined) fixed.set(each.name, each.fixed);
    if (each.isSecret && !each.isHidden) secrets.push(each.name.replaceAll('.', '\\.'));
  }
  return { defaults, fixed, secrets };
}

/** Reserved argument names. */
const RESERVED: readonly string[] = [CONTINUE_ARGUMENT, CONFIRMATION_ARGUMENT];

/** Rejects names from overrides that are already used. */
function assertNames(settled: readonly SettledArgument[], reserved: readonly string[], key: string): void {
  const taken = new Set(reserved);
  for (const { name } of settled) {
    if (name.trim() === '') throw new DefinitionError(`An argument of ${key} has an empty name. Rename it.`);
    if (taken.has(name))
      throw new DefinitionError(
        reserved.includes(name)
          ? `Invalid argument name "${name}" of ${key}: the name is reserved. Use another one.`
          : `Two arguments of ${key} have the name "${name}". Rename one of them.`,
      );
    taken.add(name);
  }
}

/** Rejects hidden required arguments without a value: every call would fail. */
function assertNoneMissing(settled: readonly SettledArgument[], key: string): void {
  const missing = settled.find(
    ({ argument, isHidden, fallback, fixed }) =>
      isHidden && argument.required && fallback === undefined && fixed === undefined,
  );
  if (missing === undefined) return;
  throw new DefinitionError(
    `The argument "${missing.name}" of ${key} is required, but hidden. Give it a default or a fixed value.`,
  );
}

interface PlannedParameterArgument {
  readonly parameter: Operation['parameters'][number];
  readonly argument: Argument;
}

/** Path parameters get their names first: every call needs them. */
const ORDER: readonly ParameterLocation[] = ['path', 'query', 'querystring', 'header', 'cookie'];

/** Schema of a parameter without one. */
const TEXT: Located = { value: { type: 'string' }, base: 'inline:/text' };

function planParameters({ parameters }: Operation, names: ArgumentNames): PlannedParameterArgument[] {
  return parameters
    .toSorted((one, other) => ORDER.indexOf(one.in) - ORDER.indexOf(other.in))
    .map((parameter) => ({
      parameter,
      argument: sharedArgument(parameter, {
        name: names.take(parameter.name, `${parameter.in}_${parameter.name}`),
        location: parameter.in,
        property: parameter.name,
        schema: parameter.schema ?? TEXT,
        file: false,
        description: parameter.description,
        required: parameter.required,
        isNeeded: false,
        deprecated: parameter.deprecated,
        example: parameter.example,
      }),
    }));
}

/** A whole body is named `body`. */
function overrideOf({ location, property }: Argument, override: OperationOverride): ArgumentOverride {
  return argumentOverrideOf(override, location, property ?? 'body');
}

/** Maximum size of all schemas of all tools, in characters. Longer lists are useless. */
const MAX_ALL_CHARS = 64_000_000;

function assertRoom({ spentChars }: SchemaConverter): void {
  if (spentChars <= MAX_ALL_CHARS) return;
  throw new DefinitionError(
    `The schemas of the document's tools have more than ${MAX_ALL_CHARS} characters together. Use filters to import fewer operations.`,
  );
}

const NO_BODY: SchemaProblem = {
  text: 'its body is multipart with parts that have no names; it is called without one',
  isFatal: false,
};

function toDocument(
  settled: readonly SettledArgument[],
  { converter, maxSchemaChars }: PlanOptions,
  known: readonly SchemaProblem[],
): Pick<OperationPlan, 'inputSchema' | 'integers' | 'problems'> {
  const properties: [string, SchemaNode][] = [];
  const required: string[] = [];
  const uses = new Set<Definition>();
  const problems: SchemaProblem[] = [...known];
  for (const each of settled) {
    if (each.isHidden) continue;
    properties.push([each.name, each.schema]);
    if (each.required) required.push(each.name);
    for (const definition of each.uses) uses.add(definition);
    problems.push(...each.problems);
  }
  const { $defs, problems: further } = collectDefinitions(converter, uses, maxSchemaChars);
  const inputSchema = {
    type: 'object',
    // From entries: an argument can have any name, even `__proto__`.
    properties: Object.fromEntries(properties),
    ...(required.length > 0 ? { required } : {}),
    ...($defs === undefined ? {} : { $defs }),
  };
  return { inputSchema, integers: new ExactIntegers(inputSchema), problems: [...problems, ...further] };
}

function renameBody(
  body: NonNullable<RequestPlan['body']>,
  nameOf: NameOf,
): NonNullable<RequestPlan['body']> {
  if (nameOf === asBefore) return body;
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
