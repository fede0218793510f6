import { countOutcomes } from '../../openapi/model/import-report.ts';
import type { OpenApiReport } from '../../openapi/model/import-report.ts';
import { countOf, oneLine } from './terminal.ts';

/** Maximum number of reasons shown for one document. */
const MAX_REASONS = 5;

/** Lines about OpenAPI documents with refused operations or missing credentials, with the reasons. */
export function remarksOn(reports: readonly OpenApiReport[]): string[] {
  return reports.flatMap((report) => {
    const { operations, title, apiVersion } = report;
    const { tool, refused } = countOutcomes(report);
    const keyless = operations.filter(({ missingCredentials }) => missingCredentials.length > 0);
    if (refused === 0 && keyless.length === 0) return [];
    const counts = [
      `${countOf(tool, 'tool')} of ${countOf(operations.length, 'operation')}`,
      ...(refused > 0 ? [`${refused} refused`] : []),
      ...(keyless.length > 0 ? [`${keyless.length} without credentials`] : []),
    ];
    return [`${oneLine(title)} ${oneLine(apiVersion)}: ${counts.join(', ')}`, ...reasonsOf(report, keyless)];
  });
}

function reasonsOf({ operations }: OpenApiReport, keyless: OpenApiReport['operations']): string[] {
  const refused = operations
    .filter(({ outcome }) => outcome === 'refused')
    .map(({ key, reason = 'no reason' }) => `${key}: ${reason}`);
  const needs = keyless.map(({ missingCredentials }) => missingCredentials.join(', '));
  const reasons = [...refused, ...new Set(needs)].map((reason) => `  ${oneLine(reason)}`);
  const more = reasons.length - MAX_REASONS;
  return more > 1 ? [...reasons.slice(0, MAX_REASONS), `  and ${more} more`] : reasons;
}
