import { textOfPattern } from './text-of-pattern.ts';

type Node = Readonly<Record<string, unknown>>;

/** Options of generated values. */
export interface GenerateOptions {
  /** Examples and defaults of the schema come first. */
  readonly usesExamples: boolean;
  /** The alternative to use; incremented at each choice. */
  readonly variant?: number;
  /** Only strings of letters and digits, and integers. */
  readonly isPlain?: boolean;
  /** Root for references. Default: the schema itself. */
  readonly root?: unknown;
  /** Optional properties deeper than this are omitted. Default: 3. */
  readonly fullDepth?: number;
}

const MAX_DEPTH = 10;

/** A value for a schema. Every string and every number in it is different, as far as the schema allows. */
export function generateValue(schema: unknown, options: GenerateOptions): unknown {
  return new Generator(options.root ?? schema, options).generate(schema, 0);
}

class Generator {
  readonly #root: unknown;
  readonly #options: GenerateOptions;
  #count = 0;

  constructor(root: unknown, options: GenerateOptions) {
    this.#root = root;
    this.#options = options;
  }

  generate(schema: unknown, depth: number): unknown {
    const node = this.#flatten(schema, 0);
    this.#count += 1;
    const ready = this.#readyValue(node);
    if (ready !== undefined) return ready.value;
    switch (typeOf(node)) {
      case 'object':
        return this.#object(node, depth);
      case 'array':
        return this.#array(node, depth);
      case 'integer':
      case 'number':
        return this.#number(node);
      case 'boolean':
        return true;
      case 'null':
        return null;
      default:
        return this.#text(node);
    }
  }

