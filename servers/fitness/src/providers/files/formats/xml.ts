import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { checkXmlSize, XML_LIMITS } from './check-xml-size.ts';
import { UnreadableFileError } from './recording.ts';

/** An element: attributes have the prefix `@`, children are arrays by name, text is `#text`. */
export type XmlElement = Readonly<Record<string, unknown>>;

/** Characters of the name of an activity. */
const MAX_NAME = 200;
const PARSER = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  // Neither declared entities nor numbers are expanded; `decode` knows the five names of XML.
  processEntities: false,
  maxNestedTags: XML_LIMITS.depth,
  alwaysCreateTextNode: true,
  ignoreDeclaration: true,
  ignorePiTags: true,
  isArray: (name) => !name.startsWith('@'),
});

/** Parses XML without a document type. Throws an `UnreadableFileError` with the line of a mistake. */
export function parseXml(text: string): XmlElement {
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) {
    throw new UnreadableFileError('it has a document type (DOCTYPE), which is not allowed');
  }
  const isComplete = checkXmlSize(text);
  const checked = XMLValidator.validate(text);
  if (checked !== true) {
    const { line, msg } = checked.err;
    throw new UnreadableFileError(`it is not valid XML, line ${line}: ${msg.slice(0, 160)}`);
  }
  if (!isComplete) throw new UnreadableFileError('it is not valid XML');
  try {
    return PARSER.parse(text) as XmlElement;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new UnreadableFileError(`it is not valid XML: ${reason.slice(0, 160)}`, { cause });
  }
}

/** All elements at the end of a path of names. */
export function elementsAt(from: XmlElement, ...path: readonly string[]): readonly XmlElement[] {
  return path.reduce<readonly XmlElement[]>(
    (elements, name) => elements.flatMap((element) => childrenOf(element, name)),
    [from],
  );
}

export function textAt(from: XmlElement, ...path: readonly string[]): string | undefined {
  const text = elementsAt(from, ...path)[0]?.['#text'];
  return typeof text === 'string' && text.trim() !== '' ? decode(text.trim()) : undefined;
}

/** The name of an activity, shortened. */
export function nameAt(from: XmlElement, ...path: readonly string[]): string {
  return Array.from(textAt(from, ...path) ?? '')
    .slice(0, MAX_NAME)
    .join('');
}

export function numberAt(from: XmlElement, ...path: readonly string[]): number | undefined {
  return toNumber(textAt(from, ...path));
}

export function attributeOf(element: XmlElement, name: string): string | undefined {
  const value = element[`@${name}`];
  return typeof value === 'string' ? decode(value) : undefined;
}

export function toNumber(text: string | undefined): number | undefined {
  const value = text === undefined ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : undefined;
}

/** Unix time in seconds of an ISO 8601 time; undefined without one. */
export function timeAt(from: XmlElement, ...path: readonly string[]): number | undefined {
  const text = textAt(from, ...path);
  if (text === undefined || !/^\d{4}-\d{2}-\d{2}T/.test(text)) return undefined;
  // Times without a zone are UTC, as both formats demand.
  const parsed = Date.parse(/(?:Z|[+-]\d{2}:?\d{2})$/.test(text) ? text : `${text}Z`);
  return Number.isNaN(parsed) ? undefined : Math.round(parsed / 1000);
}

function childrenOf(element: XmlElement, name: string): readonly XmlElement[] {
  const children = Object.hasOwn(element, name) ? element[name] : undefined;
  if (!Array.isArray(children)) return [];
  return children.filter((child): child is XmlElement => typeof child === 'object' && child !== null);
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

function decode(text: string): string {
  return text.replaceAll(/&(lt|gt|quot|apos|amp);/g, (_whole, name: string) => ENTITIES[name] ?? '');
}
