import type { BodyContent, Operation } from '../operation.ts';
import type { PlannedBody, PlannedContent, PlannedProperty } from '../request/request-plan.ts';
import type { ConverterParts } from '../schemas/schema-converter.ts';
import { findBodyProperties } from './body-properties.ts';
import type { BodyProperty } from './body-properties.ts';
import { isFileProperty, mediaKindOf } from './media-kinds.ts';
import type { MediaKind } from './media-kinds.ts';
import type { Argument, ArgumentNames } from './planned-arguments.ts';

/** What becomes of a body: how it is sent, and the arguments it is made of. */
export interface BodyPlan {
  readonly body: PlannedBody;
  readonly arguments: readonly Argument[];
}

/** The easiest to write for a model first. */
const PREFERENCE: readonly MediaKind[] = ['json', 'form', 'multipart', 'text', 'xml', 'binary'];

/** What a body is planned with. */
export interface BodyParts {
  readonly parts: ConverterParts;
  readonly names: ArgumentNames;
  /** Media types in the order in which they are wanted; others follow. */
  readonly preferred: readonly string[];
}

/** Plans a body; undefined if there is none, or nothing in it. */
export function planBody({ body }: Operation, { parts, names, preferred }: BodyParts): BodyPlan | undefined {
  if (body === undefined) return undefined;
  const ranked = body.contents
    .map((content) => ({ content, kind: mediaKindOf(content, parts) }))
    .toSorted((one, other) => rank(one, preferred) - rank(other, preferred));
  const [first, ...others] = ranked;
  if (first === undefined) return undefined;
  const properties = propertiesOf(first, parts);
  if (properties?.length === 0) return undefined;
  if (properties === undefined) return planWhole(first, { names, body });
  const planner = new PropertyPlanner(parts, names, body.required);
  const contents = [planner.plan(first, properties)];
  for (const other of others) {
    const further = propertiesOf(other, parts);
    // Only those that can carry something that the preferred one cannot.
    if (further !== undefined && further.some(({ name }) => !planner.knows(name)))
      contents.push(planner.plan(other, further));
  }
  return { body: { required: body.required, contents }, arguments: planner.arguments };
}

interface RankedContent {
  readonly content: BodyContent;
  readonly kind: MediaKind;
}

function rank({ content, kind }: RankedContent, preferred: readonly string[]): number {
  const wanted = preferred.indexOf(content.mediaType);
  return wanted === -1 ? preferred.length + PREFERENCE.indexOf(kind) : wanted;
}

function propertiesOf(
  { content, kind }: RankedContent,
  parts: ConverterParts,
): readonly BodyProperty[] | undefined {
  const isObject = kind === 'json' || kind === 'form' || kind === 'multipart';
  return isObject && content.schema !== undefined ? findBodyProperties(content.schema, parts) : undefined;
}

function planWhole(
  { content, kind }: RankedContent,
  { names, body }: { readonly names: ArgumentNames; readonly body: NonNullable<Operation['body']> },
): BodyPlan {
  const argument = names.take('body', 'request_body');
  const isFile = kind === 'binary';
  return {
    body: { required: body.required, contents: [{ content, isFile, source: { kind: 'whole', argument } }] },
    arguments: [
      {
        name: argument,
        place: 'body',
        property: undefined,
        // Nobody can write XML as an object of JSON, and texts are texts.
        schema: kind === 'xml' || kind === 'text' ? textSchema(content, kind) : content.schema,
        file: isFile,
        description: body.description,
        required: body.required,
        isNeeded: body.required,
        deprecated: false,
        example: content.example,
      },
    ],
  };
}

function textSchema({ mediaType, schema }: BodyContent, kind: MediaKind): Argument['schema'] {
  const base = schema?.base ?? 'inline:/text';
  return {
    value: { type: 'string', description: kind === 'xml' ? `A document of XML (${mediaType})` : mediaType },
    base,
  };
}

/** Gives every property an argument, once, whichever of the media types it is in. */
class PropertyPlanner {
  readonly arguments: Argument[] = [];
  readonly #parts: ConverterParts;
  readonly #names: ArgumentNames;
  readonly #isRequired: boolean;
  readonly #known = new Map<string, string>();

  constructor(parts: ConverterParts, names: ArgumentNames, isRequired: boolean) {
    this.#parts = parts;
    this.#names = names;
    this.#isRequired = isRequired;
  }

  knows(property: string): boolean {
    return this.#known.has(property);
  }

  plan({ content, kind }: RankedContent, properties: readonly BodyProperty[]): PlannedContent {
    const isFirst = this.arguments.length === 0;
    const planned = properties.map((property): PlannedProperty => {
      const encoding = Object.hasOwn(content.encoding, property.name)
        ? content.encoding[property.name]
        : undefined;
      const file =
        kind === 'multipart' && isFileProperty(property.schema, encoding?.contentType, this.#parts);
      return {
        argument: this.#argumentOf(property, { file, isFirst }),
        property: property.name,
        required: property.required,
        isFile: file !== false,
      };
    });
    return { content, isFile: false, source: { kind: 'properties', properties: planned } };
  }

  #argumentOf(
    property: BodyProperty,
    { file, isFirst }: { file: 'list' | boolean; isFirst: boolean },
  ): string {
    const known = this.#known.get(property.name);
    if (known !== undefined) return known;
    const name = this.#names.take(property.name, `body_${property.name}`);
    this.#known.set(property.name, name);
    this.arguments.push({
      name,
      place: 'body',
      property: property.name,
      schema: property.schema,
      file,
      description: undefined,
      required: property.required && this.#isRequired && isFirst,
      isNeeded: property.required && isFirst,
      deprecated: false,
      example: undefined,
    });
    return name;
  }
}
