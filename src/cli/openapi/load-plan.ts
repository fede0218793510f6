import type { OpenApiOptions } from '../../openapi/import-options.ts';
import type { Operation } from '../../openapi/model/operation.ts';
import type { Exposure } from '../../registry/exposure/exposure.ts';
import type { ToolRegistry } from '../../registry/tool-registry.ts';
import { OpenAPIServer } from '../../server/openapi-server.ts';
import type { OpenApiServerOptions, OpenApiSource } from '../../server/openapi-server.ts';
import { findBlockedHosts } from './blocked-hosts.ts';
import type { ImportPlan } from './plan/plan-import.ts';

/** Options of {@link loadPlan}; they override those of the plan. */
export interface LoadOptions extends Pick<
  OpenApiServerOptions,
  'name' | 'prompts' | 'resources' | 'version'
> {
  readonly exposure?: Exposure;
  readonly mode?: NonNullable<OpenApiOptions['mode']>;
}

/** A server with the tools of all documents. */
export type PlannedServer = OpenAPIServer & { readonly tools: ToolRegistry };

/** The result of {@link loadPlan}. */
export interface LoadedPlan {
  readonly server: PlannedServer;
  /** Hosts of the API to which calls are rejected. */
  readonly blocked: readonly string[];
}

/** Loads the documents of a plan. */
export async function loadPlan(plan: ImportPlan, options: LoadOptions = {}): Promise<LoadedPlan> {
  const { exposure = plan.exposure, mode = plan.mode, ...own } = options;
  const watched = plan.documents.map(watchServers);
  const server = await OpenAPIServer.load({
    ...own,
    documents: watched.map(({ source }) => ({ ...source, mode })),
    exposure,
    groupedSchemas: plan.groupedSchemas,
    schemaProfile: plan.schemaProfile,
    pinned: plan.pinned,
  });
  const blocked = server.reports.flatMap((report, index) => {
    const each = watched[index];
    return each === undefined ? [] : findBlockedHosts({ ...each, report });
  });
  return { server: server as PlannedServer, blocked: [...new Set(blocked)] };
}

/** Records the servers of every operation, with an override that is called for each of them. */
function watchServers(source: OpenApiSource): {
  readonly source: OpenApiSource;
  readonly servers: Map<string, Operation['servers']>;
} {
  const servers = new Map<string, Operation['servers']>();
  const override: OpenApiSource['override'] = (operation) => {
    servers.set(operation.key, operation.servers);
    return source.override?.(operation);
  };
  return { source: { ...source, override }, servers };
}
