/**
 * Reads the operations of a document as its authors wrote them. It is implemented from the specification alone, because the import is
 * compared with it.
 */
const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];
const MAX_STEPS = 50;

/** Resolves references within one document. */
export class Resolver {
  constructor(root) {
    this.root = root;
  }

  /** The target of a chain of references; undefined if one leads out of the document or is not a JSON Pointer. */
  resolve(node) {
    let found = node;
    for (let steps = 0; steps < MAX_STEPS && isObject(found) && typeof found.$ref === 'string'; steps += 1)
      found = this.find(found.$ref);
    return found;
  }

  /** Resolves one reference. */
  find(ref) {
    if (!/^#(?:\/|$)/.test(ref)) return undefined;
    let found = this.root;
    for (const step of ref.slice(2).split('/')) {
      const key = decode(step).replaceAll('~1', '/').replaceAll('~0', '~');
      found = isObject(found) || Array.isArray(found) ? found[key] : undefined;
    }
    return found;
  }
}

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** All operations: key, description, parameters and request body. */
export function readRawOperations(root) {
  const resolver = new Resolver(root);
  const isSwagger = root.swagger !== undefined;
  const methods = String(root.openapi).startsWith('3.2') ? [...METHODS, 'query'] : METHODS;
  return Object.entries(root.paths ?? {}).flatMap(([path, given]) => {
    if (path.startsWith('x-')) return [];
    const { $ref: _ref, ...beside } = isObject(given) ? given : {};
    const item = { ...resolver.resolve(given), ...beside };
    return methods
      .filter((method) => isObject(item[method]))
      .map((method) => {
        const operation = resolver.resolve(item[method]) ?? item[method];
        const entries = mergeEntries([item.parameters, operation.parameters], resolver);
        return {
          key: `${method.toUpperCase()} ${path}`,
          path,
          summary: operation.summary ?? item.summary,
          description: operation.description ?? item.description,
          parameters: entries.filter(({ in: place }) => place !== 'body' && place !== 'formData'),
          body: isSwagger
            ? readSwaggerBody(entries, operation.consumes ?? root.consumes ?? [])
            : readBody(operation.requestBody, resolver),
        };
      });
  });
}

/** Parameters of the path and the operation. The later of two with the same name and location wins. */
function mergeEntries(lists, resolver) {
  const merged = new Map();
  for (const entry of lists.flatMap((list) => (Array.isArray(list) ? list : []))) {
    const found = resolver.resolve(entry);
    if (!isObject(found)) continue;
    const name = found.in === 'header' ? String(found.name).toLowerCase() : found.name;
    merged.set(found.in === 'body' ? 'body' : `${found.in} ${name}`, found);
  }
  return [...merged.values()];
}

function readSwaggerBody(entries, consumes) {
  const whole = entries.find((entry) => entry.in === 'body');
  if (whole !== undefined) {
    const mediaType = prefer(consumes.length === 0 ? ['application/json'] : consumes);
    return { mediaType, schema: whole.schema, description: whole.description };
  }
  const fields = entries.filter((entry) => entry.in === 'formData');
  if (fields.length === 0) return undefined;
  const hasFile = fields.some(({ type }) => type === 'file');
  const properties = Object.fromEntries(fields.map((field) => [field.name, field]));
  const mediaType = hasFile ? 'multipart/form-data' : 'application/x-www-form-urlencoded';
  return { mediaType, schema: { type: 'object', properties }, description: undefined };
}

function readBody(given, resolver) {
  const body = resolver.resolve(given);
  const types = Object.keys(body?.content ?? {});
  if (types.length === 0) return undefined;
  const mediaType = prefer(types);
  const content = resolver.resolve(body.content[mediaType]) ?? {};
  return { mediaType, schema: content.schema, description: body.description };
}

const KINDS = [
  ['json', /[/+]json\b|\/(?:x-)?ndjson|json-?(?:seq|lines|l)\b/],
  ['form', /^application\/x-www-form-urlencoded/],
  ['multipart', /^multipart\//],
  ['text', /^text\/(?!xml)/],
  ['xml', /[/+]xml\b/],
  ['any', /\*/],
  ['binary', /^/],
];

/** Preference of media types: JSON, forms, text, any other, binary data. */
export function kindOf(mediaType) {
  const type = mediaType.toLowerCase().trim();
  return KINDS.find(([, pattern]) => pattern.test(type))[0];
}

function prefer(types) {
  const order = KINDS.map(([kind]) => kind);
  return types.toSorted((one, other) => order.indexOf(kindOf(one)) - order.indexOf(kindOf(other)))[0];
}
