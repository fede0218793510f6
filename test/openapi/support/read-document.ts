import { readFileSync } from 'node:fs';
import { CORE_SCHEMA, load } from 'js-yaml';
import { toServerParameter } from './server-parameters.ts';
import type { ServerParameter } from './decode-parameter.ts';

type Node = Readonly<Record<string, unknown>>;

/** An operation from the perspective of a server. */
export interface ServerOperation {
  /** `GET /pets/{id}`. */
  readonly key: string;
  readonly method: string;
  /** The path without `#` and `?`. */
  readonly template: string;
  readonly parameters: readonly (ServerParameter & { readonly required: boolean })[];
  /** Undefined if it has no body. */
  readonly body: ServerBody | undefined;
}

export interface ServerBody {
  readonly required: boolean;
  readonly mediaTypes: readonly string[];
  /** Required properties, if it is an object. */
  readonly needs: readonly string[];
  /** By media type. */
  readonly schemas: Readonly<Record<string, unknown>>;
  /** The first example of the document for a media type. */
  readonly example: unknown;
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** Parses a document of any version, without code of Toolwright. References to other files are not followed. */
export function readDocument(file: string): Node {
  return load(readFileSync(file, 'utf8'), { schema: CORE_SCHEMA }) as Node;
}

/** All operations of a document. */
export function operationsOf(document: Node): readonly ServerOperation[] {
  const follow = (value: unknown): Node => followIn(document, value, 0);
  return Object.entries((document['paths'] ?? {}) as Node).flatMap(([path, given]) => {
    const item = follow(given);
    return METHODS.filter((method) => Object.hasOwn(item, method)).map((method) => {
      const operation = item[method] as Node;
      const lists = [item['parameters'], operation['parameters']].flatMap((list) =>
        Array.isArray(list) ? list : [],
      );
      const all = new Map(
        lists.map(follow).map((each) => [`${String(each['in'])} ${String(each['name'])}`, each]),
      );
      const parameters = [...all.values()].filter(
        (each) => !['body', 'formData'].includes(String(each['in'])),
      );
      return {
        key: `${method.toUpperCase()} ${path}`,
        method: method.toUpperCase(),
        template: path.split(/[?#]/)[0] ?? '',
        parameters: parameters.filter(isSent).map((each) => ({
          ...toServerParameter({
            ...each,
            ...(each['schema'] === undefined ? {} : { schema: follow(each['schema']) }),
          }),
          required: each['required'] === true,
        })),
        body:
          document['swagger'] === undefined
            ? readBody(follow(operation['requestBody']), follow)
            : readSwaggerBody([...all.values()], { operation, document, follow }),
      };
    });
  });
}

/** OpenAPI ignores these parameters. */
function isSent({ in: place, name }: Node): boolean {
  return (
    place !== 'header' || !['accept', 'content-type', 'authorization'].includes(String(name).toLowerCase())
  );
}

function followIn(document: Node, value: unknown, depth: number): Node {
  const node = (typeof value === 'object' && value !== null ? value : {}) as Node;
  const { $ref } = node;
  if (typeof $ref !== 'string' || !$ref.startsWith('#/') || depth > 20) return node;
  let place: unknown = document;
  for (const step of $ref.slice(2).split('/')) {
    const name = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
    place = (place as Node | undefined)?.[name];
  }
  return followIn(document, place, depth + 1);
}

type Follow = (value: unknown) => Node;

function readBody(body: Node, follow: Follow): ServerBody | undefined {
  const content = Object.entries((body['content'] ?? {}) as Node);
  const [, first] = content[0] ?? [];
  if (first === undefined) return undefined;
  return {
    required: body['required'] === true,
    mediaTypes: content.map(([mediaType]) => mediaType),
    needs: needsOf(follow(follow(first)['schema']), follow),
    schemas: Object.fromEntries(content.map(([mediaType, media]) => [mediaType, follow(media)['schema']])),
    example: content.map(([, media]) => exampleOf(follow(media), follow)).find((each) => each !== undefined),
  };
}

function exampleOf(media: Node, follow: Follow): unknown {
  if (media['example'] !== undefined) return media['example'];
  const [first] = Object.values((media['examples'] ?? {}) as Node);
  return first === undefined ? undefined : follow(first)['value'];
}

/** Required properties that may be sent. */
function needsOf(schema: Node, follow: Follow): readonly string[] {
  const required = Array.isArray(schema['required']) ? (schema['required'] as string[]) : [];
  const properties = (schema['properties'] ?? {}) as Node;
  return required.filter((name) => follow(properties[name])['readOnly'] !== true);
}

function readSwaggerBody(
  parameters: readonly Node[],
  { operation, document, follow }: { operation: Node; document: Node; follow: Follow },
): ServerBody | undefined {
  const whole = parameters.find((each) => each['in'] === 'body');
  const fields = parameters.filter((each) => each['in'] === 'formData');
  const mediaTypes = (operation['consumes'] ?? document['consumes'] ?? []) as string[];
  if (whole !== undefined) {
    const types = mediaTypes.length > 0 ? mediaTypes : ['application/json'];
    return {
      required: whole['required'] === true,
      mediaTypes: types,
      schemas: Object.fromEntries(types.map((type) => [type, whole['schema']])),
      needs: needsOf(follow(whole['schema']), follow),
      example: undefined,
    };
  }
  if (fields.length === 0) return undefined;
  const required = fields.filter((each) => each['required'] === true);
  return {
    required: required.length > 0,
    mediaTypes: ['multipart/form-data', 'application/x-www-form-urlencoded'],
    needs: required.map((each) => String(each['name'])),
    schemas: {},
    example: undefined,
  };
}
