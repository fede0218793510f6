import { didYouMean } from '../errors/nearest-names.ts';
import { readPathTemplate } from '../outbound/fill-path.ts';
import type { PathTemplate } from '../outbound/fill-path.ts';
import type { OutboundClient, OutboundRequest } from '../outbound/outbound-client.ts';
import { definePlainSchema } from '../schema/plain-schema.ts';
import type { Schema } from '../schema/schema-types.ts';
import type { AnyToolDefinition } from '../tools/tool-definition.ts';
import type { HttpToolArgument, HttpToolEntry, HttpToolRequest } from './config-types.ts';
import { readAnswer } from './http-answer.ts';
import { checkSmall } from './small-schema.ts';
import type { Mistake } from './small-schema.ts';

type Place = 'body' | 'header' | 'path' | 'query';

/** One argument, and where it goes. */
interface Placed {
  readonly name: string;
  readonly as: string;
  readonly place: Place;
  readonly argument: HttpToolArgument;
}

/** A tool of a configuration as a definition; or what is wrong with it. */
export function toHttpTool(
  entry: HttpToolEntry,
  client: OutboundClient,
): { readonly definition: AnyToolDefinition } | { readonly mistakes: readonly Mistake[] } {
  const { http, arguments: args = {}, annotations, ...rest } = entry;
  const { method = 'GET' } = http;
  const target = readTarget(http.url);
  if ('mistake' in target) return { mistakes: [{ path: ['http', 'url'], message: target.mistake }] };
  const placed = Object.entries(args).map(([name, argument]) => place(name, argument, { method, target }));
  const mistakes = findMistakes(placed, { method, target });
  if (mistakes.length > 0) return { mistakes };
  const secrets = placed
    .filter(({ argument }) => argument.secret === true)
    .map(({ name }) => name.replaceAll('.', '\\.'));
  const definition: AnyToolDefinition = {
    ...rest,
    annotations: { ...hintsOf(method), ...annotations },
    ...(secrets.length > 0 ? { secrets } : {}),
    inputSchema: toInputSchema(placed),
    handler: async ({
      input,
      context,
    }: {
      input: Readonly<Record<string, unknown>>;
      context: { signal: AbortSignal };
    }) => {
      const request = toRequest(http, { target, placed, input });
      const answer = await client.send({ ...request, method, signal: context.signal });
      return readAnswer(answer, { ...http.response, what: `${method} ${target.origin}${target.template}` });
    },
  };
  return { definition };
}

/** Where a request goes: what is fixed, and what is filled in. */
interface Target {
  readonly origin: string;
  readonly template: string;
  readonly path: PathTemplate;
  readonly query: string;
}

function readTarget(url: string): Target | { readonly mistake: string } {
  const [, origin = '', rest = ''] = /^(https?:\/\/[^/?#]*)(.*)$/is.exec(url) ?? [];
  if (origin === '' || !URL.canParse(origin))
    return { mistake: 'must be an address such as https://api.example.com/users/{id}' };
  const { username, password, origin: plain } = new URL(origin);
  if (/[{}]/.test(origin))
    return { mistake: 'may have braces in its path alone: who is asked must not depend on arguments' };
  if (username !== '' || password !== '')
    return { mistake: 'must not have a user name and a password. Use headers' };
  const [template = '', query = ''] = (rest.split('#')[0] ?? '').split('?', 2);
  if (/[{}]/.test(query))
    return { mistake: 'may have braces in its path alone. Arguments go into the query by themselves' };
  if (/[{}]/.test(template.replaceAll(/\{[^{}/]+\}/g, '')))
    return { mistake: 'has a brace without its counterpart' };
  return { origin: plain, template, path: readPathTemplate(template === '' ? '/' : template), query };
}

const WITHOUT_BODY = new Set(['GET', 'HEAD', 'DELETE']);

interface Context {
  readonly method: string;
  readonly target: Target;
}

function place(name: string, argument: HttpToolArgument, { method, target }: Context): Placed {
  const as = argument.as ?? name;
  const usual: Place = target.path.names.includes(as) ? 'path' : WITHOUT_BODY.has(method) ? 'query' : 'body';
  return { name, as, argument, place: argument.in ?? usual };
}

function findMistakes(placed: readonly Placed[], { method, target }: Context): Mistake[] {
  const inPath = new Set(placed.filter(({ place: where }) => where === 'path').map(({ as }) => as));
  const missing = target.path.names.filter((name) => !inPath.has(name));
  return [
    ...missing.map((name) => ({
      path: ['http', 'url'],
      message: `names {${name}}, which is no argument of the tool.${didYouMean(
        name,
        placed.map((each) => each.name),
      )}`,
    })),
    ...placed.flatMap(({ name, as, place: where, argument }) => {
      const path = ['arguments', name];
      if (where === 'path' && !target.path.names.includes(as))
        return [{ path: [...path, 'in'], message: `is "path", but the URL has no {${as}}` }];
      if (where === 'path' && (argument.type === 'array' || argument.type === 'object'))
        return [{ path: [...path, 'type'], message: 'must be a single value: it goes into the path' }];
      if (where === 'path' && argument.required === false)
        return [{ path: [...path, 'required'], message: 'must not be false: it goes into the path' }];
      if (where === 'body' && (method === 'GET' || method === 'HEAD'))
        return [{ path: [...path, 'in'], message: `is "body", but ${method} has none` }];
      return [];
    }),
  ];
}

/** By what the methods of HTTP are for. */
function hintsOf(method: string): object {
  return {
    readOnlyHint: method === 'GET' || method === 'HEAD',
    destructiveHint: method === 'DELETE',
    idempotentHint: method !== 'POST' && method !== 'PATCH',
    openWorldHint: true,
  };
}

function toInputSchema(placed: readonly Placed[]): Schema {
  const properties = Object.fromEntries(placed.map(({ name, argument }) => [name, toProperty(argument)]));
  const required = placed.filter((each) => isRequired(each)).map(({ name }) => name);
  const document = { type: 'object', properties, ...(required.length > 0 ? { required } : {}) } as const;
  return definePlainSchema(document, (value) => {
    const { mistakes } = checkSmall(document, value);
    if (mistakes.length > 0) return mistakes;
    const defaults = placed.filter(
      ({ name, argument }) => argument.default !== undefined && value[name] === undefined,
    );
    return {
      ...value,
      ...Object.fromEntries(defaults.map(({ name, argument }) => [name, argument.default])),
    };
  });
}

function isRequired({ place: where, argument }: Placed): boolean {
  return argument.default === undefined && (where === 'path' || argument.required === true);
}

function toProperty({
  required: _required,
  in: _in,
  as: _as,
  secret: _secret,
  type = 'string',
  ...schema
}: HttpToolArgument): object {
  return { type, ...schema };
}

interface Filled {
  readonly target: Target;
  readonly placed: readonly Placed[];
  readonly input: Readonly<Record<string, unknown>>;
}

function toRequest(http: HttpToolRequest, { target, placed, input }: Filled): OutboundRequest {
  const given = (where: Place): [string, unknown][] =>
    placed
      .filter((each) => each.place === where && input[each.name] !== undefined)
      .map(({ as, name }) => [as, input[name]]);
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
      ...Object.fromEntries(given('header').map(([as, value]) => [as, toText(value)])),
      ...written?.headers,
      // What the author says wins over what a model says.
      ...http.headers,
    },
    ...(written === undefined ? {} : { body: written.text }),
  };
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
