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
  /** Default value. */
  readonly fallback: unknown;
  /** Whether the default is not advertised. */
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

/** Finds mistakes in arguments, and unknown arguments in the URL. */
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
      // The braces are part of an environment variable, whose value must not be shown.
      if (written !== undefined && !written.includes(`{${name}}`))
        return {
          path,
          message: 'has an unknown argument in braces, from an environment variable',
        };
      const known = httpArguments.map((each) => each.name);
      return {
        path,
        message: `has the unknown argument {${name}}.${didYouMean(name, known)}`,
      };
    });
}

function findMistakes(each: HttpArgument, { method, target }: RequestShape): readonly Mistake[] {
  const { name, as, location, argument } = each;
  const path = ['arguments', name];
  if (location === 'path' && !target.path.names.includes(as))
    return [{ path: [...path, 'in'], message: `is "path", but the URL has no {${as}}` }];
  if (location === 'path' && (argument.type === 'array' || argument.type === 'object'))
    return [{ path: [...path, 'type'], message: 'must not be array or object for a path argument' }];
  if (location === 'path' && argument.required === false)
    return [{ path: [...path, 'required'], message: 'must not be false for a path argument' }];
  if (location === 'body' && (method === 'GET' || method === 'HEAD'))
    return [{ path: [...path, 'in'], message: `is "body", but ${method} requests have no body` }];
  const header = location === 'header' ? findHeaderMistake(as, '') : undefined;
  if (header !== undefined)
    return [{ path: argument.as === undefined ? path : [...path, 'as'], message: `is invalid: ${header}` }];
  return each.mistakes;
}

/** The input schema of the tool. Defaults are filled in; hidden defaults are not advertised. */
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

/** The value of an argument. Inherited members such as `constructor` are ignored. */
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
