import { CATALOG } from './catalog.ts';

/** Parses `FITNESS_DISABLED_TOOLS`: names separated by commas. An unknown name would leave enabled what its author meant to disable. */
export function parseDisabledTools(value: string | undefined): ReadonlySet<string> {
  const names = (value ?? '').split(',').map((name) => name.trim());
  const disabled = new Set(names.filter((name) => name !== ''));
  const unknown = [...disabled].filter((name) => !CATALOG.has(name));
  if (unknown.length > 0)
    throw new Error(
      `Unknown tool ${unknown.map((name) => `"${name}"`).join(', ')} in FITNESS_DISABLED_TOOLS: use names separated by commas, of ${[...CATALOG.keys()].join(', ')}.`,
    );
  return disabled;
}
