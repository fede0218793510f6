import { suggest } from '../../errors/nearest-names.ts';
import type { Finding } from '../../errors/finding.ts';
import type { OpenApiImport } from '../../openapi/from-openapi.ts';
import type { OpenApiReport } from '../../openapi/model/import-report.ts';
import type { OpenApiEntry } from '../file/config-types.ts';
import type { Mistake } from '../file/small-schema.ts';

/** Finds entries without effect: filters and overrides that match no operation. */
export function findStrangers(entry: OpenApiEntry, { tools, resources, report }: OpenApiImport): Mistake[] {
  const mistakes = [...findStrangeNames(entry, report), ...findStrangeOverrides(entry, report)];
  if (tools.length > 0 || resources.length > 0 || mistakes.length > 0) return mistakes;
  const why = report.findings.filter(({ reason }) => reason === 'unmatched-entry').slice(0, 3);
  const lines = ['has filters that match no operation.', ...why.map(({ message }) => message)];
  return [{ path: [], message: lines.join(' ') }];
}

const NAMES = ['includeTools', 'excludeTools', 'includeOperations', 'excludeOperations'] as const;
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'QUERY']);

/** Checks names of single operations. Patterns, methods and tags may match nothing. */
function findStrangeNames(entry: OpenApiEntry, { findings }: OpenApiReport): Mistake[] {
  const unmatched = findings.filter(({ reason }) => reason === 'unmatched-entry');
  return NAMES.flatMap((list) =>
    (entry[list] ?? []).flatMap((name, index): Mistake[] => {
      if (name.includes('*') || METHODS.has(name.toUpperCase())) return [];
      const found = unmatched.find(({ option, received }) => option === list && received === name);
      return found === undefined ? [] : [{ path: [list, index], message: namesNone(found) }];
    }),
  );
}

/** The message about an unknown operation. */
export function namesNone({ expected = [] }: Pick<Finding, 'expected'>): string {
  return `is an unknown operation.${suggest([expected].flat())}`;
}

function findStrangeOverrides({ overrides = {} }: OpenApiEntry, report: OpenApiReport): Mistake[] {
  return Object.entries(overrides).flatMap(([key, override]): Mistake[] => {
    const path = ['overrides', key];
    const meant = report.operations.filter((each) => each.key === key || each.operationId === key);
    // The override would have no effect, because the operation is refused.
    const refused = meant.find(({ outcome }) => outcome === 'refused' && override.hidden !== true);
    return refused === undefined ? [] : [{ path, message: `cannot be imported: ${refused.reason ?? ''}` }];
  });
}
