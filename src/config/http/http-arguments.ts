import { didYouMean } from '../../errors/nearest-names.ts';
import { findHeaderMistake } from '../../outbound/request-headers.ts';
import { ExactIntegers } from '../../schema/convert/exact-integers.ts';
import { definePlainSchema } from '../../schema/nodes/plain-schema.ts';
import type { SchemaNode } from '../../schema/nodes/json-node.ts';
import type { Schema } from '../../schema/nodes/schema-types.ts';
import type { HttpToolArgument } from '../file/config-types.ts';
import type { EnvUses } from '../file/env-uses.ts';
import type { Target } from './http-target.ts';
import { checkSmall, createSmallCheck } from '../file/small-schema.ts';
import type { Mistake, SmallSchema } from '../file/small-schema.ts';

/** The location of an argument in the request. */
export type ArgumentLocation = 'body' | 'header' | 'path' | 'query';

/** An argument and its location. */
export interface HttpArgument {
  readonly name: string;
  readonly as: string;
  readonly location: ArgumentLocation;
  readonly argument: HttpToolArgument;
  /** What is sent when nothing is given. */
  readonly fallback: unknown;
  /** Whether that is for us alone. */
  readonly isFallbackHidden: boolean;
  readonly mistakes: readonly Mistake[];
}

/** The parts of a request that locations depend on. */
export interface RequestShape {
  readonly method: string;
  readonly target: Target;
  readonly uses: EnvUses;
}

const WITHOUT_BODY = new Set(['GET', 'HEAD', 'DELETE']);

/** Finds the locations of arguments. */
export function toHttpArguments(
  args: Readonly<Record<string, HttpToolArgument>>,
  shape: RequestShape,
): HttpArgument[] {
  const { method, target, uses } = shape;
  return Object.entries(args).map(([name, argument]) => {
    const as = argument.as ?? name;
    const usual: ArgumentLocation = target.path.names.includes(as)
      ? 'path'
      : WITHOUT_BODY.has(method)
        ? 'query'
        : 'body';
    const at = ['arguments', name, 'default'];
    const given: unknown = uses.find(at) ?? argument.default;
    const { value, mistakes } =
      given === undefined ? { value: given, mistakes: [] } : checkSmall(toProperty(argument), given);
    return {
      name,
      as,
      argument,
      location: argument.in ?? usual,
      fallback: value,
      isFallbackHidden: argument.secret === true || uses.has(at),
      mistakes: mistakes.map((mistake) => ({ ...mistake, path: [...at, ...mistake.path] })),
    };
  });
}

/** What is wrong with arguments, and with an address that names them. */
export function findArgumentMistakes(httpArguments: readonly HttpArgument[], shape: RequestShape): Mistake[] {
  return [
    ...findStrangers(httpArguments, shape),
    ...httpArguments.flatMap((each) => findMistakes(each, shape)),
  ];
}

function findStrangers(httpArguments: readonly HttpArgument[], { target, uses }: RequestShape): Mistake[] {
  const inPath = new Set(httpArguments.filter(({ location }) => location === 'path').map(({ as }) => as));
  const path = ['http', 'url'];
  const written = uses.find(path)?.source;
  return target.path.names
    .filter((name) => !inPath.has(name))
    .map((name) => {
      // What a variable has in braces is not for everybody's eyes.
      if (written !== undefined && !written.includes(`{${name}}`))
        return {
          path,
          message: 'has a name in braces, from the environment, which is not an argument of the tool',
        };
      const known = httpArguments.map((each) => each.name);
      return {
        path,
        message: `names {${name}}, which is not an argument of the tool.${didYouMean(name, known)}`,
      };
    });
}

function findMistakes(each: HttpArgument, { method, target }: RequestShape): readonly Mistake[] {
  const { name, as, location, argument } = each;
  const path = ['arguments', name];
  if (location === 'path' && !target.path.names.includes(as))
    return [{ path: [...path, 'in'], message: `is "path", but the URL has no {${as}}` }];
  if (location === 'path' && (argument.type === 'array' || argument.type === 'object'))
    return [{ path: [...path, 'type'], message: 'must be a single value: it goes into the path' }];
  if (location === 'path' && argument.required === false)
    return [{ path: [...path, 'required'], message: 'must not be false: it goes into the path' }];
  if (location === 'body' && (method === 'GET' || method === 'HEAD'))
    return [{ path: [...path, 'in'], message: `is "body", but ${method} has none` }];
  const header = location === 'header' ? findHeaderMistake(as, '') : undefined;
  if (header !== undefined)
    return [{ path: argument.as === undefined ? path : [...path, 'as'], message: `is wrong: ${header}` }];
  return each.mistakes;
}

/** What is advertised, and enforced. Defaults are filled in; those that are for us alone are not advertised. */
export function toInputSchema(httpArguments: readonly HttpArgument[]): Schema {
  const properties = Object.fromEntries(
    httpArguments.map(({ name, argument, isFallbackHidden }) => {
      const { default: fallback, ...property } = toProperty(argument);
      return [
        name,
        isFallbackHidden || fallback === undefined ? property : { ...property, default: fallback },
      ];
    }),
  );
  const required = httpArguments.filter((each) => isRequired(each)).map(({ name }) => name);
  const document: SmallSchema = {
    type: 'object',
    properties,
    ...(required.length > 0 ? { required } : {}),
  };
  const check = createSmallCheck(document);
  const integers = new ExactIntegers(document as SchemaNode);
  return definePlainSchema(document as SchemaNode, (value) => {
    const { issues } = integers.read(value);
    const { mistakes } = check(value);
    if (issues.length > 0 || mistakes.length > 0) return [...issues, ...mistakes];
    const defaults = httpArguments.filter(
      ({ name, fallback }) => fallback !== undefined && findGiven(value, name) === undefined,
    );
    return { ...value, ...Object.fromEntries(defaults.map(({ name, fallback }) => [name, fallback])) };
  });
}

/** What was given for an argument. Every object seems to have a `constructor` and others, which nobody gave. */
export function findGiven(input: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(input, name) ? input[name] : undefined;
}

function isRequired({ location, argument }: HttpArgument): boolean {
  return argument.default === undefined && (location === 'path' || argument.required === true);
}

function toProperty({
  required: _required,
  in: _in,
  as: _as,
  secret: _secret,
  type = 'string',
  ...schema
}: HttpToolArgument): SmallSchema {
  return { type, ...schema } as SmallSchema;
}
