// oxlint-disable max-lines -- one generator: the types, their schemas and their values belong together.
import fc from 'fast-check';
import * as z from 'zod';

/** The type of one field, as data that fast-check can print. */
export type FieldType =
  | { readonly kind: 'text'; readonly min: number; readonly max: number }
  | { readonly kind: 'integer'; readonly min: number; readonly max: number }
  | { readonly kind: 'number' }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'choice'; readonly values: readonly string[] }
  | { readonly kind: 'length' }
  | { readonly kind: 'either' }
  | { readonly kind: 'list'; readonly of: FieldType; readonly max: number }
  | { readonly kind: 'object'; readonly fields: readonly Field[]; readonly rest?: Rest | undefined }
  | { readonly kind: 'record'; readonly of: FieldType };

/** Additional properties of an object, if its author declares them: any value, or one type. */
export type Rest = FieldType | 'anything';

export interface Field {
  readonly name: string;
  readonly type: FieldType;
  readonly presence:
    | { readonly kind: 'default'; readonly value: unknown }
    | { readonly kind: 'nullable' }
    | { readonly kind: 'optional' }
    | { readonly kind: 'required' };
}

/** Alternatives at the root of a schema, with the discriminator `kind`. */
export interface Alternatives {
  readonly alternatives: readonly {
    readonly tag: string;
    readonly fields: readonly Field[];
    readonly rest?: Rest | undefined;
  }[];
}

/** An object with additional properties; without fields and with a type it is a record. */
export interface OpenFields {
  readonly fields: readonly Field[];
  readonly rest: Rest;
}

/** A node of a JSON Schema about an object. */
export interface RawPart {
  readonly fields: readonly RawField[];
  /** `additionalProperties`; undefined omits it. */
  readonly rest?: FieldType | boolean | undefined;
  readonly patterns?: readonly { readonly pattern: string; readonly type: FieldType }[];
}

export interface RawField {
  readonly name: string;
  /** Undefined allows any value. */
  readonly type: FieldType | undefined;
  readonly isRequired: boolean;
}

/** An action with JSON Schema. */
export interface Raw {
  readonly root: RawPart;
  /** `anyOf` at the root, beside its fields: alternatives refine them, and have fields of their own. */
  readonly anyOf?: readonly RawPart[] | undefined;
  /** `if`, `then` and `else`. */
  readonly condition?:
    | { readonly test: RawPart; readonly yes: RawPart; readonly no?: RawPart | undefined }
    | undefined;
}

export interface Action {
  readonly name: string;
  readonly schema: Alternatives | OpenFields | Raw | readonly Field[] | undefined;
  /** Whether the common fields that the action does not define are omitted. */
  readonly omitsCommon: boolean;
}

export interface Builder {
  readonly isHierarchical: boolean;
  readonly discriminator: string;
  readonly common: readonly Field[] | undefined;
  readonly actions: readonly Action[];
  readonly unknownArguments: 'reject' | 'strip';
}

/** Names with a meaning in JavaScript and in JSON Schema are among them. */
const NAMES = [
  'id',
  'name',
  'limit',
  'labels',
  'constructor',
  'toString',
  'properties',
  'required',
  'type',
  '$ref',
  'a.b',
  'größe',
];

/** No field has this name. */
const STRANGER = 'zz_stranger';

/** Few characters, so that limits are reached; one of them has two UTF-16 units. */
const text = (max: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom('a', 'Z', '7', ' ', 'é', '"', '\\', '中', '😀'), maxLength: max });

const leaf: fc.Arbitrary<FieldType> = fc.oneof(
  fc.tuple(fc.nat(3), fc.nat(6)).map(([min, more]): FieldType => ({ kind: 'text', min, max: min + more })),
  fc
    .tuple(fc.integer({ min: -20, max: 20 }), fc.nat(30))
    .map(([min, more]): FieldType => ({ kind: 'integer', min, max: min + more })),
  fc.constantFrom<FieldType[]>(
    { kind: 'number' },
    { kind: 'boolean' },
    { kind: 'length' },
    { kind: 'either' },
    { kind: 'choice', values: ['red', 'green'] },
    { kind: 'choice', values: ['green', 'blue', ''] },
  ),
);

function fieldOf(type: fc.Arbitrary<FieldType>, name: fc.Arbitrary<string>): fc.Arbitrary<Field> {
  return fc.tuple(name, type).chain(([fieldName, fieldType]) => {
    const presence = fc.oneof(
      fc.constantFrom<Field['presence'][]>({ kind: 'required' }, { kind: 'optional' }, { kind: 'nullable' }),
      validOf(fieldType).map((value): Field['presence'] => ({ kind: 'default', value })),
    );
    return presence.map((chosen) => ({ name: fieldName, type: fieldType, presence: chosen }));
  });
}

