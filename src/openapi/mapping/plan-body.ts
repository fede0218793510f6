import { DefinitionError } from '../../errors/errors.ts';
import { isNode, namedTypes } from '../../schema/nodes/json-node.ts';
import { refOf } from '../document/references.ts';
import type { BodyContent, Located, Operation } from '../model/operation.ts';
import type { PlannedBody, PlannedContent, PlannedProperty } from '../request/request-plan.ts';
import type { ConverterParts } from '../schemas/model/conversion.ts';
import { withSubtypes } from '../schemas/subtypes.ts';
import { findBodyProperties } from './body-properties.ts';
import type { BodyProperty } from './body-properties.ts';
import { isFileProperty, mediaKindOf } from './media-kinds.ts';
import type { MediaKind } from './media-kinds.ts';
import { sharedArgument } from './planned-arguments.ts';
import type { Argument, ArgumentNames } from './planned-arguments.ts';

/** Serialization of a body, and its arguments. */
export interface BodyPlan {
  readonly body: PlannedBody;
  readonly arguments: readonly Argument[];
}

/** Order of preference: the easiest for a model first. */
const PREFERENCE: readonly MediaKind[] = ['json', 'form', 'multipart', 'text', 'xml', 'binary'];

/** Options of {@link planBody}. */
export interface BodyParts {
  readonly parts: ConverterParts;
  readonly names: ArgumentNames;
  /** Preferred media types, in order; others follow. */
  readonly preferred: readonly string[];
}

/** Plans a body; undefined if there is none. */
export function planBody({ body }: Operation, { parts, names, preferred }: BodyParts): BodyPlan | undefined {
  if (body === undefined) return undefined;
  const read = body.contents
    .map((content) => readContent(content, parts))
    .filter((each) => hasNames(each, parts));
  if (read.length === 0 && !body.required) return undefined;
  if (read.length === 0)
    throw new DefinitionError('its body is multipart with parts that have no names, which cannot be sent');
  const ranked =
    read.length < 2 ? read : read.toSorted((one, other) => rank(one, preferred) - rank(other, preferred));
  const chosen = chooseContents(ranked);
  if (chosen.length === 0) return undefined;
  const planner = new ContentPlanner(chosen, { body, names });
  const contents = chosen.map((each) => planner.plan(each));
  return { body: { required: body.required, contents }, arguments: planner.arguments };
}

/** Parts of a multipart body need names, which an array of parts does not have. */
function hasNames({ kind, schema, properties }: ReadContent, { references }: ConverterParts): boolean {
  if (kind !== 'multipart' || properties !== undefined || schema === undefined) return true;
  const found = references.follow(schema);
  const types = 'problem' in found || !isNode(found.value) ? undefined : namedTypes(found.value);
  return types === undefined || types.includes('object');
}

/** A property and whether it is a file, which is determined on first use. */
class FileBodyProperty implements BodyProperty {
  readonly name: string;
  readonly schema: Located;
  readonly required: boolean;
  readonly #contentType: string | undefined;
  readonly #parts: ConverterParts;
  #file: 'list' | boolean | undefined;

  constructor(
    { name, schema, required }: BodyProperty,
    contentType: string | undefined,
    parts: ConverterParts,
  ) {
    this.name = name;
    this.schema = schema;
    this.required = required;
    this.#contentType = contentType;
    this.#parts = parts;
  }

  get file(): 'list' | boolean {
    this.#file ??= isFileProperty(this.schema, this.#contentType, this.#parts);
    return this.#file;
  }
}

/** A media type of a body, and its arguments. */
interface ReadContent {
  readonly content: BodyContent;
  readonly kind: MediaKind;
  readonly schema: Located | undefined;
  /** Undefined: the body is one argument. */
  readonly properties: readonly FileBodyProperty[] | undefined;
}

function readContent(content: BodyContent, parts: ConverterParts): ReadContent {
  const kind = mediaKindOf(content, parts);
  const { schema } = content;
  const isObject = kind === 'json' || kind === 'form' || kind === 'multipart';
  if (schema === undefined || !isObject) return { content, kind, schema, properties: undefined };
  return { content, kind, ...readObject(content, schema, { kind, parts }) };
}

type ReadObject = Pick<ReadContent, 'properties' | 'schema'>;

interface ObjectParts {
  readonly kind: MediaKind;
  readonly parts: ConverterParts;
}

/** Cached: operations share bodies, and some are large. */
const known = new WeakMap<ConverterParts, WeakMap<object, Map<MediaKind, ReadObject>>>();

function readObject(content: BodyContent, schema: Located, { kind, parts }: ObjectParts): ReadObject {
  const value = Object.keys(content.encoding).length === 0 ? meantBy(schema, parts) : undefined;
  if (value === undefined) return readAnew(content, schema, { kind, parts });
  let ofParts = known.get(parts);
  if (ofParts === undefined) known.set(parts, (ofParts = new WeakMap()));
  let ofSchema = ofParts.get(value);
  if (ofSchema === undefined) ofParts.set(value, (ofSchema = new Map()));
  let read = ofSchema.get(kind);
  if (read === undefined) ofSchema.set(kind, (read = readAnew(content, schema, { kind, parts })));
  return read;
}

/** The target of a reference, as a cache key. Only the first step of a chain: later ones may add members. */
function meantBy({ value, base }: Located, { references }: ConverterParts): object | undefined {
  if (!isNode(value)) return undefined;
  const ref = refOf(value);
  if (ref === undefined || Object.keys(value).length > 1) return value;
  const found = references.resolve(ref, base);
  return 'problem' in found || !isNode(found.value) ? undefined : found.value;
}

