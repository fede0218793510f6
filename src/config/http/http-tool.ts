import { ValidationError } from '../../errors/errors.ts';
import { OutboundError } from '../../outbound/outbound-error.ts';
import type { OutboundAnswer, OutboundClient } from '../../outbound/outbound-client.ts';
import type { OutboundRequest } from '../../outbound/outbound-request.ts';
import { findHeaderMistake } from '../../outbound/request-headers.ts';
import type { AnyToolDefinition } from '../../tools/tool-definition.ts';
import type { HttpToolEntry, HttpToolRequest } from '../file/config-types.ts';
import type { EnvUses } from '../file/env-uses.ts';
import { readAnswer } from './http-answer.ts';
import { findArgumentMistakes, findGiven, toHttpArguments, toInputSchema } from './http-arguments.ts';
import type { ArgumentLocation, HttpArgument } from './http-arguments.ts';
import { readTarget } from './http-target.ts';
import type { Target } from './http-target.ts';
import type { Mistake } from '../file/small-schema.ts';

/** Dependencies of an HTTP tool. */
export interface HttpToolParts {
  readonly client: OutboundClient;
  /** The strings of the entry that contain environment variables. */
  readonly uses: EnvUses;
}

/** Converts a tool of a configuration to a definition, or returns its mistakes. */
export function toHttpTool(
  entry: HttpToolEntry,
  { client, uses }: HttpToolParts,
): { readonly definition: AnyToolDefinition } | { readonly mistakes: readonly Mistake[] } {
  const { http, arguments: args = {}, annotations, ...rest } = entry;
  const { method = 'GET' } = http;
  const target = readTarget(http.url, uses.find(['http', 'url']));
  const ofRequest = findRequestMistakes(http);
  if ('mistake' in target)
    return { mistakes: [{ path: ['http', 'url'], message: target.mistake }, ...ofRequest] };
  const httpArguments = toHttpArguments(args, { method, target, uses });
  const mistakes = [...findArgumentMistakes(httpArguments, { method, target, uses }), ...ofRequest];
  if (mistakes.length > 0) return { mistakes };
  const secrets = httpArguments
    .filter(({ argument }) => argument.secret === true)
    .map(({ name }) => name.replaceAll('.', '\\.'));
  const reading = {
    ...http.response,
    what: `${method} ${target.shown}`,
    uri: toUri(target.shown, entry.name),
    // defence: errors-without-the-environment
    hide: (text: string) => uses.hide(text),
    unseen: unseenUses(args, uses),
  };
  const definition: AnyToolDefinition = {
    ...rest,
    annotations: { ...hintsOf(method), ...annotations },
    ...(secrets.length > 0 ? { secrets } : {}),
    inputSchema: toInputSchema(httpArguments),
    handler: async ({
      input,
      context,
    }: {
      input: Readonly<Record<string, unknown>>;
      context: { signal: AbortSignal };
    }) => {
      const request = toRequest(http, { target, httpArguments, input });
      const { signal } = context;
      const answer = await send({ ...request, method, operation: entry.name, signal }, client, uses);
      return readAnswer(answer, reading);
    },
  };
  return { definition };
}

/** Values of environment variables in the request, such as credentials. They are removed even from successful responses. */
function unseenUses(args: NonNullable<HttpToolEntry['arguments']>, uses: EnvUses): EnvUses {
  const carried = ['headers', 'query', 'body'].map((member) => ['http', member]);
  return uses.within([...carried, ...Object.keys(args).map((name) => ['arguments', name, 'default'])]);
}

/** Finds mistakes that would make every call fail. */
function findRequestMistakes({ headers = {}, response = {} }: HttpToolRequest): Mistake[] {
  const mistakes: Mistake[] = [];
  for (const [name, value] of Object.entries(headers)) {
    const mistake = findHeaderMistake(name, value);
    if (mistake !== undefined)
      mistakes.push({ path: ['http', 'headers', name], message: `is invalid: ${mistake}` });
  }
  if (response.select !== undefined && response.as === 'text')
    mistakes.push({
      path: ['http', 'response', 'select'],
      message: 'requires JSON, but "as" is "text". Remove one of them',
    });
  return mistakes;
}

/** The URL with its braces encoded, or a URI with the name of the tool if the URL comes from the environment. */
function toUri(shown: string, name: string): string {
  const uri = shown.replaceAll(/[{}]/g, (brace) => encodeURIComponent(brace));
  return /^https?:/i.test(uri) && URL.canParse(uri) ? uri : `toolwright:${encodeURIComponent(name)}`;
}

/** Sends a request. Errors name the host, which may come from the environment, so its value is removed. */
async function send(
  request: OutboundRequest,
  client: OutboundClient,
  uses: EnvUses,
): Promise<OutboundAnswer> {
  try {
    return await client.send(request);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    const { failure, message, cause, retryAfterMs } = error;
    throw new OutboundError(failure, uses.hide(message), {
      cause,
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    });
  }
}

/** Annotations by HTTP method. */
function hintsOf(method: string): object {
  return {
    readOnlyHint: method === 'GET' || method === 'HEAD',
    destructiveHint: method === 'DELETE',
    idempotentHint: method !== 'POST' && method !== 'PATCH',
    openWorldHint: true,
  };
}

interface Filled {
  readonly target: Target;
  readonly httpArguments: readonly HttpArgument[];
  readonly input: Readonly<Record<string, unknown>>;
}

function toRequest(http: HttpToolRequest, { target, httpArguments, input }: Filled): OutboundRequest {
  const given = (where: ArgumentLocation): [string, unknown][] =>
    httpArguments
      .filter(({ location, name }) => location === where && findGiven(input, name) !== undefined)
      .map(({ as, name }) => [as, findGiven(input, name)]);
  const path = target.path.fill(Object.fromEntries(given('path').map(([as, value]) => [as, toText(value)])));
  const url = new URL(`${target.origin}${path}`);
  const query = new URLSearchParams(target.query);
  for (const [name, value] of Object.entries(http.query ?? {})) query.set(name, value);
  for (const [name, value] of given('query')) {
    query.delete(name);
    for (const each of Array.isArray(value) ? (value as unknown[]) : [value])
      query.append(name, toText(each));
  }
  url.search = query.toString();
  const body = { ...http.body, ...Object.fromEntries(given('body')) };
  const hasBody = http.body !== undefined || given('body').length > 0;
  const written = hasBody ? writeBody(body, http.bodyType ?? 'json') : undefined;
  return {
    url,
    headers: {
      ...Object.fromEntries(given('header').map(([as, value]) => [as, toHeader(as, toText(value))])),
      ...written?.headers,
      // Configured headers override those of arguments.
      ...http.headers,
    },
    ...(written === undefined ? {} : { body: written.text }),
  };
}

function toHeader(name: string, value: string): string {
  const message = findHeaderMistake(name, value);
  if (message !== undefined) throw new ValidationError([{ path: [name], message }], message);
  return value;
}

function writeBody(
  body: Readonly<Record<string, unknown>>,
  type: 'form' | 'json',
): { readonly text: string; readonly headers: Readonly<Record<string, string>> } {
  if (type === 'json') return { text: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  const form = new URLSearchParams(
    Object.entries(body).map(([name, value]): [string, string] => [name, toText(value)]),
  );
  return { text: form.toString(), headers: { 'content-type': 'application/x-www-form-urlencoded' } };
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