function fieldsOf(type: fc.Arbitrary<FieldType>, maxLength: number): fc.Arbitrary<Field[]> {
  const name = fc.constantFrom(...NAMES);
  return fc.uniqueArray(fieldOf(type, name), { maxLength, selector: (field) => field.name });
}

const deep: fc.Arbitrary<FieldType> = fc.oneof(
  { weight: 4, arbitrary: leaf },
  {
    weight: 1,
    arbitrary: fc.tuple(leaf, fc.nat(3)).map(([of, max]): FieldType => ({ kind: 'list', of, max })),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fieldsOf(leaf, 2), mostlyNot(restOf(leaf)))
      .map(([fields, rest]): FieldType => ({ kind: 'object', fields, rest })),
  },
  { weight: 1, arbitrary: leaf.map((of): FieldType => ({ kind: 'record', of })) },
);

function restOf(type: fc.Arbitrary<FieldType>): fc.Arbitrary<Rest> {
  return fc.oneof(fc.constant<Rest>('anything'), type);
}

function mostlyNot<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
}

const PATTERNS = ['^i', 'e$', '^l', 'e', '^zz', '.'];

function rawPartOf(
  maxLength: number,
  sayings: fc.Arbitrary<RawPart['rest']>,
  minLength = 0,
): fc.Arbitrary<RawPart> {
  const field: fc.Arbitrary<RawField> = fc.record({
    name: fc.constantFrom(...NAMES),
    type: fc.oneof({ weight: 5, arbitrary: deep }, { weight: 1, arbitrary: fc.constant(undefined) }),
    isRequired: fc.oneof(fc.constant(false), fc.constant(false), fc.boolean()),
  });
  return fc.record({
    fields: fc.uniqueArray(field, { minLength, maxLength, selector: ({ name }) => name }),
    rest: sayings,
    patterns: fc.oneof(
      { weight: 3, arbitrary: fc.constant([]) },
      {
        weight: 1,
        arbitrary: fc.uniqueArray(fc.record({ pattern: fc.constantFrom(...PATTERNS), type: leaf }), {
          maxLength: 2,
          selector: ({ pattern }) => pattern,
        }),
      },
    ),
  });
}

const restOfRoot: fc.Arbitrary<RawPart['rest']> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(true, undefined) },
  { weight: 2, arbitrary: deep },
  { weight: 1, arbitrary: fc.constant(false) },
);
const restOfPart: fc.Arbitrary<RawPart['rest']> = mostlyNot(restOfRoot);

/** Makes parts share fields with the root more often than at random. */
function sharing(root: RawPart, part: RawPart, chosen: readonly number[]): RawPart {
  const fields = part.fields.map((field, index) => {
    const other = root.fields[chosen[index] ?? NAMES.length];
    return other === undefined ? field : { ...field, name: other.name };
  });
  const isFirst = (field: RawField, index: number): boolean =>
    fields.findIndex(({ name }) => name === field.name) === index;
  return { ...part, fields: fields.filter(isFirst) };
}

const picks = fc.array(fc.nat(5), { maxLength: 2 });
const pickedPart = fc.tuple(rawPartOf(2, restOfPart), picks);
/** Never empty: Ajv throws on a call if `if: {}` is beside `patternProperties` and an open `else`. */
const pickedTest = fc.tuple(rawPartOf(2, restOfPart, 1), picks);

const raw: fc.Arbitrary<Raw> = fc
  .tuple(
    rawPartOf(3, restOfRoot),
    fc.option(fc.array(pickedPart, { minLength: 1, maxLength: 3 }), { nil: undefined }),
    fc.option(fc.tuple(pickedTest, pickedPart, fc.option(pickedPart, { nil: undefined })), {
      nil: undefined,
    }),
  )
  .map(([root, alternatives, condition]) => {
    const share = ([part, chosen]: readonly [RawPart, readonly number[]]): RawPart =>
      sharing(root, part, chosen);
    return {
      root,
      anyOf: alternatives?.map(share),
      condition: condition && {
        test: share(condition[0]),
        yes: share(condition[1]),
        no: condition[2] && share(condition[2]),
      },
    };
  });