function readAnew(content: BodyContent, schema: Located, { kind, parts }: ObjectParts): ReadObject {
  const choice = kind === 'json' ? withSubtypes(schema, parts) : undefined;
  if (choice !== undefined) return { schema: choice, properties: undefined };
  const found = limit(findBodyProperties(schema, parts, kind === 'multipart'));
  const properties = found?.map((property) => {
    const { name } = property;
    const encoding = Object.hasOwn(content.encoding, name) ? content.encoding[name] : undefined;
    return new FileBodyProperty(property, encoding?.contentType, parts);
  });
  return { schema, properties };
}

/** Maximum number of properties that become arguments; a larger body is one argument. */
const MAX_PROPERTIES = 1000;

type Properties = readonly BodyProperty[] | undefined;

function limit(properties: Properties): Properties {
  return properties !== undefined && properties.length > MAX_PROPERTIES ? undefined : properties;
}

function hasFile({ properties }: ReadContent): boolean {
  return properties?.some(({ file }) => file !== false) === true;
}

function rank(read: ReadContent, preferred: readonly string[]): number {
  const { content, kind } = read;
  const wanted = preferred.indexOf(content.mediaType);
  if (wanted !== -1) return wanted;
  // Bytes are sent as a string only if there is no other way.
  const isUnfit = (kind === 'json' || kind === 'form') && hasFile(read);
  return preferred.length + PREFERENCE.indexOf(isUnfit ? 'multipart' : kind) + (isUnfit ? 0.5 : 0);
}

/** The preferred media type, and those that can carry something it cannot. */
function chooseContents([first, ...others]: readonly ReadContent[]): ReadContent[] {
  if (first === undefined) return [];
  const chosen = [first];
  const known = new Set(first.properties?.map(({ name }) => name));
  for (const other of others) {
    const isNew =
      other.properties === undefined
        ? other.kind === 'binary' && first.kind !== 'binary' && !chosen.some(({ kind }) => kind === 'binary')
        : first.properties === undefined
          ? other.kind === 'multipart' && hasFile(other)
          : other.properties.some(({ name }) => !known.has(name));
    if (!isNew) continue;
    chosen.push(other);
    for (const { name } of other.properties ?? []) known.add(name);
  }
  return chosen;
}

/** State that all media types of a body share. */
interface SharedParts {
  readonly body: NonNullable<Operation['body']>;
  readonly names: ArgumentNames;
}

/** Assigns one argument to each property, even if several media types have it. */
class ContentPlanner {
  readonly arguments: Argument[] = [];
  readonly #chosen: readonly ReadContent[];
  readonly #body: SharedParts['body'];
  readonly #names: ArgumentNames;
  readonly #known = new Map<string, string>();
  /** Properties that every media type requires. */
  readonly #required: ReadonlySet<string>;

  constructor(chosen: readonly ReadContent[], { body, names }: SharedParts) {
    this.#chosen = chosen;
    this.#body = body;
    this.#names = names;
    const [first = NONE, ...others] = chosen.map(requiredOf);
    this.#required =
      others.length === 0
        ? first
        : new Set([...first].filter((name) => others.every((each) => each.has(name))));
  }

  plan(read: ReadContent): PlannedContent {
    const { content, kind, properties } = read;
    if (properties === undefined) {
      const source = { kind: 'whole', argument: this.#wholeArgument(read) } as const;
      return { content, isFile: kind === 'binary', source };
    }
    const planned = properties.map((property): PlannedProperty => ({
      argument: this.#argumentOf(property, kind === 'multipart'),
      property: property.name,
      required: property.required,
      isFile: kind === 'multipart' && property.file !== false,
    }));
    return { content, isFile: false, source: { kind: 'properties', properties: planned } };
  }

  get #isOnly(): boolean {
    return this.#chosen.length === 1;
  }

  #wholeArgument({ content, kind, schema }: ReadContent): string {
    const isFirst = this.arguments.length === 0;
    const name = isFirst ? this.#names.take('body', 'request_body') : this.#names.take('file', 'body_file');
    const required = this.#body.required && this.#isOnly;
    this.arguments.push({
      name,
      location: 'body',
      property: undefined,
      // Models write XML and text as strings, not as JSON objects.
      schema: kind === 'xml' || kind === 'text' ? textSchema(content, kind) : schema,
      file: kind === 'binary',
      description: this.#body.description ?? (isFirst ? undefined : `The body as ${content.mediaType}`),
      required,
      isNeeded: required,
      deprecated: false,
      example: content.example,
    });
    return name;
  }

  #argumentOf(property: FileBodyProperty, isMultipart: boolean): string {
    const { name: own, schema } = property;
    const known = this.#known.get(own);
    if (known !== undefined) return known;
    const name = this.#names.take(own, `body_${own}`);
    this.#known.set(own, name);
    const argument: Argument = {
      name,
      location: 'body',
      property: own,
      schema,
      file: isMultipart && property.file,
      description: undefined,
      required: this.#body.required && this.#required.has(own),
      isNeeded: property.required && this.#isOnly,
      deprecated: false,
      example: undefined,
    };
    this.arguments.push(sharedArgument(isNode(schema.value) ? schema.value : property, argument));
    return name;
  }
}

const NONE: ReadonlySet<string> = new Set();

function requiredOf({ properties = [] }: ReadContent): ReadonlySet<string> {
  return new Set(properties.filter(({ required }) => required).map(({ name }) => name));
}

function textSchema({ mediaType, schema }: BodyContent, kind: MediaKind): Argument['schema'] {
  const base = schema?.base ?? 'inline:/text';
  return {
    value: { type: 'string', description: kind === 'xml' ? `A document of XML (${mediaType})` : mediaType },
    base,
  };
}
