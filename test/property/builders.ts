import fc from 'fast-check';
import * as z from 'zod';

/** The type of one field, as data: what fast-check prints when it finds a counterexample. */
export type FieldType =
  | { readonly kind: 'text'; readonly min: number; readonly max: number }
  | { readonly kind: 'integer'; readonly min: number; readonly max: number }
  | { readonly kind: 'number' }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'choice'; readonly values: readonly string[] }
  | { readonly kind: 'length' }
  | { readonly kind: 'either' }
  | { readonly kind: 'list'; readonly of: FieldType; readonly max: number }
  | { readonly kind: 'object'; readonly fields: readonly Field[] };

export interface Field {
  readonly name: string;
  readonly type: FieldType;
  readonly presence:
    | { readonly kind: 'default'; readonly value: unknown }
    | { readonly kind: 'nullable' }
    | { readonly kind: 'optional' }
    | { readonly kind: 'required' };
}

/** Alternatives at the root of a schema, told apart by the field `kind`. */
export interface Alternatives {
  readonly alternatives: readonly { readonly tag: string; readonly fields: readonly Field[] }[];
}

export interface Action {
  readonly name: string;
  readonly schema: Alternatives | readonly Field[] | undefined;
  /** Whether the common fields that the action does not write itself are left out. */
  readonly omitsCommon: boolean;
}

export interface Builder {
  readonly isHierarchical: boolean;
  readonly discriminator: string;
  readonly common: readonly Field[] | undefined;
  readonly actions: readonly Action[];
  readonly unknownArguments: 'reject' | 'strip';
}

/** Among them names that mean something to JavaScript and to JSON Schema. */
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

/** Few characters, so that limits are met; among them one of two UTF-16 units. */
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
  { weight: 1, arbitrary: fieldsOf(leaf, 2).map((fields): FieldType => ({ kind: 'object', fields })) },
);

const schema: fc.Arbitrary<Action['schema']> = fc.oneof(
  { weight: 6, arbitrary: fieldsOf(deep, 4) },
  { weight: 1, arbitrary: fc.constant(undefined) },
  {
    weight: 2,
    arbitrary: fc.tuple(fieldsOf(deep, 2), fieldsOf(deep, 2)).map(([first, second]) => ({
      alternatives: [
        { tag: 'first', fields: first },
        { tag: 'second', fields: second },
      ],
    })),
  },
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

/** Values that a type takes. */
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
      return valuesOf(type.fields, { junk: 0 });
  }
}

const junk: fc.Arbitrary<unknown> = fc.oneof(
  text(12),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constantFrom(null, [], {}, [1, 'a'], { id: 1, [STRANGER]: 1 }, '', 'red', 'first'),
);

/** An object with these fields: mostly right, sometimes with a gap, and as often as is said with something else. */
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

/** Defined one by one: a key may be named like something that every object has. */
function toObject(entries: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  return Object.fromEntries(entries);
}

/** Arguments for an action: often right, often wrong in one place. */
export function argumentsOf(builder: Builder, action: Action): fc.Arbitrary<Record<string, unknown>> {
  const common = commonOf(builder, action);
  const own = action.schema === undefined ? [] : action.schema;
  const bodies = isAlternatives(own)
    ? fc.oneof(
        ...own.alternatives.map(({ tag, fields }) =>
          fc
            .tuple(fc.oneof({ weight: 8, arbitrary: fc.constant(tag) }, junk), valuesOf(fields, { junk: 1 }))
            .map(([kind, values]) => ({ ...values, kind })),
        ),
      )
    : valuesOf(own, { junk: 1 });
  const strangers = fc.oneof(
    { weight: 4, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: junk.map((value) => ({ [STRANGER]: value })) },
  );
  return fc
    .tuple(valuesOf(common, { junk: 1 }), bodies, strangers)
    .map(([first, second, third]) => ({ ...first, ...second, ...third }));
}

export function isAlternatives(value: Action['schema']): value is Alternatives {
  return value !== undefined && 'alternatives' in value;
}

/** The names that an action writes itself. */
export function ownNames({ schema: own }: Action): string[] {
  if (own === undefined) return [];
  if (!isAlternatives(own)) return own.map((field) => field.name);
  return ['kind', ...own.alternatives.flatMap(({ fields }) => fields.map((field) => field.name))];
}

/** The common fields that an action takes. */
export function commonOf({ common = [] }: Builder, action: Action): Field[] {
  if (action.omitsCommon) return [];
  const own = new Set(ownNames(action));
  return common.filter((field) => !own.has(field.name));
}

/** A Zod object with these fields; `isStrict` closes it at every depth. */
export function toZodObject(fields: readonly Field[], isStrict = false): z.ZodObject {
  const shape = Object.fromEntries(fields.map((field) => [field.name, toZodField(field, isStrict)]));
  return isStrict ? z.strictObject(shape) : z.object(shape);
}

/** The schema that an action writes itself. */
export function toOwnSchema(own: Action['schema'], isStrict = false): z.ZodType | undefined {
  if (own === undefined) return undefined;
  if (!isAlternatives(own)) return toZodObject(own, isStrict);
  const [first, second] = own.alternatives.map(({ tag, fields }) =>
    toZodObject(fields, isStrict).extend({ kind: z.literal(tag) }),
  );
  if (first === undefined || second === undefined) throw new RangeError('two alternatives at least');
  return z.discriminatedUnion('kind', [first, second]);
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
      return toZodObject(type.fields, isStrict);
  }
}
