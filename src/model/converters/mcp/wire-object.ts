import type { McpAnnotations, McpIcon } from '../../mcp-types.ts';
import { cloneJson } from './json.ts';

/** Every member of a wire object, so that the compiler misses the one a converter forgets. */
type WireMembers<TWire> = { [TKey in keyof TWire]-?: TWire[TKey] | undefined };

/**
 * A wire object: first the members the model knows, in the order they are written, then a copy of its
 * extensions. A known member wins over an extension of the same name. `undefined` members are left out.
 */
export function toWireObject<TWire extends object>(
  members: WireMembers<TWire>,
  extensions: Readonly<Record<string, unknown>>,
): TWire {
  const wire: Record<string, unknown> = {};
  for (const name of Object.keys(members)) {
    const value = (members as Readonly<Record<string, unknown>>)[name];
    if (value !== undefined) wire[name] = value;
  }
  for (const [name, value] of Object.entries(extensions)) {
    if (value === undefined || Object.hasOwn(wire, name)) continue;
    // Defining instead of assigning: an extension called `__proto__` must not become the prototype.
    Object.defineProperty(wire, name, { ...ORDINARY, value: cloneJson(value) });
  }
  return wire as TWire;
}

const ORDINARY = { enumerable: true, configurable: true, writable: true };

/** A copy of the icons, members in the protocol's order. */
export function copyIcons(icons: readonly McpIcon[] | undefined): McpIcon[] | undefined {
  return icons?.map(({ src, mimeType, sizes, theme, ...others }) =>
    toWireObject<McpIcon>({ src, mimeType, sizes: cloneJson(sizes), theme }, others),
  );
}

/** A copy of the annotations, members in the protocol's order. */
export function copyAnnotations(annotations: McpAnnotations | undefined): McpAnnotations | undefined {
  if (annotations === undefined) return undefined;
  const { audience, priority, lastModified, ...others } = annotations;
  return toWireObject<McpAnnotations>({ audience: cloneJson(audience), priority, lastModified }, others);
}

/** The list, or `undefined` for an empty one: the wire says "none" by leaving the member out. */
export function orAbsent<TItem>(list: TItem[]): TItem[] | undefined {
  return list.length === 0 ? undefined : list;
}

/**
 * The lists that were sent empty. In the model an empty list and an absent one are the same; kept among the
 * extensions, an empty one goes back as it came until the model has something to put in it.
 */
export function emptyLists(lists: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const empty = Object.entries(lists).filter(([, list]) => Array.isArray(list) && list.length === 0);
  return Object.fromEntries(empty.map(([name]) => [name, []]));
}
