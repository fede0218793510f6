import { boundExpression } from './bounded-expression.ts';
import type { PatternLimits } from './bounded-expression.ts';
import { EXPRESSIONS, membersOf } from './zod-expressions.ts';
import type { ZodDefinition, ZodSchema } from './zod-expressions.ts';

/**
 * Returns an equal Zod schema that does not try its expressions on strings that are too long for them. It is rebuilt from the definitions,
 * as Zod's `clone` does; the author's schema is not changed.
 */
export function boundZod<TSchema extends object>(schema: TSchema, limits: PatternLimits): TSchema {
  return new Bounder(limits).bound(schema) as TSchema;
}

class Bounder {
  readonly #limits: PatternLimits;
  readonly #done = new Map<ZodSchema, ZodSchema>();

  constructor(limits: PatternLimits) {
    this.#limits = limits;
  }

  bound(schema: ZodSchema): ZodSchema {
    const known = this.#done.get(schema);
    if (known !== undefined) return known;
    const made = this.#rebuild(schema);
    this.#done.set(schema, made);
    return made;
  }

  #rebuild(schema: ZodSchema): ZodSchema {
    const { def, constr: Constructor, pattern } = schema._zod ?? {};
    if (def === undefined || Constructor === undefined) return schema;
    if (def['type'] === 'template_literal' && pattern !== undefined) {
      const made = new Constructor(def);
      // Zod builds this expression from the parts, so it is not in the definition.
      if (made._zod !== undefined) made._zod.pattern = boundExpression(pattern, this.#limits);
      return made;
    }
    const changes = this.#changesOf(def);
    return Object.keys(changes).length === 0 ? schema : new Constructor(withChanges(def, changes));
  }

  #changesOf(def: ZodDefinition): Record<string, unknown> {
    const changes: Record<string, unknown> = {};
    const { checks, type, getter } = def;
    for (const key of EXPRESSIONS) {
      const expression = def[key];
      const bounded = expression instanceof RegExp ? boundExpression(expression, this.#limits) : expression;
      if (bounded !== expression) changes[key] = bounded;
    }
    if (Array.isArray(checks) && checks.length > 0)
      changes['checks'] = (checks as ZodSchema[]).map((check) => this.bound(check));
    if (type === 'lazy' && typeof getter === 'function') {
      changes['getter'] = () => this.bound((getter as () => ZodSchema)());
      // Zod caches the getter's schema in the definition; that schema has no bounds.
      changes['_cachedInner'] = undefined;
    }
    for (const member of membersOf(def) ?? []) changes[member] = this.#member(def[member], member);
    return changes;
  }

  /** One schema, an array of them, or the shape of an object. */
  #member(held: unknown, member: string): unknown {
    if (Array.isArray(held)) return held.map((each: unknown) => (isSchema(each) ? this.bound(each) : each));
    if (member !== 'shape') return isSchema(held) ? this.bound(held) : held;
    const shape = held as Readonly<Record<string, ZodSchema>>;
    const bounded = {};
    for (const key of Object.keys(shape)) {
      // An object may contain itself, so its members are built on first access.
      const get = (): ZodSchema | undefined => shape[key] && this.bound(shape[key]);
      Object.defineProperty(bounded, key, { enumerable: true, configurable: true, get });
    }
    return bounded;
  }
}

function isSchema(value: unknown): value is ZodSchema {
  return typeof value === 'object' && value !== null && '_zod' in value;
}

/** Copies a definition with its getters: default values are created anew on each access. */
function withChanges(def: ZodDefinition, changes: Readonly<Record<string, unknown>>): ZodDefinition {
  const copy = Object.defineProperties({}, Object.getOwnPropertyDescriptors(def)) as ZodDefinition;
  for (const [key, value] of Object.entries(changes))
    Object.defineProperty(copy, key, { value, enumerable: true, configurable: true, writable: true });
  return copy;
}
