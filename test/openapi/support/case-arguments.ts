import { toBodyArguments } from './body-arguments.ts';
import { GivenFile } from './request-case.ts';
import type { RequestCase } from './request-case.ts';

type Values = Readonly<Record<string, unknown>>;
type FileForm = (file: GivenFile) => unknown;

/** Forms in which a server may accept a file. */
const FILE_FORMS: readonly FileForm[] = [
  ({ base64, name, mimeType }) => ({ data: base64, name, mimeType }),
  ({ base64 }) => base64,
  ({ base64, mimeType }) => `data:${mimeType};base64,${base64}`,
  ({ base64 }) => Buffer.from(base64, 'base64').toString('latin1'),
];

/** Possible arguments of a case for a tool of any server, by the names in its schema. All of them are tried; one that works is enough. */
export function attemptsFor(each: RequestCase, inputSchema: Values): readonly Values[] {
  const hasFile = JSON.stringify(each.given.body ?? null).includes('base64');
  const forms = hasFile ? FILE_FORMS : FILE_FORMS.slice(0, 1);
  const parameters = { ...fixedOf(inputSchema), ...toParameters(each, inputSchema) };
  const attempts = forms
    .flatMap((form) => toBodies(each, inputSchema, form))
    .map((body): Values => ({ ...parameters, ...body }));
  return [...new Map(attempts.map((args) => [JSON.stringify(args), args])).values()];
}

/** Required arguments with only one sensible value. */
function fixedOf({ properties = {}, required = [] }: Values): Values {
  const names = new Set(required as readonly string[]);
  const fixed = Object.entries(properties as Readonly<Record<string, Values>>).flatMap(([name, schema]) => {
    const { default: fallback, const: constant, enum: values = [] } = schema;
    const [first, ...others] = values as readonly unknown[];
    const value = constant ?? fallback ?? (others.length === 0 ? first : undefined);
    return names.has(name) && value !== undefined ? [[name, value] as const] : [];
  });
  return Object.fromEntries(fixed);
}

function toParameters({ given }: RequestCase, { properties = {} }: Values): Values {
  const args = new Map<string, unknown>();
  for (const place of ['path', 'query', 'header', 'cookie'] as const) {
    for (const [name, value] of Object.entries(given[place] ?? {})) {
      const wanted = namesOf(name, place);
      const known = wanted.find((choice) => Object.hasOwn(properties as object, choice) && !args.has(choice));
      args.set(known ?? wanted.find((choice) => !args.has(choice)) ?? name, value);
    }
  }
  return Object.fromEntries(args);
}

/** Possible names of a parameter. */
function namesOf(name: string, place: string): readonly string[] {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '');
  const safe = plain.replaceAll(/[^A-Za-z0-9_.-]+/g, '_').replaceAll(/^_+|_+$/g, '');
  return [
    name,
    safe,
    `${place}_${name}`,
    `${place}_${safe}`,
    `${place}-${name}`,
    `${name}_${place}`,
    name.toLowerCase(),
  ];
}

/** By the names of the schema; otherwise in the usual forms. */
function toBodies(each: RequestCase, inputSchema: Values, form: FileForm): readonly Values[] {
  const { given, parameters = [], body: expected } = each;
  if (given.body === undefined) return [{}];
  const body = withFiles(given.body, form);
  const taken = new Set(Object.keys(toParameters(each, inputSchema)));
  const called = parameters.find(({ in: place }) => place === 'body')?.name;
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  return [
    toBodyArguments(body, inputSchema, { taken, called }),
    { requestBody: body },
    { body },
    ...(isObject ? [body as Values] : []),
    // Some tools take the raw text of the body.
    ...(expected !== undefined && 'text' in expected
      ? [{ requestBody: expected.text }, { body: expected.text }]
      : []),
  ];
}

function withFiles(value: unknown, form: FileForm): unknown {
  if (value instanceof GivenFile) return form(value);
  if (Array.isArray(value)) return value.map((each) => withFiles(each, form));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withFiles(member, form)]));
}
