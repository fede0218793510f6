/** Inherited names of all objects: a client could lose such a definition, or find one where there is none. */
const INHERITED: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype));

/** Assigns unique names to definitions. */
export class DefinitionNames {
  readonly #taken = new Set<string>();
  readonly #counts = new Map<string, number>();

  /** A name from the end of a reference: `Pet` for `api.yaml#/components/schemas/Pet`, `pet` for `schemas/pet.yaml`. */
  take(id: string): string {
    const wanted = toName(id);
    let name = wanted;
    while (this.#taken.has(name) || INHERITED.has(name)) {
      const count = (this.#counts.get(wanted) ?? 1) + 1;
      this.#counts.set(wanted, count);
      name = `${wanted}_${count}`;
    }
    this.#taken.add(name);
    return name;
  }
}

function toName(id: string): string {
  const bare = id.endsWith('#') ? id.slice(0, -1).replace(/\.(?:json|ya?ml)$/i, '') : id;
  const last = bare.slice(Math.max(bare.lastIndexOf('/'), bare.lastIndexOf('#')) + 1);
  return last.replaceAll(/%[0-9A-Fa-f]{2}|~[01]|[^A-Za-z0-9_.-]/g, '_') || 'schema';
}