const schema: fc.Arbitrary<Action['schema']> = fc.oneof(
  { weight: 5, arbitrary: fieldsOf(deep, 4) },
  { weight: 1, arbitrary: fc.constant(undefined) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fieldsOf(deep, 2), fieldsOf(deep, 2), mostlyNot(restOf(deep)), mostlyNot(restOf(deep)))
      .map(([first, second, one, two]) => ({
        alternatives: [
          { tag: 'first', fields: first, rest: one },
          { tag: 'second', fields: second, rest: two },
        ],
      })),
  },
  { weight: 2, arbitrary: fc.record({ fields: fieldsOf(deep, 3), rest: restOf(deep) }) },
  { weight: 1, arbitrary: deep.map((rest): OpenFields => ({ fields: [], rest })) },
  { weight: 5, arbitrary: raw },
);

export const builders: fc.Arbitrary<Builder> = fc.record({
  isHierarchical: fc.boolean(),
  discriminator: fc.constantFrom('action', 'op'),
  common: fc.option(fieldsOf(deep, 2), { nil: undefined }),
  actions: fc
    .array(fc.record({ schema, omitsCommon: fc.boolean() }), { minLength: 1, maxLength: 6 })
    .map((actions) => actions.map((action, index) => ({ ...action, name: `act${index}` }))),
  unknownArguments: fc.constantFrom('strip', 'reject'),
});

/** Valid values of a type. */
function validOf(type: FieldType): fc.Arbitrary<unknown> {
  switch (type.kind) {
    case 'text':
      return text(type.max).map((value) => value.padEnd(type.min, 'x'));
    case 'integer':
      return fc.integer({ min: type.min, max: type.max });
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true });
    case 'boolean':
      return fc.boolean();
    case 'choice':
      return fc.constantFrom(...type.values);
    case 'length':
      return text(5);
    case 'either':
      return fc.oneof(text(5), fc.integer());
    case 'list':
      return fc.array(validOf(type.of), { maxLength: type.max });
    case 'object':
      return fc
        .tuple(
          type.rest === undefined ? fc.constant({}) : othersOf(type.rest),
          valuesOf(type.fields, { junk: 0 }),
        )
        .map(([others, values]) => ({ ...others, ...values }));
    case 'record':
      return othersOf(type.of);
  }
}

/** Additional keys with valid values. */
function othersOf(rest: Rest): fc.Arbitrary<object> {
  const value = rest === 'anything' ? junk : validOf(rest);
  return fc.array(fc.tuple(fc.constantFrom(...NAMES, STRANGER), value), { maxLength: 2 }).map(toObject);
}

const junk: fc.Arbitrary<unknown> = fc.oneof(
  text(12),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constantFrom(null, [], {}, [1, 'a'], { id: 1, [STRANGER]: 1 }, '', 'red', 'first'),
);

/** An object with these fields: mostly valid, sometimes with a missing field, and with the given frequency with another value. */
function valuesOf(fields: readonly Field[], { junk: weight }: { junk: number }): fc.Arbitrary<object> {
  const entries = fields.map(({ name, type, presence }) => {
    const absent = presence.kind === 'required' || presence.kind === 'nullable' ? weight : 3;
    const value = fc.oneof(
      { weight: 9, arbitrary: validOf(type).map((valid) => [name, valid] as const) },
      { weight: presence.kind === 'nullable' ? 2 : 0, arbitrary: fc.constant([name, null] as const) },
      { weight: absent, arbitrary: fc.constant(undefined) },
      { weight, arbitrary: junk.map((other) => [name, other] as const) },
    );
    return value;
  });
  return fc.tuple(...entries).map((members) => toObject(members.filter((member) => member !== undefined)));
}

/** Defined one by one: a key may have the name of an inherited member. */
function toObject(entries: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  return Object.fromEntries(entries);
}

/** Arguments for an action: often valid, often invalid in one place; some have names that only other actions define. */
export function argumentsOf(builder: Builder, action: Action): fc.Arbitrary<Record<string, unknown>> {
  const common = commonOf(builder, action);
  return fc
    .tuple(foreignOf(builder, action), valuesOf(common, { junk: 1 }), bodyOf(action.schema ?? []))
    .map(([first, second, third]) => ({ ...first, ...second, ...third }));
}

function bodyOf(own: NonNullable<Action['schema']>): fc.Arbitrary<object> {
  if (isRaw(own)) return rawValuesOf(own);
  if (isOpenFields(own)) return valuesOf(own.fields, { junk: 1 });
  if (!isAlternatives(own)) return valuesOf(own, { junk: 1 });
  const bodies = own.alternatives.map(({ tag, fields }) =>
    fc
      .tuple(fc.oneof({ weight: 8, arbitrary: fc.constant(tag) }, junk), valuesOf(fields, { junk: 1 }))
      .map(([kind, values]) => ({ ...values, kind })),
  );
  return fc.oneof(...bodies);
}