  #readyValue({
    const: constant,
    enum: values,
    examples,
    default: fallback,
    example,
  }: Node): { value: unknown } | undefined {
    const listed = Array.isArray(values) ? (values as unknown[]) : [];
    // A value that was chosen before may not be allowed here.
    if (constant !== undefined && (listed.length === 0 || listed.includes(constant)))
      return { value: constant };
    const wanted = this.#options.usesExamples ? [first(examples), example, fallback] : [];
    const chosen = wanted.find((value) => value !== undefined && value !== null);
    if (chosen !== undefined) return { value: chosen };
    const known = listed.filter((value) => value !== null && value !== '');
    const [value] = known.length > 0 ? [known[this.#variantOf(known.length)]] : listed;
    return listed.length === 0 ? undefined : { value };
  }

  #variantOf(count: number): number {
    return (this.#options.variant ?? 0) % count;
  }

  /** References followed, `allOf` merged, one alternative chosen. */
  #flatten(schema: unknown, depth: number): Node {
    if (typeof schema !== 'object' || schema === null || depth > 20) return {};
    const { $ref, allOf, anyOf, oneOf, ...own } = schema as Node;
    let node: Node = own;
    if (typeof $ref === 'string') node = merge(this.#flatten(this.#follow($ref), depth + 1), node);
    for (const part of Array.isArray(allOf) ? (allOf as unknown[]) : [])
      node = merge(node, this.#flatten(part, depth + 1));
    for (const choices of [anyOf, oneOf]) {
      if (!Array.isArray(choices) || choices.length === 0) continue;
      const flat = (choices as unknown[]).map((choice) => () => this.#flatten(choice, depth + 1));
      const usable = flat.filter((choice) => typeOf(choice()) !== 'null');
      node = merge(node, usable[this.#variantOf(usable.length || 1)]?.() ?? {});
    }
    return node;
  }

  #follow(reference: string): unknown {
    let place: unknown = this.#root;
    for (const step of reference.replace(/^#\/?/, '').split('/')) {
      if (step === '') continue;
      const name = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
      place = (place as Node | undefined)?.[name];
    }
    return place;
  }

  #object(node: Node, depth: number): unknown {
    const properties = Object.entries((node['properties'] ?? {}) as Node);
    const required = new Set(Array.isArray(node['required']) ? (node['required'] as unknown[]) : []);
    const isFull = depth < (this.#options.fullDepth ?? 3);
    const given = properties
      .filter(([name]) => depth < MAX_DEPTH && (isFull || required.has(name)))
      .map(([name, property]): [string, unknown] => [name, this.generate(property, depth + 1)]);
    const others = node['additionalProperties'];
    const wants = Math.max(Number(node['minProperties'] ?? 0), given.length === 0 && isFull ? 1 : 0);
    const more = typeof others === 'object' ? Math.max(0, wants - given.length) : 0;
    for (let number = 0; number < more; number += 1)
      given.push([`key${number}`, this.generate(others, depth + 1)]);
    for (const name of required)
      if (!properties.some(([known]) => known === name))
        given.push([String(name), this.generate(others, depth + 1)]);
    return Object.fromEntries(given);
  }

  #array(node: Node, depth: number): unknown {
    const least = Number(node['minItems'] ?? 0);
    const most = Number(node['maxItems'] ?? Infinity);
    const count = depth >= MAX_DEPTH ? least : Math.min(Math.max(least, depth < 3 ? 2 : 1), most);
    const prefix = Array.isArray(node['prefixItems']) ? (node['prefixItems'] as unknown[]) : [];
    const items = Array.from({ length: count }, (_, index) =>
      this.generate(prefix[index] ?? node['items'], depth + 1),
    );
    if (node['uniqueItems'] !== true) return items;
    const unique = [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
    return this.#isListOfChoices(node) ? unique.slice(0, Math.max(1, least)) : unique;
  }

  #isListOfChoices({ items }: Node): boolean {
    return Array.isArray(this.#flatten(items, 0)['enum']);
  }

  #number(node: Node): number {
    const format = typeof node['format'] === 'string' ? node['format'] : '';
    const isInteger =
      typeOf(node) === 'integer' || format.startsWith('int') || this.#options.isPlain === true;
    const step = Number(node['multipleOf'] ?? (isInteger ? 1 : 0.5));
    const above = node['exclusiveMinimum'] as number | undefined;
    const below = node['exclusiveMaximum'] as number | undefined;
    const least = Math.max(
      Number(node['minimum'] ?? -Infinity),
      above === undefined ? -Infinity : above + step,
    );
    const most = Math.min(Number(node['maximum'] ?? Infinity), below === undefined ? Infinity : below - step);
    const wanted = 100 + this.#count + (isInteger ? 0 : 0.5);
    const inside = Math.min(Math.max(wanted, least), most);
    const stepped = Math.round(inside / step) * step;
    const fitting = [stepped, stepped - step, stepped + step].find(
      (value) => value >= least && value <= most,
    );
    return fitting ?? inside;
  }

  #text(node: Node): string {
    const least = Number(node['minLength'] ?? 0);
    const most = Number(node['maxLength'] ?? Infinity);
    if (node['contentEncoding'] === 'base64')
      return Buffer.from(`file ${this.#count}\u0000\r\n`).toString('base64');
    if (typeof node['pattern'] === 'string') {
      const matching = textOfPattern(node['pattern']);
      if (matching !== undefined)
        return vary(lengthen(matching, least, node['pattern']).slice(0, most), {
          ...node,
          count: this.#count,
        });
    }
    const format = FORMATS.get(String(node['format']))?.(this.#count);
    const text =
      format ?? (this.#options.isPlain === true ? `value${this.#count}z` : `v${this.#count}z \u00E9&=+#%?`);
    return format === undefined ? text.padEnd(least, '.').slice(0, most) : text;
  }
}

function first(values: unknown): unknown {
  return Array.isArray(values) ? (values as unknown[])[0] : undefined;
}

/** If a pattern allows repetition. */
function lengthen(text: string, least: number, pattern: string): string {
  const longer = text.padEnd(least, text.at(-1) ?? 'x');
  return new RegExp(pattern).test(longer) ? longer : text;
}

/** A different string for each count, if a pattern allows more or other digits. */
function vary(text: string, { pattern, minLength = 0, maxLength = Infinity, count }: Node): string {
  const candidates = [`${text}${String(count)}`, `${text.slice(0, -1)}${Number(count) % 10}`];
  const fits = (each: string): boolean =>
    each.length >= Number(minLength) &&
    each.length <= Number(maxLength) &&
    new RegExp(String(pattern)).test(each);
  return candidates.find(fits) ?? text;
}

function typeOf(node: Node): string {
  const { type } = node;
  if (typeof type === 'string') return type;
  if (Array.isArray(type)) return (type as string[]).find((each) => each !== 'null') ?? 'null';
  if (
    node['properties'] !== undefined ||
    node['additionalProperties'] !== undefined ||
    node['required'] !== undefined
  )
    return 'object';
  if (node['items'] !== undefined || node['prefixItems'] !== undefined) return 'array';
  return node['minimum'] !== undefined || node['maximum'] !== undefined ? 'number' : 'string';
}

/** Two descriptions of one value. */
function merge(one: Node, other: Node): Node {
  const properties = mergeProperties(one['properties'], other['properties']);
  const required = [one['required'], other['required']].flatMap((names) =>
    Array.isArray(names) ? (names as unknown[]) : [],
  );
  return {
    ...one,
    ...other,
    ...(Object.keys(properties).length > 0 ? { properties } : {}),
    ...(required.length > 0 ? { required: [...new Set(required)] } : {}),
  };
}

function mergeProperties(one: unknown, other: unknown): Node {
  const merged = new Map(Object.entries((one ?? {}) as Node));
  for (const [name, schema] of Object.entries((other ?? {}) as Node)) {
    const known = merged.get(name);
    merged.set(name, known === undefined ? schema : { allOf: [known, schema] });
  }
  return Object.fromEntries(merged);
}

const pad = (count: number, length: number): string => String(count).padStart(length, '0').slice(-length);

const FORMATS: ReadonlyMap<string, (count: number) => string> = new Map<string, (count: number) => string>([
  ['date', (count) => `20${pad(count, 2)}-02-28`],
  ['date-time', (count) => `20${pad(count, 2)}-02-28T10:00:00Z`],
  ['time', () => '10:00:00Z'],
  ['duration', (count) => `PT${count}S`],
  ['uuid', (count) => `2f1b0c52-4f4e-4b52-9d0b-${pad(count, 12)}`],
  ['email', (count) => `a${count}@example.com`],
  ['idn-email', (count) => `a${count}@example.com`],
  ['hostname', (count) => `a${count}.example.com`],
  ['ipv4', (count) => `10.0.0.${count % 256}`],
  ['ipv6', (count) => `2001:db8::${(count % 65_536).toString(16)}`],
  ['uri', (count) => `https://example.com/${count}?a=b&c=d`],
  ['url', (count) => `https://example.com/${count}?a=b&c=d`],
  ['uri-reference', (count) => `/a/${count}?b=c`],
  ['uri-template', (count) => `/a/${count}/{b}`],
  ['iri', (count) => `https://example.com/${count}`],
  ['byte', (count) => Buffer.from(`byte ${count}`).toString('base64')],
  ['json-pointer', (count) => `/a/${count}`],
  ['regex', (count) => `a{${count}}`],
]);
