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

/** Report of one operation, with its size. */
export interface SurveyedOperation extends OperationReport {
  /** Tokens of its tool in a flat list; null if it is not a tool. */
  readonly tokens: number | null;
}

/** Report of one document. */
export interface SurveyedDocument extends Omit<OpenApiReport, 'findings' | 'operations'> {
  /** The namespace, or null. */
  readonly name: string | null;
  readonly operations: readonly SurveyedOperation[];
}

/** Size of the tool list by exposure, in tokens; null for a list that cannot be generated. */
export interface ListCosts {
  readonly flat: number;
  readonly grouped: number | null;
  readonly search: number;
  /** Only with `--tools dynamic`. */
  readonly dynamic?: number;
}

/** Number of operations by outcome. */
export interface OutcomeCounts {
  readonly operations: number;
  readonly tools: number;
  readonly resources: number;
  readonly refused: number;
  readonly leftOut: number;
  /** Number of operations whose credentials are missing. */
  readonly withoutCredentials: number;
}

/** The data that `--dry-run` prints and `--report` writes. */
export interface Survey {
  readonly toolwright: string;
  readonly documents: readonly SurveyedDocument[];
  readonly totals: OutcomeCounts & { readonly tokens: ListCosts };
  /** Notes about all documents. */
  readonly notes: readonly string[];
}

/** Imports the documents of a plan once, and measures their tools in each exposure. */
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
        ...(typeof grouped === 'string' ? [`A grouped list is not possible: ${grouped}`] : []),
      ],
    };
  } finally {
    await flat.close();
  }
}

interface Shown extends Pick<OpenApiOptions, 'groupBy' | 'mode'> {
  readonly exposure: Exposure;
}

/** The size of a tool list, or the reason why it cannot be generated. */
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
    // Without its query, which may contain keys.
    uri: report.uri === INLINE_URI ? report.uri : nameOf(report.uri),
    operations: report.operations.map((operation) => ({
      ...operation,
      tokens: operation.outcome === 'tool' ? (costs.get(operation.name ?? '') ?? null) : null,
    })),
  };
}

/** Counts the operations of all documents by outcome. */
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
