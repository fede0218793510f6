import type { AnyMiddleware } from '../../middleware/middleware.ts';
import type { ComponentEntry } from './component-list.ts';
import type { ComponentUnit } from './component-tree.ts';
import { mountTool } from './mount-tool.ts';
import type { Mounting } from './mount-tool.ts';
import type { WireName } from './name-book.ts';

/** Makes the entry of a prompt or a resource, with everything around it that all of them have in common. */
export type BareComponent<TEntry> = (middleware: readonly AnyMiddleware[]) => TEntry;

/** The unit of one prompt or resource. */
export function toComponentUnit<TEntry extends ComponentEntry>(
  within: BareComponent<TEntry>,
  middleware: readonly AnyMiddleware[],
): ComponentUnit<TEntry> {
  const entry = within(middleware);
  return { name: entry.key, entries: [entry], recompose: (other) => toComponentUnit(within, other) };
}

/** A prompt or a resource goes by its key alone. */
export function namesOfComponents(entries: readonly ComponentEntry[]): WireName[] {
  return entries.map(({ key }) => ({ namings: ['canonical'], name: key, group: undefined }));
}

/** A prompt or a resource where it is mounted: found by another key, or by the same, and listed under its prefixed name. */
export function mountComponent<TEntry extends ComponentEntry>(
  entry: TEntry,
  key: string,
  mounting: Mounting,
): TEntry {
  const listed = Object.freeze({ ...entry.listed, name: `${mounting.prefix}${entry.listed.name}` });
  const tool = mountTool(entry.tool, key, mounting);
  return { ...entry, key, listed, json: JSON.stringify(listed), tool };
}
