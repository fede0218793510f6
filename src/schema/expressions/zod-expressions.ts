/** A schema this large is not written by hand. */
const MAX_VISITED = 20_000;

/**
 * The regular expressions that a Zod schema runs. Its JSON Schema does not tell all of them: flags are lost there, and what stands behind
 * a transformation. Every schema comes through here when a server starts, so it looks at no more than it must.
 */
export function findZodExpressions(schema: unknown): RegExp[] {
  const found: RegExp[] = [];
  visit(schema as ZodSchema, { found, seen: new Set() });
  return found;
}

/** What a schema or a check of Zod was made of. */
export type ZodDefinition = Readonly<Record<string, unknown>>;

/** A schema or a check of Zod, as far as it is looked at here. */
export interface ZodSchema {
  readonly _zod?: {
    readonly def?: ZodDefinition;
    readonly constr?: new (def: ZodDefinition) => ZodSchema;
    readonly innerType?: ZodSchema;
    pattern?: RegExp;
  };
}

interface Walk {
  readonly found: RegExp[];
  readonly seen: Set<ZodSchema>;
}

const INNER = ['innerType'];

/** Where definitions hold expressions. */
export const EXPRESSIONS: readonly string[] = ['pattern', 'hostname', 'protocol'];

/** Where the definition of each kind holds other schemas. */
export const MEMBERS: ReadonlyMap<unknown, readonly string[]> = new Map([
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
]);

function visit(schema: ZodSchema | undefined, walk: Walk): void {
  const internals = schema?._zod;
  const def = internals?.def;
  if (schema === undefined || def === undefined) return;
  const { checks, type } = def;
  if (type === 'string' && def['format'] !== undefined) addExpressions(def, walk);
  // Made of its parts, which are not run by themselves.
  if (type === 'template_literal' && internals?.pattern !== undefined) walk.found.push(internals.pattern);
  if (Array.isArray(checks)) for (const check of checks as ZodSchema[]) addExpressions(check._zod?.def, walk);
  const members = MEMBERS.get(type);
  if ((members === undefined && type !== 'lazy') || walk.seen.has(schema) || walk.seen.size > MAX_VISITED)
    return;
  walk.seen.add(schema);
  if (members === undefined) visit(readLazy(internals), walk);
  else for (const member of members) visitMember(def[member], member, walk);
}

/** One schema, a list of them, or the shape of an object. */
function visitMember(held: unknown, member: string, walk: Walk): void {
  if (Array.isArray(held)) for (const each of held as ZodSchema[]) visit(each, walk);
  else if (member !== 'shape') visit(held as ZodSchema | undefined, walk);
  else for (const each of Object.values(held as Readonly<Record<string, ZodSchema>>)) visit(each, walk);
}

function addExpressions(def: ZodDefinition | undefined, { found }: Walk): void {
  for (const key of EXPRESSIONS) {
    const expression = def?.[key];
    if (expression instanceof RegExp) found.push(expression);
  }
}

function readLazy(internals: ZodSchema['_zod']): ZodSchema | undefined {
  try {
    return internals?.innerType;
  } catch {
    // A getter of the author's that cannot answer yet.
    return undefined;
  }
}
