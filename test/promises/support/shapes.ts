import * as fc from 'fast-check';

/** A schema that every schema language can express. */
type Shape =
  | { readonly kind: 'text'; readonly min: number; readonly max: number }
  | { readonly kind: 'integer'; readonly min: number; readonly max: number }
  | { readonly kind: 'flag' }
  | { readonly kind: 'choice'; readonly values: readonly string[] }
  | { readonly kind: 'either' }
  | { readonly kind: 'list'; readonly of: Shape; readonly max: number }
  | ObjectShape;

export interface ObjectShape {
  readonly kind: 'object';
  readonly members: readonly Member[];
}

interface Member {
  readonly name: string;
  readonly shape: Shape;
  readonly isRequired: boolean;
  readonly isSecret: boolean;
}

type Path = readonly (string | number)[];
type Json = Readonly<Record<string, unknown>>;

/** Invalid arguments, and the reason. */
export interface Wrong {
  readonly value: unknown;
  /** Path of the fault, up to the first secret field. */
  readonly path: Path;
  /** Values that must not be repeated. */
  readonly secrets: readonly string[];
}

const names = fc.uniqueArray(fc.stringMatching(/^[a-z][a-z_]{2,9}$/), { minLength: 1, maxLength: 4 });
/** Strings and numbers that can be recognized anywhere. */
const words = fc.stringMatching(/^[a-z0-9]{12}$/).map((word) => `Q${word}`);
const numbers = fc.integer({ min: 100_000_001, max: 899_999_999 });

const scalars: fc.Arbitrary<Shape> = fc.oneof(
  fc.record({ kind: fc.constant('text' as const), min: fc.nat(8), max: fc.integer({ min: 20, max: 40 }) }),
  fc.constant({ kind: 'integer' as const, min: 100_000_000, max: 900_000_000 }),
);
const plain: fc.Arbitrary<Shape> = fc.oneof(
  scalars,
  fc.constant({ kind: 'flag' as const }),
  fc.constant({ kind: 'either' as const }),
  names.map((values) => ({ kind: 'choice' as const, values })),
);

function shapes(depth: number): fc.Arbitrary<Shape> {
  if (depth === 0) return plain;
  const below = shapes(depth - 1);
  return fc.oneof(
    { weight: 3, arbitrary: plain },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('list' as const), of: below, max: fc.constant(3) }),
    },
    { weight: 2, arbitrary: objects(depth) },
  );
}

function objects(depth: number): fc.Arbitrary<ObjectShape> {
  const open = fc.record({
    shape: shapes(depth - 1),
    isRequired: fc.boolean(),
    isSecret: fc.constant(false),
  });
  // Secret fields contain only recognizable values.
  const secret = fc.record({
    shape: fc.oneof(
      scalars,
      scalars.map((of): Shape => ({ kind: 'list', of, max: 3 })),
      scalars.map((shape): Shape => {
        const member = { name: 'inner', shape, isRequired: true, isSecret: false };
        return { kind: 'object', members: [member] };
      }),
    ),
    isRequired: fc.constant(true),
    isSecret: fc.constant(true),
  });
  return names.chain((given) =>
    fc
      .tuple(...given.map(() => fc.oneof({ weight: 3, arbitrary: open }, { weight: 1, arbitrary: secret })))
      .map((members) => ({
        kind: 'object' as const,
        members: members.map((member, index) => ({ name: given[index] ?? '', ...member })),
      })),
  );
}

/** Shapes of arguments. */
export const argumentShapes: fc.Arbitrary<ObjectShape> = objects(3);

/** The secret fields of a shape, as in `secrets` of a tool. */
export function secretPaths(shape: Shape, above: readonly string[] = []): string[] {
  if (shape.kind === 'list') return secretPaths(shape.of, above);
  if (shape.kind !== 'object') return [];
  return shape.members.flatMap(({ name, shape: below, isSecret }) =>
    isSecret ? [[...above, name].join('.')] : secretPaths(below, [...above, name]),
  );
}

/** Valid values. */
export function fitting(shape: Shape): fc.Arbitrary<unknown> {
  switch (shape.kind) {
    case 'text':
      return words;
    case 'integer':
      return numbers;
    case 'flag':
      return fc.boolean();
    case 'choice':
      return fc.constantFrom(...shape.values);
    case 'either':
      return fc.oneof(words, numbers);
    case 'list':
      return fc.array(fitting(shape.of), { minLength: 1, maxLength: shape.max });
    case 'object':
      return fc.record(
        Object.fromEntries(shape.members.map(({ name, shape: below }) => [name, fitting(below)])),
        {
          requiredKeys: shape.members.filter(({ isRequired }) => isRequired).map(({ name }) => name),
        },
      );
    default:
      return shape satisfies never;
  }
}

/** One fault of a value. */
interface Fault {
  readonly path: Path;
  /** Undefined removes the value. */
  readonly replacement: unknown;
}

