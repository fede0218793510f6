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

/** Tool lists above this size are reported, because they leave little room in the context of a model. */
const MANY_TOKENS = 20_000;

/** Prints a summary of the import in one line, and notes about probable mistakes. */
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
    ...(isTrusting
      ? ['The certificate of the API is not verified: another server could impersonate it.']
      : []),
    ...(isFlat && tokens > MANY_TOKENS
      ? [
          'The tool list is large for a model. Use --exposure search to list three tools that find and call all others.',
        ]
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
      ? [`${formatCount(withoutCredentials)} without credentials (listed by --dry-run)`]
      : []),
  ].join(', ');
}

function describeList({ tools }: PlannedServer, counts: OutcomeCounts, tokens: number): string {
  const listed = tools.listTools().length;
  const how = listed === counts.tools ? 'tool list:' : `listed as ${countOf(listed, 'tool')}:`;
  return `${how} about ${formatCount(tokens)} tokens`;
}

const MEANINGLESS: ReadonlySet<FindingReason> = new Set([
  'unmatched-entry',
  'ignored-options',
  'unknown-server-variable',
]);

/** Notes about options that have no effect in any of the documents. */
function findUnmatched(reports: readonly OpenApiReport[]): string[] {
  const [first, ...others] = reports.map(({ findings }) =>
    findings.filter(({ reason }) => MEANINGLESS.has(reason)),
  );
  return (first ?? [])
    .filter((finding) => others.every((findings) => findings.some((other) => isSame(finding, other))))
    .map((finding) => inFlags(finding));
}

/** Compares findings without their suggestions, which differ between documents. */
function isSame(one: Finding, other: Finding): boolean {
  return (
    one.reason === other.reason &&
    optionPathOf(one) === optionPathOf(other) &&
    String(one.received) === String(other.received)
  );
}

/** Prints the refused operations with their reasons. */
export function listRefused(reports: readonly OpenApiReport[], { err, paintErr }: Terminal): void {
  for (const { key, outcome, reason = '' } of reports.flatMap(({ operations }) => operations)) {
    if (outcome === 'refused') err(`${paintErr.red('refused')} ${oneLine(key)}: ${oneLine(reason)}`);
  }
}
