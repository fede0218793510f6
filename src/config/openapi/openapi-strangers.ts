import type { OpenApiImport } from '../../openapi/from-openapi.ts';
import type { OpenApiReport } from '../../openapi/model/import-report.ts';
import type { OpenApiEntry } from '../file/config-types.ts';
import type { Mistake } from '../file/small-schema.ts';

/** What means nothing: what was wanted by it would silently not happen. */
export function findStrangers(entry: OpenApiEntry, { tools, resources, report }: OpenApiImport): Mistake[] {
  const mistakes = [...findStrangeNames(entry, report), ...findStrangeOverrides(entry, report)];
  if (tools.length > 0 || resources.length > 0 || mistakes.length > 0) return mistakes;
  const why = report.notes.filter((note) => note.includes(' matches no operation.')).slice(0, 3);
  return [{ path: [], message: ['leaves no operation of the document.', ...why].join(' ') }];
}

const NAMES = ['includeTools', 'excludeTools', 'includeOperations', 'excludeOperations'] as const;
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'QUERY']);

/** Names of single operations. Patterns, methods and tags are said to be safe, and may mean none. */
function findStrangeNames(entry: OpenApiEntry, { notes }: OpenApiReport): Mistake[] {
  return NAMES.flatMap((list) =>
    (entry[list] ?? []).flatMap((name, index): Mistake[] => {
      if (name.includes('*') || METHODS.has(name.toUpperCase())) return [];
      const start = `${list}: "${name}" matches no operation.`;
      const note = notes.find((each) => each.startsWith(start));
      if (note === undefined) return [];
      return [{ path: [list, index], message: `names no operation.${note.slice(start.length)}` }];
    }),
  );
}

function findStrangeOverrides({ overrides = {} }: OpenApiEntry, report: OpenApiReport): Mistake[] {
  return Object.entries(overrides).flatMap(([key, override]): Mistake[] => {
    const path = ['overrides', key];
    const start = `overrides: there is no operation "${key}".`;
    const note = report.notes.find((each) => each.startsWith(start));
    if (note !== undefined) return [{ path, message: `names no operation.${note.slice(start.length)}` }];
    const meant = report.operations.filter((each) => each.key === key || each.operationId === key);
    // Somebody wants something of it, and gets nothing.
    const refused = meant.find(({ outcome }) => outcome === 'refused' && override.hidden !== true);
    if (refused !== undefined) return [{ path, message: `cannot be imported: ${refused.reason ?? ''}` }];
    const notes = new Set(meant.flatMap((each) => each.notes));
    return Object.keys(override.arguments ?? {})
      .filter((name) => notes.has(`overrides: there is no argument "${name}"`))
      .map((name) => ({
        path: [...path, 'arguments', name],
        message: `names no argument of ${meant[0]?.key ?? key}`,
      }));
  });
}