/** Values with exactly one fault. */
export function wrong(shape: ObjectShape, allowsUnknown: boolean): fc.Arbitrary<Wrong> {
  return fc.tuple(fitting(shape), words, numbers, fc.nat()).map(([value, word, number, choice]) => {
    const known = secretsIn(shape, value);
    const markers = { word, number, secret: known[0] ?? word };
    const faults = faultsIn(shape, value, { path: [], markers, allowsUnknown });
    const { path, replacement } = faults[choice % faults.length] ?? { path: [], replacement: 1 };
    const broken = replaceAt(value, path, replacement);
    return { value: broken, path: upToSecret(shape, path), secrets: [...known, ...secretsIn(shape, broken)] };
  });
}

/** A value with an unknown key in each of its objects. */
export function withUnknown(shape: Shape, value: unknown): unknown {
  if (shape.kind === 'list') return (value as unknown[]).map((each) => withUnknown(shape.of, each));
  if (shape.kind !== 'object') return value;
  const given = value as Json;
  const kept = shape.members
    .filter(({ name }) => name in given)
    .map(({ name, shape: below }) => [name, withUnknown(below, given[name])]);
  return { ...Object.fromEntries(kept), 'unknown-key': { 'unknown-inside': 1 } };
}

interface Around {
  readonly path: Path;
  readonly markers: { readonly word: string; readonly number: number; readonly secret: string };
  readonly allowsUnknown: boolean;
}

function faultsIn(shape: Shape, value: unknown, around: Around): Fault[] {
  const { path, markers } = around;
  const here = unfit(shape, value, markers).map((replacement) => ({ path, replacement }));
  // The protocol requires an object at the root.
  const own = path.length === 0 ? [] : here;
  if (shape.kind === 'list') {
    const below = (value as unknown[]).flatMap((each, index) =>
      faultsIn(shape.of, each, { ...around, path: [...path, index] }),
    );
    return [...own, ...below];
  }
  if (shape.kind !== 'object') return own;
  const members = shape.members.flatMap(({ name, shape: below, isRequired }) => {
    const inside = { ...around, path: [...path, name] };
    if (!(name in (value as Json)))
      return unfit(below, undefined, markers).map((each) => ({ path: inside.path, replacement: each }));
    const missing = isRequired ? [{ path: inside.path, replacement: undefined }] : [];
    return [...missing, ...faultsIn(below, (value as Json)[name], inside)];
  });
  const unknown = around.allowsUnknown ? [] : [{ path: [...path, 'unknown-key'], replacement: markers.word }];
  return [...own, ...members, ...unknown];
}

/** Invalid values for this shape. */
function unfit(shape: Shape, value: unknown, { word, number, secret }: Around['markers']): unknown[] {
  switch (shape.kind) {
    case 'text':
      return [number, true, null, [word], { word }, word.repeat(4)];
    case 'integer':
      return [word, secret, number + 0.5, number + 9e9, -number, null, [number], { number }];
    case 'flag':
      return [word, secret, number, null, 'true', 0];
    case 'choice':
      return [word, secret, number, null, [shape.values[0]]];
    case 'either':
      return [true, null, number + 0.5, [word], { word }];
    case 'list':
      return [
        word,
        number,
        null,
        { word },
        Array.from({ length: 4 }, () => (value as unknown[] | undefined)?.[0] ?? word),
      ];
    case 'object':
      return [word, number, true, null, [], [value ?? word]];
    default:
      return shape satisfies never;
  }
}

function replaceAt(value: unknown, path: Path, replacement: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return replacement;
  if (typeof key === 'number')
    return (value as unknown[]).map((each, index) =>
      index === key ? replaceAt(each, rest, replacement) : each,
    );
  const given = value as Json;
  const replaced = replaceAt(given[key], rest, replacement);
  const others = Object.entries(given).filter(([name]) => name !== key);
  return Object.fromEntries(replaced === undefined ? others : [...others, [key, replaced]]);
}

function upToSecret(shape: Shape, path: Path): Path {
  let at: Shape | undefined = shape;
  for (const [index, key] of path.entries()) {
    if (at?.kind === 'list') {
      at = at.of;
    } else {
      const member: Member | undefined =
        at?.kind === 'object' ? at.members.find(({ name }) => name === key) : undefined;
      if (member?.isSecret === true) return path.slice(0, index + 1);
      at = member?.shape;
    }
  }
  return path;
}

/** The strings and numbers in secret fields. */
function secretsIn(shape: Shape, value: unknown): string[] {
  if (shape.kind === 'list' && Array.isArray(value))
    return value.flatMap((each) => secretsIn(shape.of, each));
  if (shape.kind !== 'object' || typeof value !== 'object' || value === null) return [];
  const given = value as Json;
  return shape.members.flatMap(({ name, shape: below, isSecret }) =>
    isSecret ? scalarsIn(given[name]) : secretsIn(below, given[name]),
  );
}

function scalarsIn(value: unknown): string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(scalarsIn);
  return typeof value === 'string' || typeof value === 'number' ? [String(value)] : [];
}
