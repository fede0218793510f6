import { DefinitionError } from '../../errors/errors.ts';
import { readPathTemplate, refusePath } from '../../outbound/fill-path.ts';
import { percentEncode } from '../../outbound/percent-encode.ts';
import { missingArgument, readArgument, toText } from './values/argument-values.ts';
import type { Arguments } from './values/argument-values.ts';
import { readDocumentPath } from './document-path.ts';
import type { PathPart } from './document-path.ts';
import { compilePathValue, isSpanning } from './path-values.ts';
import { compileQueryValue } from './query-values.ts';
import type { PlannedParameter, RequestPlan } from './request-plan.ts';

/** Builds the URL of a request. */
export type BuildUrl = (input: Arguments) => URL;

/** Compiles the base URL, the path and the parameters that are part of the URL. */
export function compileAddress(plan: RequestPlan, baseUrl: string): BuildUrl {
  const { origin, pathname: basePath, search: baseQuery } = readBase(plan.key, baseUrl);
  const folder = withoutEnd(basePath);
  const inPath = plan.parameters.filter(({ parameter }) => parameter.in === 'path');
  const { path, query } = readDocumentPath(plan);
  const spanning = inPath.flatMap((planned, number) => (isSpanning(planned) ? [String(number)] : []));
  const template = readPathTemplate(toTemplate(path, inPath), new Set(spanning));
  const inQuery = plan.parameters.filter(
    ({ parameter }) => parameter.in === 'query' || parameter.in === 'querystring',
  );
  const slots = template.names.flatMap((name) => {
    const planned = inPath[Number(name)];
    return planned === undefined ? [] : [[name, compilePathValue(planned)] as const];
  });
  const queries = [
    ...query.map((pair) => (input: Arguments) => fillPair(pair, input)),
    ...inQuery.map((planned) => compileInQuery(planned, plan.key)),
  ];
  return (input) => {
    const values = new Map<string, string>();
    for (const [name, write] of slots) values.set(name, write(input));
    const filled = template.fillEncoded(values);
    let search = baseQuery.slice(1);
    for (const write of queries) search = joinQuery(search, write(input));
    const pathname = filled === '' ? basePath : `${folder}${filled}`;
    return toUrl(origin, pathname, search === '' ? '' : `?${search}`);
  };
}

/** Numbered placeholders: argument names may have any characters. */
function toTemplate(parts: readonly PathPart[], inPath: readonly PlannedParameter[]): string {
  const numbers = new Map(inPath.map((planned, number) => [planned, number]));
  return parts.map((part) => ('text' in part ? part.text : `{${numbers.get(part.planned)}}`)).join('');
}

/** A path parameter in a query that is part of the document's path. */
function fillPair(parts: readonly PathPart[], input: Arguments): string {
  return parts
    .map((part) => {
      if ('text' in part) return part.text;
      const value = readArgument(input, part.planned.argument);
      if (value === undefined) throw missingArgument(part.planned.argument, 'the address needs it');
      return percentEncode(toText(value ?? ''));
    })
    .join('');
}

/** A parameter without a value is not written. */
function compileInQuery(
  { argument, parameter }: PlannedParameter,
  key: string,
): (input: Arguments) => string {
  const write = compileQueryValue(parameter);
  return (input) => {
    const value = readArgument(input, argument);
    if (value !== undefined) return value === null ? '' : write(value);
    if (parameter.required) throw missingArgument(argument, `${key} needs it in its query`);
    return '';
  };
}

/** The base URL is not shown in messages: its query may contain a key. */
function readBase(key: string, baseUrl: string): URL {
  const base = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (base === undefined || (base.protocol !== 'http:' && base.protocol !== 'https:'))
    throw new DefinitionError(`The base URL of ${key} must be absolute, such as https://api.example.com/v1.`);
  if (base.username !== '' || base.password !== '')
    throw new DefinitionError(
      `The base URL of ${key} must not have a user name or password. Use credentials.`,
    );
  return base;
}

function joinQuery(query: string, more: string): string {
  return query === '' || more === '' ? query + more : `${query}&${more}`;
}

function withoutEnd(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}

/** All parts are encoded, so the parsed URL must equal the joined parts. */
function toUrl(origin: string, pathname: string, search: string): URL {
  const url = new URL(`${origin}${pathname}${search}`);
  if (url.origin !== origin || url.pathname !== pathname || url.search !== search || url.hash !== '')
    throw refusePath();
  return url;
}
