import { DefinitionError } from '../../errors/errors.ts';
import { findHeaderMistake } from '../../outbound/request-headers.ts';
import type { Parameter } from '../model/operation.ts';
import {
  entriesOf,
  isCompound,
  isNothing,
  itemsOf,
  joinInner,
  missingArgument,
  readArgument,
  refuseArgument,
  toJson,
  toText,
} from './values/argument-values.ts';
import type { Arguments } from './values/argument-values.ts';
import { writeCookies } from './cookie-values.ts';
import { readMediaType } from './values/media-type.ts';
import type { PlannedParameter, RequestPlan } from './request-plan.ts';
import { delimiterOf } from './values/write-pairs.ts';

/** Builds the headers of a request, except those of its body. */
export type BuildHeaders = (input: Arguments) => Record<string, string>;

/** Headers that arguments cannot set: credentials, headers of other parts of the request, and connection headers. */
const NOT_FOR_ARGUMENTS = new Set([
  'authorization',
  'content-type',
  'cookie',
  'cookie2',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'set-cookie',
]);

/** Compiles the header and cookie parameters of a plan; undefined if it has none. */
export function compileHeaders(plan: RequestPlan): BuildHeaders | undefined {
  const headers = plan.parameters.filter(({ parameter }) => parameter.in === 'header');
  const cookies = plan.parameters.filter(({ parameter }) => parameter.in === 'cookie');
  for (const { parameter } of headers) assertName(parameter.name, plan.key);
  if (headers.length === 0 && cookies.length === 0) return undefined;
  return (input) => {
    const written = headers.flatMap((planned) => {
      const value = writeHeader(planned, readRequired(planned, input));
      return value === undefined ? [] : [[planned.parameter.name.toLowerCase(), value] as const];
    });
    const given = cookies.map((planned) => ({ planned, value: readRequired(planned, input) }));
    const cookie = writeCookies(given);
    return Object.fromEntries(cookie === '' ? written : [...written, ['cookie', cookie]]);
  };
}

/** Whether an argument may set a header. */
export function isHeaderForArguments(name: string): boolean {
  return !NOT_FOR_ARGUMENTS.has(name.toLowerCase()) && findHeaderMistake(name, '') === undefined;
}

function assertName(name: string, key: string): void {
  if (!isHeaderForArguments(name))
    throw new DefinitionError(`The header ${JSON.stringify(name)} of ${key} cannot be set by an argument.`);
}

function readRequired({ argument, parameter }: PlannedParameter, input: Arguments): unknown {
  const value = readArgument(input, argument);
  if (value === undefined && parameter.required)
    throw missingArgument(argument, `it is sent as the ${parameter.in} "${parameter.name}"`);
  return value;
}

function writeHeader({ argument, parameter }: PlannedParameter, value: unknown): string | undefined {
  const text = isNothing(value)
    ? undefined
    : writeValue(parameter, joinInner(value, parameter.innerDelimiters));
  if (text === undefined || findHeaderMistake(parameter.name, text) === undefined) return text;
  throw refuseArgument(
    argument,
    `cannot be sent in the header "${parameter.name}": a header has no line breaks, no other control characters, and no characters outside of Latin-1`,
  );
}

/**
 * Values are not encoded: quoting and escaping depend on the header. Delimited arrays are those of Swagger 2.0; every other style counts as
 * `simple`.
 */
function writeValue({ style, explode, contentType }: Parameter, value: unknown): string | undefined {
  if (contentType !== undefined)
    return readMediaType(contentType).kind === 'json' ? toAsciiJson(value) : toText(value);
  if (!isCompound(value)) return toText(value);
  const parts = Array.isArray(value)
    ? itemsOf(value).map(toText)
    : entriesOf(value).map(([key, member]) => `${key}${explode ? '=' : ','}${toText(member)}`);
  const delimiter = explode ? ',' : delimiterOf({ style, encode: (text) => text });
  return parts.length === 0 ? undefined : parts.join(delimiter);
}

/** JSON can escape every character in ASCII; a header allows few others. */
function toAsciiJson(value: unknown): string {
  return toJson(value).replaceAll(
    /[\u007F-\uFFFF]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
