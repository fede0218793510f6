import type { McpAnnotations, McpIcon } from '../../mcp-types.ts';
import { cloneJson } from './json.ts';

/** Every member of an MCP object, so that the compiler reports a member that a converter forgets. */
type WireMembers<TWire> = { [TKey in keyof TWire]-?: TWire[TKey] | undefined };

/**
 * Creates an MCP object: first the members the model knows, in this order, then a copy of its extensions. A known
 * member wins over an extension of the same name. `undefined` members are left out.
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
    // Defined, not assigned: an extension named `__proto__` must not become the prototype.
    Object.defineProperty(wire, name, { ...ORDINARY, value: cloneJson(value) });
  }
  return wire as TWire;
}

const ORDINARY = { enumerable: true, configurable: true, writable: true };

/** Copies icons, with members in the order of the protocol. */
export function copyIcons(icons: readonly McpIcon[] | undefined): McpIcon[] | undefined {
  return icons?.map(({ src, mimeType, sizes, theme, ...others }) =>
    toWireObject<McpIcon>({ src, mimeType, sizes: cloneJson(sizes), theme }, others),
  );
}

/** Copies annotations, with members in the order of the protocol. */
export function copyAnnotations(annotations: McpAnnotations | undefined): McpAnnotations | undefined {
  if (annotations === undefined) return undefined;
  const { audience, priority, lastModified, ...others } = annotations;
  return toWireObject<McpAnnotations>({ audience: cloneJson(audience), priority, lastModified }, others);
}

/** The array, or `undefined` if it is empty: the protocol expresses "none" by leaving the member out. */
export function orAbsent<TItem>(list: TItem[]): TItem[] | undefined {
  return list.length === 0 ? undefined : list;
}

/**
 * Arrays that were received empty. In the model, an empty array and an absent one are the same; as an extension,
 * the empty array is written back until the model has items for it.
 */
export function emptyLists(lists: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const empty = Object.entries(lists).filter(([, list]) => Array.isArray(list) && list.length === 0);
  return Object.fromEntries(empty.map(([name]) => [name, []]));
}
