/** A schema this large is not written by hand. */
const MAX_VISITED = 20_000;

/** What a schema or a check of Zod was made of. */
export type ZodDefinition = Readonly<Record<string, unknown>>;

/** A schema or a check of Zod, as far as it is looked at here. */
export interface ZodSchema {
  readonly _zod?: ZodInternals;
}

/** What Zod keeps of a schema or a check. */
export interface ZodInternals {
  readonly def?: ZodDefinition;
  readonly constr?: new (def: ZodDefinition) => ZodSchema;
  readonly innerType?: ZodSchema;
  readonly check?: unknown;
  pattern?: RegExp;
}

/** Where definitions hold expressions. */
export const EXPRESSIONS: readonly string[] = ['pattern', 'hostname', 'protocol'];

const INNER = ['innerType'];

/** Where the definition of each kind of schema or check holds other schemas. */
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

/** The names of members that hold one schema, a list of them, or the shape of an object. */
export function membersOf({ type, check }: ZodDefinition): readonly string[] | undefined {
  return MEMBERS.get(type ?? check);
}

/**
 * The regular expressions that a Zod schema runs. Its JSON Schema does not tell all of them: flags are lost there, and what stands behind
 * a transformation.
 */
export function findZodExpressions(schema: unknown): RegExp[] {
  const found: RegExp[] = [];
  const collect = (internals: ZodInternals): boolean => {
    const { def = {} } = internals;
    // Made of its parts, which are not run by themselves. Of others, Zod makes one for whoever looks.
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
 * Whether this holds for a Zod schema or check, or for one within; `ifUnknown` where that cannot be found out. Every schema comes through
 * here when a server starts, so it looks at no more than it must.
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
      // A getter of the author's that cannot answer yet.
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
