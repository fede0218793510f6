import type { AnyMiddleware } from '../../middleware/middleware.ts';
import type { ToolSettings } from '../compile/tool-settings.ts';
import type { ComponentEntry } from './component-list.ts';
import type { ComponentUnit } from './component-tree.ts';
import { mountTool } from './mount-tool.ts';
import type { Mounting } from './mount-tool.ts';
import type { WireName } from './name-book.ts';

/** Creates the entry of a prompt or a resource with the shared middleware around it. */
export type BareComponent<TEntry> = (middleware: readonly AnyMiddleware[]) => TEntry;

/** Compiles a definition with the given settings. Called again when a server serves it with other settings. */
export type CompileComponent<TEntry> = (settings: ToolSettings) => BareComponent<TEntry>;

/** Options of {@link toComponentUnit}. */
interface UnitOptions {
  readonly settings: ToolSettings;
  /** Middleware around everything in its tree. */
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

/** Prompts and resources have one name, their key. */
export function namesOfComponents(entries: readonly ComponentEntry[]): WireName[] {
  return entries.map(({ key }) => ({ namings: ['canonical'], name: key, group: undefined }));
}

/**
 * A mounted prompt or resource: found by a prefixed key, or by the same one if keys are fixed, and listed under its
 * prefixed name.
 */
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
