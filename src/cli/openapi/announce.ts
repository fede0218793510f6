import { optionPathOf } from '../../errors/finding.ts';
import type { Finding, FindingReason } from '../../errors/finding.ts';
import type { OpenApiReport } from '../../openapi/model/import-report.ts';
import type { OutboundOptions } from '../../outbound/outbound-client.ts';
import { estimateTokens } from '../../registry/exposure/estimate-tokens.ts';
import { countOf, oneLine } from '../terminal/terminal.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { describeBlocked } from './blocked-hosts.ts';
import { inFlags } from './plan/in-flags.ts';
import type { LoadedPlan, PlannedServer } from './load-plan.ts';
import type { ImportPlan } from './plan/plan-import.ts';
import { formatCount } from './show-survey.ts';
import { countAll } from './survey.ts';
import type { OutcomeCounts } from './survey.ts';

/** A list that costs more leaves little room for anything else. */
const MANY_TOKENS = 20_000;

/** Says in a line what came of the documents; and what is probably not meant so. */
export function announce(loaded: LoadedPlan, plan: ImportPlan, { err, paintErr }: Terminal): OutcomeCounts {
  const { server } = loaded;
  const counts = countAll(server.reports);
  const tokens = estimateTokens(server.tools.listToolsJson());
  err(
    `${oneLine(server.name)} ${oneLine(server.version)}: ${describe(counts)}; ${describeList(server, counts, tokens)}`,
  );
  for (const note of findNotes(loaded, plan, tokens)) err(`${paintErr.yellow('note')} ${oneLine(note)}`);
  return counts;
}

function findNotes({ server, blocked }: LoadedPlan, plan: ImportPlan, tokens: number): string[] {
  const isFlat = plan.exposure === 'flat' && plan.mode !== 'dynamic';
  const isTrusting = plan.documents.some(
    ({ outbound }) => (outbound as OutboundOptions).tls?.rejectUnauthorized === false,
  );
  return [
    ...findUnmatched(server.reports),
    ...describeBlocked(blocked),
    ...(isTrusting ? ['The certificate of the API is not checked: anybody could answer in its place.'] : []),
    ...(isFlat && tokens > MANY_TOKENS
      ? ['That is much for a model. --exposure search lists three tools that find and call all of them.']
      : []),
  ];
}

function describe(counts: OutcomeCounts): string {
  const { operations, tools, resources, refused, leftOut, withoutCredentials } = counts;
  return [
    `${countOf(tools, 'tool')} ${resources > 0 ? `and ${countOf(resources, 'resource')} ` : ''}of ${countOf(operations, 'operation')}`,
    `${formatCount(refused)} refused`,
    ...(leftOut > 0 ? [`${formatCount(leftOut)} left out`] : []),
    ...(withoutCredentials > 0
      ? [`${formatCount(withoutCredentials)} without credentials (--dry-run says which)`]
      : []),
  ].join(', ');
}

function describeList({ tools }: PlannedServer, counts: OutcomeCounts, tokens: number): string {
  const listed = tools.listTools().length;
  const how = listed === counts.tools ? 'the list costs' : `listed as ${countOf(listed, 'tool')} for`;
  return `${how} about ${formatCount(tokens)} tokens`;
}

const MEANINGLESS: ReadonlySet<FindingReason> = new Set([
  'unmatched-entry',
  'ignored-options',
  'unknown-server-variable',
]);

/** What was said for all documents and means nothing in any of them. */
function findUnmatched(reports: readonly OpenApiReport[]): string[] {
  const [first, ...others] = reports.map(({ findings }) =>
    findings.filter(({ reason }) => MEANINGLESS.has(reason)),
  );
  return (first ?? [])
    .filter((finding) => others.every((findings) => findings.some((other) => isSame(finding, other))))
    .map((finding) => inFlags(finding));
}

/** What may have been meant differs from document to document. */
function isSame(one: Finding, other: Finding): boolean {
  return (
    one.reason === other.reason &&
    optionPathOf(one) === optionPathOf(other) &&
    String(one.received) === String(other.received)
  );
}

/** Lists what is refused, and why. */
export function listRefused(reports: readonly OpenApiReport[], { err, paintErr }: Terminal): void {
  for (const { key, outcome, reason = '' } of reports.flatMap(({ operations }) => operations)) {
    if (outcome === 'refused') err(`${paintErr.red('refused')} ${oneLine(key)}: ${oneLine(reason)}`);
  }
}
