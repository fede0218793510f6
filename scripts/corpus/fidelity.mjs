/** Measures how much of a document's facts about arguments its tools contain. */
import { isObject, kindOf, readRawOperations, Resolver } from './raw-operations.mjs';
import { ArgumentFinder } from './argument-finder.mjs';
import { beginningOf, gather, isHidden, visibleText } from './schema-facts.mjs';

/** Measures. */
export const MEASURES = [
  'parameters',
  'body properties',
  'nested properties',
  'operation texts',
  'descriptions',
  'enums',
  'formats',
  'defaults',
  'bounds',
];
const ORDER = ['path', 'query', 'querystring', 'header', 'cookie'];
/** Maximum depth: deeper schemas usually repeat. */
const MAX_LEVELS = 12;

/**
 * Compares a document with its tools.
 *
 * @param {object} root the document
 * @param {readonly { key: string, name?: string, outcome: string, notes: readonly string[] }[]} reports
 * @param {readonly { name: string, description?: string, inputSchema: object }[]} tools
 */
export function compareWithDocument(root, reports, tools) {
  const byKey = new Map(reports.map((report) => [report.key, report]));
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const tally = new Tally();
  for (const operation of readRawOperations(root)) {
    const report = byKey.get(operation.key);
    const tool = report?.outcome === 'tool' ? byName.get(report.name) : undefined;
    if (tool !== undefined)
      new OperationComparison({ root, operation, tool, notes: report.notes, tally }).run();
  }
  return tally.toFigures();
}

class Tally {
  counts = Object.fromEntries(MEASURES.map((measure) => [measure, { total: 0, kept: 0 }]));
  lost = [];
  exceptions = new Map();

  count(measure, isKept, where) {
    const count = this.counts[measure];
    count.total += 1;
    if (isKept) count.kept += 1;
    else this.lost.push(`${measure}: ${where}`);
  }

  except(reason, times = 1) {
    if (times > 0) this.exceptions.set(reason, (this.exceptions.get(reason) ?? 0) + times);
  }

  toFigures() {
    return { counts: this.counts, lost: this.lost, exceptions: Object.fromEntries(this.exceptions) };
  }
}

class OperationComparison {
  #operation;
  #tool;
  #notes;
  #tally;
  #finder;
  #resolve;
  #raw;
  #shown;
  #compared = new Set();

  constructor({ root, operation, tool, notes, tally }) {
    this.#operation = operation;
    this.#tool = tool;
    this.#notes = notes;
    this.#tally = tally;
    this.#finder = new ArgumentFinder(Object.keys(tool.inputSchema.properties ?? {}));
    const document = new Resolver(root);
    const schema = new Resolver(tool.inputSchema);
    const countsBeside = /^3\.[1-9]/.test(String(root.openapi));
    this.#resolve = (node) => document.resolve(node);
    this.#raw = { find: (ref) => document.find(ref), countsBeside, isDocument: true };
    this.#shown = { find: (ref) => schema.find(ref), countsBeside: true, isDocument: false };
  }

  run() {
    const { summary, description, parameters, body } = this.#operation;
    const shown = visibleText(this.#tool.description ?? '').toLowerCase();
    for (const text of [summary, description]) {
      if (typeof text !== 'string' || beginningOf(text) === '') continue;
      const isKept = shown.includes(withoutFullStop(beginningOf(text).toLowerCase()));
      this.#tally.count('operation texts', isKept, this.#at(beginningOf(text)));
    }
    const sorted = parameters.toSorted((one, other) => ORDER.indexOf(one.in) - ORDER.indexOf(other.in));
    for (const parameter of sorted) this.#compareParameter(parameter);
    if (body !== undefined) this.#compareBody(body);
  }

  #at(place) {
    return `${this.#operation.key} ${place}`;
  }

