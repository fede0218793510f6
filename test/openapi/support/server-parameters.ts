import type { ServerParameter } from './decode-parameter.ts';

type Members = Readonly<Record<string, unknown>>;

const USUAL: Readonly<Record<string, string>> = {
  path: 'simple',
  header: 'simple',
  query: 'form',
  cookie: 'form',
  querystring: 'form',
};
const FORMATS: Readonly<Record<string, string>> = {
  ssv: 'spaceDelimited',
  tsv: 'tabDelimited',
  pipes: 'pipeDelimited',
};

/** A parameter object of OpenAPI 3 or Swagger 2.0 as a server needs it. References are already resolved. */
export function toServerParameter(given: Members): ServerParameter {
  const place = String(given['in']);
  const [mediaType, content] = Object.entries((given['content'] ?? {}) as Members)[0] ?? [];
  const schema = (given['schema'] ?? (content as Members | undefined)?.['schema'] ?? given) as Members;
  const format = given['type'] === undefined ? undefined : textOf(given['collectionFormat'] ?? 'csv');
  const usual = USUAL[place] ?? 'form';
  const style = format === undefined ? textOf(given['style'] ?? usual) : (FORMATS[format] ?? usual);
  const isExploded = style === 'form' || style === 'cookie' || style === 'deepObject';
  return {
    name: String(given['name']),
    in: place,
    style,
    explode: format === undefined ? Boolean(given['explode'] ?? isExploded) : format === 'multi',
    shape: shapeOf(schema),
    members: Object.keys(schema['properties'] ?? {}),
    isJson: mediaType?.includes('json') === true,
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function shapeOf({ type, properties, items }: Members): ServerParameter['shape'] {
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  if (types.includes('array') || items !== undefined) return 'list';
  return types.includes('object') || properties !== undefined ? 'object' : 'value';
}

/** A value after its conversion to text: numbers and booleans as strings, without missing members. */
export function asTexts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asTexts);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, asTexts(member)]));
  return String(value);
}