/** Names that the action does not define: with values of other actions, additional properties of this one, or anything. */
function foreignOf(builder: Builder, action: Action): fc.Arbitrary<object> {
  const everybody = builder.actions.flatMap(typesOf).concat(typesOf({ schema: builder.common }));
  const own = new Set([...ownNames(action), ...commonOf(builder, action).map(({ name }) => name)]);
  const names = [...new Set(everybody.map(([name]) => name))].filter((name) => !own.has(name));
  const rests = restsOf(action.schema);
  const values = (name: string): fc.Arbitrary<unknown> =>
    fc.oneof(
      ...rests.map((rest) => ({ weight: 6, arbitrary: rest === 'anything' ? junk : validOf(rest) })),
      ...everybody
        .filter(([other, type]) => other === name && type !== undefined)
        .map(([, type]) => ({ weight: 1, arbitrary: type === undefined ? junk : validOf(type) })),
      { weight: 1, arbitrary: junk },
    );
  const member = fc
    .constantFrom(...names, STRANGER)
    .chain((name) => values(name).map((value) => [name, value] as const));
  const maxLength = rests.length === 0 ? 1 : 3;
  return fc.oneof(
    { weight: rests.length === 0 ? 4 : 1, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: fc.array(member, { maxLength }).map(toObject) },
  );
}

/** Additional properties of an action. */
function restsOf(own: Action['schema']): Rest[] {
  if (own === undefined) return [];
  if (isOpenFields(own)) return [own.rest];
  if (isAlternatives(own)) return own.alternatives.flatMap(({ rest }) => (rest === undefined ? [] : [rest]));
  if (!isRaw(own)) return [];
  return partsOf(own).flatMap(({ rest, patterns = [] }): Rest[] => [
    ...patterns.map(({ type }) => type),
    ...(rest === undefined || rest === false ? [] : [rest === true ? ('anything' as const) : rest]),
  ]);
}

/** The names that an action defines, with their types. */
function typesOf({ schema: own }: Pick<Action, 'schema'>): (readonly [string, FieldType | undefined])[] {
  if (own === undefined) return [];
  if (isRaw(own))
    return partsOf(own).flatMap(({ fields }) => fields.map(({ name, type }) => [name, type] as const));
  const fields = isAlternatives(own) ? own.alternatives.flatMap((each) => each.fields) : fieldsIn(own);
  return fields.map(({ name, type }) => [name, type] as const);
}

function fieldsIn(own: OpenFields | readonly Field[]): readonly Field[] {
  return isOpenFields(own) ? own.fields : own;
}

/** Every name of the schema, with a value of one of the types of its parts. */
function rawValuesOf(own: Raw): fc.Arbitrary<object> {
  const parts = partsOf(own);
  const named = parts.flatMap(({ fields }) => fields);
  const entries = [...new Set(named.map(({ name }) => name))].map((name) => {
    const types = [
      ...named.filter((field) => field.name === name).map(({ type }) => type),
      ...parts.flatMap(({ patterns = [] }) =>
        patterns.filter(({ pattern }) => new RegExp(pattern, 'u').test(name)).map(({ type }) => type),
      ),
    ];
    const valid = fc.oneof(...types.map((type) => (type === undefined ? junk : validOf(type))));
    const isAsked = named.some((field) => field.name === name && field.isRequired);
    return fc.oneof(
      { weight: 9, arbitrary: valid.map((value) => [name, value] as const) },
      { weight: isAsked ? 1 : 8, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: junk.map((value) => [name, value] as const) },
    );
  });
  return fc.tuple(...entries).map((members) => toObject(members.filter((member) => member !== undefined)));
}

function partsOf({ root, anyOf = [], condition }: Raw): RawPart[] {
  const conditional = condition === undefined ? [] : [condition.test, condition.yes, condition.no];
  return [root, ...anyOf, ...conditional].filter((part) => part !== undefined);
}

export function isRaw(value: Action['schema']): value is Raw {
  return value !== undefined && 'root' in value;
}

function isOpenFields(value: Action['schema']): value is OpenFields {
  return value !== undefined && 'rest' in value;
}

/** Whether a schema describes a key by a pattern. */
export function hasPatternFor(own: Action['schema'], key: string): boolean {
  if (!isRaw(own)) return false;
  return partsOf(own).some(({ patterns = [] }) =>
    patterns.some(({ pattern }) => new RegExp(pattern, 'u').test(key)),
  );
}

