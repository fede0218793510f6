import { DefinitionError } from '../../errors/errors.ts';
import { INLINE_URI, nameOf } from '../../openapi/document/document-uri.ts';
import { arrangeAgain } from '../../openapi/from-openapi.ts';
import type { OpenApiOptions } from '../../openapi/import-options.ts';
import { countOutcomes } from '../../openapi/model/import-report.ts';
import type { OpenApiReport, OperationReport } from '../../openapi/model/import-report.ts';
import { estimateTokens } from '../../registry/exposure/estimate-tokens.ts';
import type { Exposure } from '../../registry/exposure/exposure.ts';
import { ToolRegistry } from '../../registry/tool-registry.ts';
import { VERSION } from '../terminal/version.ts';
import { describeBlocked } from './blocked-hosts.ts';
import { errorInFlags } from './plan/in-flags.ts';
import { OPENAPI_FLAGS } from './plan/openapi-flags.ts';
import { loadPlan } from './load-plan.ts';
import type { ImportPlan } from './plan/plan-import.ts';

/** What became of one operation, and what it costs. */
export interface SurveyedOperation extends OperationReport {
  /** Of the tool in a list; null for what is none. */
  readonly tokens: number | null;
}

/** What became of one document. */
export interface SurveyedDocument extends Omit<OpenApiReport, 'findings' | 'operations'> {
  /** The namespace; null without one. */
  readonly name: string | null;
  readonly operations: readonly SurveyedOperation[];
}

/** What lists cost, in tokens; null for one that cannot be made. */
export interface ListCosts {
  readonly flat: number;
  readonly grouped: number | null;
  readonly search: number;
  /** Only with `--tools dynamic`. */
  readonly dynamic?: number;
}

/** How many operations came to what. */
export interface OutcomeCounts {
  readonly operations: number;
  readonly tools: number;
  readonly resources: number;
  readonly refused: number;
  readonly leftOut: number;
  /** Of them, those that need credentials that were not given. */
  readonly withoutCredentials: number;
}

/** Everything that `--dry-run` shows and `--report` writes. */
export interface Survey {
  readonly toolwright: string;
  readonly documents: readonly SurveyedDocument[];
  readonly totals: OutcomeCounts & { readonly tokens: ListCosts };
  /** Of all documents together. */
  readonly notes: readonly string[];
}

/** Imports the documents of a plan once, and arranges their tools in each of the ways that they can be shown in. */
export async function surveyPlan(plan: ImportPlan): Promise<Survey> {
  const mode = plan.mode === 'dynamic' ? 'all' : plan.mode;
  const { server: flat, blocked } = await loadPlan(plan, { exposure: 'flat', mode });
  const { reports } = flat;
  try {
    const tools = flat.tools.getAllTools();
    const costs = new Map(tools.map((tool) => [tool.name, estimateTokens(JSON.stringify(tool))]));
    const grouped = costOf(plan, reports, { exposure: 'grouped', groupBy: 'tag', mode });
    const dynamic =
      plan.mode === 'dynamic' ? costOf(plan, reports, { exposure: 'flat', mode: 'dynamic' }) : undefined;
    return {
      toolwright: VERSION,
      documents: reports.map((report, index) =>
        surveyDocument(report, plan.documents[index]?.namespace, costs),
      ),
      totals: {
        ...countAll(reports),
        tokens: {
          flat: estimateTokens(flat.tools.listToolsJson()),
          grouped: typeof grouped === 'number' ? grouped : null,
          search: estimateTokens(flat.tools.surface({ exposure: 'search' }).listToolsJson()),
          ...(typeof dynamic === 'number' ? { dynamic } : {}),
        },
      },
      notes: [
        ...describeBlocked(blocked),
        ...(typeof grouped === 'string' ? [`There is no grouped list: ${grouped}`] : []),
      ],
    };
  } finally {
    await flat.close();
  }
}

interface Shown extends Pick<OpenApiOptions, 'groupBy' | 'mode'> {
  readonly exposure: Exposure;
}

/** What a list costs, or why there is none. */
function costOf(
  { schemaProfile, groupedSchemas }: ImportPlan,
  reports: readonly OpenApiReport[],
  { exposure, ...how }: Shown,
): number | string {
  try {
    const tools = new ToolRegistry({ exposure, schemaProfile, groupedSchemas });
    for (const report of reports) tools.registerAll(arrangeAgain(report, how) as never);
    return estimateTokens(tools.listToolsJson());
  } catch (error) {
    if (!(error instanceof DefinitionError)) throw error;
    return errorInFlags(error, OPENAPI_FLAGS);
  }
}

function surveyDocument(
  report: OpenApiReport,
  name: string | undefined,
  costs: ReadonlyMap<string, number>,
): SurveyedDocument {
  const { findings: _, ...rest } = report;
  return {
    name: name ?? null,
    ...rest,
    // Without its query, where keys are.
    uri: report.uri === INLINE_URI ? report.uri : nameOf(report.uri),
    operations: report.operations.map((operation) => ({
      ...operation,
      tokens: operation.outcome === 'tool' ? (costs.get(operation.name ?? '') ?? null) : null,
    })),
  };
}

/** How many operations of all documents came to what. */
export function countAll(reports: readonly OpenApiReport[]): OutcomeCounts {
  const counts = reports.map(countOutcomes);
  const sum = (outcome: OperationReport['outcome']): number =>
    counts.reduce((total, each) => total + each[outcome], 0);
  const operations = reports.flatMap((report) => report.operations);
  return {
    operations: operations.length,
    tools: sum('tool'),
    resources: sum('resource') + sum('resource-template'),
    refused: sum('refused'),
    leftOut: sum('left-out'),
    withoutCredentials: operations.filter(({ missingCredentials }) => missingCredentials.length > 0).length,
  };
}
