import type { AnyMiddleware } from '../../middleware/middleware.ts';
import type { ToolSettings } from '../compile/tool-settings.ts';
import type { ComponentEntry } from './component-list.ts';
import type { ComponentUnit } from './component-tree.ts';
import { mountTool } from './mount-tool.ts';
import type { Mounting } from './mount-tool.ts';
import type { WireName } from './name-book.ts';

/** Makes the entry of a prompt or a resource, with everything around it that all of them have in common. */
export type BareComponent<TEntry> = (middleware: readonly AnyMiddleware[]) => TEntry;

/** Compiles a definition with some settings. Called again where a server serves it with others. */
export type CompileComponent<TEntry> = (settings: ToolSettings) => BareComponent<TEntry>;

/** What a unit of one prompt or resource is compiled with. */
interface UnitOptions {
  readonly settings: ToolSettings;
  /** Around everything that its tree holds. */
  readonly middleware: readonly AnyMiddleware[];
}

/** The unit of one prompt or resource. */
export function toComponentUnit<TEntry extends ComponentEntry>(
  compile: CompileComponent<TEntry>,
  { settings, middleware }: UnitOptions,
): ComponentUnit<TEntry> {
  const within = compile(settings);
  const toUnitOf = (entry: TEntry): ComponentUnit<TEntry> => ({
    name: entry.key,
    source: within,
    entries: [entry],
    recompose: (other) => toUnitOf(within(other)),
    recompile: (others, around) => toComponentUnit(compile, { settings: others, middleware: around }),
  });
  return toUnitOf(within(middleware));
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
  const tool = mountTool(entry.tool, key, mounting);
  if (mounting.prefix === '') return { ...entry, tool };
  const listed = Object.freeze({ ...entry.listed, name: `${mounting.prefix}${entry.listed.name}` });
  return { ...entry, key, listed, json: JSON.stringify(listed), tool };
}
