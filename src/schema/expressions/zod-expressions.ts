/** Maximum number of visited nodes; no schema written by hand is this large. */
const MAX_VISITED = 20_000;

/** Definition of a Zod schema or check. */
export type ZodDefinition = Readonly<Record<string, unknown>>;

/** The members of a Zod schema or check that are used here. */
export interface ZodSchema {
  readonly _zod?: ZodInternals;
}

/** Internals of a Zod schema or check. */
export interface ZodInternals {
  readonly def?: ZodDefinition;
  readonly constr?: new (def: ZodDefinition) => ZodSchema;
  readonly innerType?: ZodSchema;
  readonly check?: unknown;
  pattern?: RegExp;
}

/** Members of definitions that hold expressions. */
export const EXPRESSIONS: readonly string[] = ['pattern', 'hostname', 'protocol'];

const INNER = ['innerType'];

/** Members of definitions that hold other schemas, by the kind of schema or check. */
const MEMBERS: ReadonlyMap<unknown, readonly string[]> = new Map([
  ...[
    'optional',
    'nullable',
    'default',
    'prefault',
    'nonoptional',
    'readonly',
    'catch',
    'success',
    'promise',
  ].map((type) => [type, INNER] as const),
  ['object', ['shape', 'catchall']],
  ['array', ['element']],
  ['union', ['options']],
  ['intersection', ['left', 'right']],
  ['tuple', ['items', 'rest']],
  ['record', ['keyType', 'valueType']],
  ['map', ['keyType', 'valueType']],
  ['set', ['valueType']],
  ['pipe', ['in', 'out']],
  ['property', ['schema']],
]);

/** Names of the members that hold one schema, an array of them, or the shape of an object. */
export function membersOf({ type, check }: ZodDefinition): readonly string[] | undefined {
  return MEMBERS.get(type ?? check);
}

/**
 * Finds the regular expressions that a Zod schema runs. Its JSON Schema lacks some of them: flags are lost, and so are expressions behind a
 * transform.
 */
export function findZodExpressions(schema: unknown): RegExp[] {
  const found: RegExp[] = [];
  const collect = (internals: ZodInternals): boolean => {
    const { def = {} } = internals;
    // Built from the parts, which are not run by themselves. Other schemas create a pattern on access.
    if (def['type'] === 'template_literal' && internals.pattern !== undefined) found.push(internals.pattern);
    for (const key of EXPRESSIONS) {
      const expression = def[key];
      if (expression instanceof RegExp) found.push(expression);
    }
    return false;
  };
  someZod(schema, collect, false);
  return found;
}

/**
 * Whether the predicate holds for a Zod schema or check, or one nested in it; `ifUnknown` if that cannot be determined. It runs for every
 * schema at startup, so it visits as little as possible.
 */
export function someZod(
  schema: unknown,
  holds: (internals: ZodInternals) => boolean,
  ifUnknown: boolean,
): boolean {
  const seen = new Set<ZodSchema>();
  const visit = (each: ZodSchema | undefined): boolean => {
    const internals = each?._zod;
    const def = internals?.def;
    if (each === undefined || internals === undefined || def === undefined) return false;
    if (holds(internals)) return true;
    if (Array.isArray(def['checks']) && (def['checks'] as ZodSchema[]).some(visit)) return true;
    const members = membersOf(def);
    if ((members === undefined && def['type'] !== 'lazy') || seen.has(each)) return false;
    if (seen.size > MAX_VISITED) return ifUnknown;
    seen.add(each);
    try {
      if (members === undefined) return visit(internals.innerType);
      return members.some((member) => visitMember(def[member], member));
    } catch {
      // A getter of the author that cannot return its schema yet.
      return ifUnknown;
    }
  };
  const visitMember = (held: unknown, member: string): boolean => {
    if (Array.isArray(held)) return (held as ZodSchema[]).some(visit);
    if (member !== 'shape') return visit(held as ZodSchema | undefined);
    return Object.values(held as Readonly<Record<string, ZodSchema>>).some(visit);
  };
  return visit(schema as ZodSchema);
}