export function isAlternatives(value: Action['schema']): value is Alternatives {
  return value !== undefined && 'alternatives' in value;
}

/** The names that an action defines. */
export function ownNames({ schema: own }: Action): string[] {
  const names = typesOf({ schema: own }).map(([name]) => name);
  return isAlternatives(own) ? ['kind', ...names] : names;
}

/** The common fields of an action. */
export function commonOf({ common = [] }: Builder, action: Action): Field[] {
  if (action.omitsCommon) return [];
  const own = new Set(ownNames(action));
  return common.filter((field) => !own.has(field.name));
}

/** A Zod object with these fields; `isStrict` closes it at every depth where it is not open. */
export function toZodObject(fields: readonly Field[], isStrict = false, rest?: Rest): z.ZodObject {
  const shape = Object.fromEntries(fields.map((field) => [field.name, toZodField(field, isStrict)]));
  if (rest === 'anything') return z.looseObject(shape);
  if (rest !== undefined) return z.object(shape).catchall(toZod(rest, isStrict));
  return isStrict ? z.strictObject(shape) : z.object(shape);
}

/** The Zod schema that an action defines. */
export function toOwnSchema(own: Exclude<Action['schema'], Raw>, isStrict = false): z.ZodType | undefined {
  if (own === undefined) return undefined;
  if (isOpenFields(own)) {
    const isRecord = own.fields.length === 0 && own.rest !== 'anything';
    return isRecord
      ? z.record(z.string(), toZod(own.rest, isStrict))
      : toZodObject(own.fields, isStrict, own.rest);
  }
  if (!isAlternatives(own)) return toZodObject(own, isStrict);
  const [first, second] = own.alternatives.map(({ tag, fields, rest }) =>
    toZodObject(fields, isStrict, rest).extend({ kind: z.literal(tag) }),
  );
  if (first === undefined || second === undefined) throw new RangeError('two alternatives at least');
  return z.discriminatedUnion('kind', [first, second]);
}

/** The JSON Schema that an action defines. */
export function toRawSchema({ root, anyOf, condition }: Raw): Record<string, unknown> {
  return {
    type: 'object',
    ...toRawPart(root),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map(toRawPart) }),
    ...(condition === undefined ? {} : toRawCondition(condition)),
  };
}

function toRawCondition({ test, yes, no }: NonNullable<Raw['condition']>): object {
  const parts = [['if', test] as const, ['then', yes] as const, ['else', no] as const];
  return toObject(
    parts.flatMap(([keyword, part]) => (part === undefined ? [] : [[keyword, toRawPart(part)]])),
  );
}

function toRawPart({ fields, rest, patterns = [] }: RawPart): object {
  const required = fields.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  const entries = fields.map(({ name, type }) => [name, type === undefined ? {} : toJson(type)] as const);
  return {
    // Without fields, `properties` is omitted, so that keys are not listed.
    ...(entries.length === 0 ? {} : { properties: toObject(entries) }),
    ...(required.length === 0 ? {} : { required }),
    ...(patterns.length === 0
      ? {}
      : { patternProperties: toObject(patterns.map(({ pattern, type }) => [pattern, toJson(type)])) }),
    ...(rest === undefined ? {} : { additionalProperties: typeof rest === 'boolean' ? rest : toJson(rest) }),
  };
}

function toJson(type: FieldType): object {
  const { $schema: _dialect, ...document } = z.toJSONSchema(toZod(type, false), { io: 'input' });
  return document;
}

function toZodField({ type, presence }: Field, isStrict: boolean): z.ZodType {
  const inner = toZod(type, isStrict);
  if (presence.kind === 'optional') return inner.optional();
  if (presence.kind === 'nullable') return inner.nullable();
  return presence.kind === 'default' && type.kind !== 'length' ? inner.default(presence.value) : inner;
}

function toZod(type: FieldType, isStrict: boolean): z.ZodType {
  switch (type.kind) {
    case 'text':
      return z.string().min(type.min).max(type.max);
    case 'integer':
      return z.int().min(type.min).max(type.max);
    case 'number':
      return z.number();
    case 'boolean':
      return z.boolean();
    case 'choice':
      return z.enum(type.values);
    case 'length':
      return z.string().transform((value) => value.length);
    case 'either':
      return z.union([z.string(), z.int()]);
    case 'list':
      return z.array(toZod(type.of, isStrict)).max(type.max);
    case 'object':
      return toZodObject(type.fields, isStrict, type.rest);
    case 'record':
      return z.record(z.string(), toZod(type.of, isStrict));
  }
}