  #compareParameter(parameter) {
    const { name, in: place, description } = parameter;
    const excuse = this.#excuseParameter(parameter);
    if (excuse !== undefined) return this.#tally.except(excuse);
    const argument = this.#finder.take(name, place);
    this.#tally.count('parameters', argument !== undefined, this.#at(`${place} ${name}`));
    if (argument === undefined) return undefined;
    const [content] = Object.values(parameter.content ?? {});
    const schema = parameter.schema ?? content?.schema;
    // In Swagger 2.0, the parameter itself has the keywords of a schema.
    if (schema === undefined) return this.#compare([parameter], this.#nodesOf(argument), { where: argument });
    const shadow = this.#compareOwnText(description, argument);
    return this.#compare([schema], this.#nodesOf(argument), { where: argument, shadow });
  }

  #nodesOf(argument) {
    return [this.#tool.inputSchema.properties[argument]];
  }

  /** The reason why a parameter cannot be an argument, by the document or the report. */
  #excuseParameter({ name, in: place }) {
    if (typeof name !== 'string' || name === '') return 'a parameter without a name';
    const isHeader = place === 'header' && this.#hasNote(`the header ${name} is not an argument`);
    if (isHeader) return `the header ${name} is set by itself`;
    const isNowhere = place === 'path' && !this.#operation.path.includes(`{${name}}`);
    return isNowhere && this.#hasNote(`{${name}}`) ? 'a parameter that its path does not have' : undefined;
  }

  #hasNote(text) {
    return this.#notes.some((note) => note.includes(text));
  }

  #compareBody({ mediaType, schema, description }) {
    const kind = kindOf(mediaType);
    if (kind === 'text' || kind === 'xml') {
      this.#tally.except(`a body of ${mediaType} is one text`);
      this.#compareWhole(undefined, description);
      return;
    }
    const { properties, readOnly } = gather([schema], this.#raw);
    properties.delete('*');
    const said = this.#resolve(schema);
    // A caller cannot set anything in an object without members.
    const isEmpty = isObject(said) && isObject(said.properties) && properties.size === 0;
    if (isEmpty) return;
    // Another part of the schema makes it read-only.
    for (const name of readOnly) if (!this.#finder.has(name, 'body')) properties.delete(name);
    const names = [...properties.keys()];
    if (names.length === 0 && kind === 'binary') {
      this.#tally.except(`a body of ${mediaType} is a file`);
      this.#compareWhole(undefined, description);
      return;
    }
    const isWhole = !this.#finder.hasAll(names) && this.#finder.has('body', 'request');
    if (names.length === 0 || isWhole) {
      this.#compareWhole(schema, description);
      return;
    }
    this.#tally.except('a property that is read-only', readOnly.size);
    for (const [name, nodes] of properties) {
      const argument = this.#finder.take(name, 'body');
      this.#tally.count('body properties', argument !== undefined, this.#at(`body ${name}`));
      if (argument === undefined) continue;
      const isFile = kind === 'multipart' && nodes.some((node) => this.#isFile(node));
      if (isFile) this.#tally.except('a property of a form that is a file');
      else this.#compare(nodes, this.#nodesOf(argument), { where: argument });
    }
  }

  /** Compares a request body that is one argument. */
  #compareWhole(schema, description) {
    const argument = this.#finder.take('body', 'request');
    this.#tally.count('body properties', argument !== undefined, this.#at('the body'));
    if (argument === undefined) return;
    const shadow = this.#compareOwnText(description, argument);
    if (schema === undefined || this.#isFile(schema)) return;
    this.#compare([schema], this.#nodesOf(argument), { where: argument, isBody: true, shadow });
  }

  /** The description of a parameter or a request body wins over that of its schema. */
  #compareOwnText(description, argument) {
    if (typeof description !== 'string' || beginningOf(description) === '') return [];
    this.#compare([{ description }], this.#nodesOf(argument), { where: argument });
    return ['description'];
  }

  #isFile(node) {
    const found = this.#resolve(node);
    if (!isObject(found)) return false;
    const { type, format, contentMediaType, items } = found;
    return (
      type === 'file' ||
      format === 'binary' ||
      (contentMediaType !== undefined && found.contentEncoding === undefined) ||
      (isObject(items) && this.#isFile(items))
    );
  }

  #compare(rawNodes, shownNodes, { where, shadow = [], isBody = false, level = 0 }) {
    // A recursive schema has already been compared.
    const isKnown = rawNodes.length > 0 && rawNodes.every((node) => this.#compared.has(node));
    if (isKnown || level > MAX_LEVELS) return;
    for (const node of rawNodes) if (level > 0) this.#compared.add(node);
    const raw = gather(rawNodes, { ...this.#raw, shadow });
    const shown = gather(shownNodes, this.#shown);
    this.#compareFacts(raw, shown, where);
    this.#tally.except('a property that is read-only', raw.readOnly.size);
    if (raw.isUnfollowed) this.#tally.except('a reference by a name instead of a place, not compared');
    for (const [name, nodes] of raw.properties) {
      const found = shown.properties.get(name);
      if (found === undefined && raw.readOnly.has(name)) continue;
      const place = `${where}.${name}`;
      if (found === undefined && this.#isLeftOpen()) {
        this.#tally.except(LEFT_OPEN);
        continue;
      }
      const measure = isBody ? 'body properties' : 'nested properties';
      this.#tally.count(measure, found !== undefined, this.#at(place));
      if (found !== undefined) this.#compare(nodes, found, { where: place, level: level + 1 });
    }
  }

  #compareFacts(raw, shown, where) {
    const texts = [...shown.descriptions].map(visibleText);
    for (const description of raw.descriptions) {
      const wanted = beginningOf(description);
      const isKept = texts.some((text) => text.includes(wanted));
      if (!isKept && this.#isLeftOpen()) {
        this.#tally.except(LEFT_OPEN);
        continue;
      }
      this.#tally.count('descriptions', isKept, this.#at(`${where}: ${wanted}`));
    }
    for (const fact of raw.facts) {
      const [keyword] = fact.split(':', 1);
      const isKept = shown.facts.has(fact);
      const excuse = isKept ? undefined : this.#excuseFact(keyword, fact.slice(keyword.length + 2));
      if (excuse === undefined) this.#tally.count(measureOf(keyword), isKept, this.#at(`${where}: ${fact}`));
      else this.#tally.except(excuse);
    }
    for (const odd of raw.odd) this.#tally.except(odd);
  }

  /** The reason why a fact is missing, if the report gives one and the document confirms it. */
  #excuseFact(keyword, value) {
    const isNamed = keyword === 'pattern' && this.#hasNote(JSON.stringify(value.slice(0, 100)).slice(0, -1));
    if (isNamed) return 'a pattern that the report says is left out or written in another way';
    if (isHidden(value) && this.#hasNote(`${keyword} has signs that nobody sees`))
      return 'a value with characters that nobody sees';
    return this.#isLeftOpen() ? LEFT_OPEN : undefined;
  }

  #isLeftOpen() {
    return this.#hasNote('its schema is longer than');
  }
}

const LEFT_OPEN = 'something in a schema that the report says is too long to be shown whole';

function measureOf(keyword) {
  return { enum: 'enums', format: 'formats', default: 'defaults' }[keyword] ?? 'bounds';
}

/** A summary that repeats the start of the description is omitted. */
function withoutFullStop(text) {
  return text.replace(/\.$/, '');
}
