/** Extracts the facts of schemas in a form that makes schemas of documents and of tools comparable. */
import { isObject } from './raw-operations.mjs';

/** Minimum number of characters of a text that must be kept. */
const BEGINNING = 60;
const BOUNDS = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'multipleOf',
  'pattern',
];

/** The start of a text, without invisible characters and line breaks. */
export function beginningOf(text) {
  return visibleText(text).slice(0, BEGINNING).trim();
}

/**
 * Whether a text contains invisible characters, except variation selectors of emoji.
 */
export function isHidden(text) {
  return INVISIBLE.test(text);
}

const INVISIBLE =
  /(?<!\p{Extended_Pictographic})[\ufe0e\ufe0f]|(?![\ufe0e\ufe0f])\p{Default_Ignorable_Code_Point}|[\ufff9-\ufffb]|\p{Cs}|(?![\n\t])\p{Cc}/u;

export function visibleText(text) {
  return text
    .replaceAll(/\p{Default_Ignorable_Code_Point}|[\ufff9-\ufffb]/gu, '')
    .replaceAll(/[\p{Cc}\s\u0085\u2028\u2029]+/gu, ' ')
    .trim();
}

/**
 * Collects the facts (`format: date`), the descriptions and the properties of a schema. References, unions and arrays are followed, so that
 * the structure of the schema does not matter.
 *
 * @param {readonly unknown[]} nodes
 * @param {{ find: (ref: string) => unknown, countsBeside: boolean, isDocument: boolean, shadow?: readonly string[] }} view
 */
export function gather(nodes, view) {
  const gathered = {
    facts: new Set(),
    descriptions: new Set(),
    properties: new Map(),
    readOnly: new Set(),
    odd: [],
    isUnfollowed: false,
  };
  const walker = new Walker(view, gathered);
  for (const node of nodes) walker.visit(node, new Set(view.shadow));
  return gathered;
}

class Walker {
  #view;
  #gathered;
  #seen = new Set();

  constructor(view, gathered) {
    this.#view = view;
    this.#gathered = gathered;
  }

  /** @param {ReadonlySet<string>} shadow facts of outer schemas, which win */
  visit(node, shadow) {
    if (!isObject(node) || this.#seen.has(node)) return;
    this.#seen.add(node);
    if (typeof node.$ref !== 'string') return this.#visitKeywords(node, shadow);
    const { $ref, ...beside } = node;
    const { description, default: fallback } = beside;
    this.#visitKeywords(this.#view.countsBeside ? beside : { description, default: fallback }, shadow);
    const target = this.#view.find($ref);
    if (target === undefined) this.#gathered.isUnfollowed = true;
    return this.visit(target, this.#withSaid(shadow, beside));
  }

  #visitKeywords(node, shadow) {
    this.#addFacts(node, shadow);
    const all = Array.isArray(node.allOf) ? node.allOf : [];
    for (const part of all) this.visit(part, all.length === 1 ? this.#withSaid(shadow, node) : shadow);
    for (const keyword of ['anyOf', 'oneOf', 'prefixItems', 'items']) {
      const parts = Array.isArray(node[keyword]) ? node[keyword] : [node[keyword]];
      for (const part of parts) this.visit(part, NONE);
    }
    if (isObject(node.properties))
      for (const [name, property] of Object.entries(node.properties)) this.#addProperty(name, property);
    if (isObject(node.additionalProperties)) this.#addProperty('*', node.additionalProperties);
  }

  #addProperty(name, property) {
    const { properties } = this.#gathered;
    if (this.#view.isDocument && this.#isReadOnly(property)) this.#gathered.readOnly.add(name);
    else properties.set(name, [...(properties.get(name) ?? []), property]);
  }

  /** In a document, the outer of two descriptions wins; in a tool, both are visible. */
  #withSaid(shadow, node) {
    if (!this.#view.isDocument) return shadow;
    return new Set([...shadow, ...['description', 'default'].filter((key) => node[key] !== undefined)]);
  }

  #isReadOnly(node) {
    let found = node;
    for (let steps = 0; steps < 10 && isObject(found); steps += 1) {
      if (found.readOnly === true) return true;
      const [only, ...others] = Array.isArray(found.allOf) ? found.allOf : [];
      if (typeof found.$ref === 'string') found = this.#view.find(found.$ref);
      else found = others.length === 0 ? only : undefined;
    }
    return false;
  }

  #addFacts(node, shadow) {
    const { facts, descriptions, odd } = this.#gathered;
    const { description, default: fallback, enum: values, format } = node;
    if (typeof description === 'string' && !shadow.has('description') && beginningOf(description) !== '')
      descriptions.add(description);
    if (fallback !== undefined && !shadow.has('default')) facts.add(`default: ${plain(fallback)}`);
    if (typeof format === 'string' && format !== '') facts.add(`format: ${format}`);
    if (Array.isArray(values)) {
      const listed = [...new Set(values.filter((value) => value !== null).map(plain))].sort();
      if (listed.length > 0) facts.add(`enum: ${listed.join(', ')}`);
      else if (values.length === 0) odd.push('an enumeration without values');
    }
    for (const keyword of BOUNDS) {
      const bound = boundOf(node, keyword);
      if (bound === 'odd') odd.push(`a bound that is no number: ${keyword} ${String(node[keyword])}`);
      else if (bound !== undefined) facts.add(`${keyword}: ${bound}`);
    }
  }
}

const NONE = new Set();

/** Normalizes values: numbers and booleans equal the strings that YAML may have parsed them from. */
function plain(value) {
  if (typeof value === 'object') return JSON.stringify(value);
  const text = String(value);
  return /^-?\d+\.\d+$/.test(text) ? String(Number(text)) : text;
}

/** Before OpenAPI 3.1, "exclusive" is a boolean next to the limit. */
function boundOf(node, keyword) {
  const value = node[keyword];
  if (keyword === 'pattern') return typeof value === 'string' && value !== '' ? value : undefined;
  if (keyword.startsWith('exclusive')) {
    const limit = keyword === 'exclusiveMinimum' ? node.minimum : node.maximum;
    return typeof value === 'boolean' ? (value ? limit : undefined) : numberOf(value);
  }
  const flag = keyword === 'minimum' ? node.exclusiveMinimum : node.exclusiveMaximum;
  const isElsewhere = (keyword === 'minimum' || keyword === 'maximum') && flag === true;
  return isElsewhere ? undefined : numberOf(value);
}

function numberOf(value) {
  if (value === undefined || value === null) return undefined;
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : 'odd';
}
