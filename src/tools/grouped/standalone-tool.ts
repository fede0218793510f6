import type { McpCallToolResult, McpTool } from '../../model/mcp-types.ts';
import type { ToolCall } from '../../pipeline/context/call.ts';
import { toErrorResult } from '../../pipeline/reply/error-result.ts';
import { handleCall } from '../../pipeline/handle-call.ts';
import type { RouteTable } from '../../pipeline/route.ts';
import type { CatalogEntry } from '../compile/catalog-entry.ts';
import { resolveSettings } from '../compile/tool-settings.ts';
import type { ToolSettings } from '../compile/tool-settings.ts';
import type { ToolSettingsOptions } from '../compile/settings-options.ts';
import { createActionRoute } from './action-route.ts';
import { compileGroupedTool } from './compile-grouped-tool.ts';
import type { GroupedPlan } from './plan/grouped-plan.ts';
import { listGroupedTool, membersOf } from './list-grouped-tool.ts';

/** Metadata of one action, returned by {@link GroupedToolBuilder.getActionMetadata}. */
export interface ActionMetadata {
  /** Value of the discriminator: `create`, or `users.create` inside a group. */
  readonly key: string;
  readonly actionName: string;
  readonly groupName: string | undefined;
  readonly description: string | undefined;
  readonly destructive: boolean;
  readonly readOnly: boolean;
  readonly idempotent: boolean;
  /** Names of the fields that every valid call has. */
  readonly requiredFields: readonly string[];
  readonly tags: readonly string[];
  /** Whether any middleware runs around the action: of the tool, the group or the action. */
  readonly hasMiddleware: boolean;
}

/** A grouped tool without a registry. */
export class StandaloneTool {
  /** The tool as clients see it. */
  readonly listed: McpTool;
  readonly #plan: GroupedPlan;
  readonly #entries: readonly CatalogEntry[];
  readonly #table: RouteTable;
  readonly #settings: ToolSettings;

  constructor(plan: GroupedPlan, options: ToolSettingsOptions) {
    this.#plan = plan;
    this.#settings = resolveSettings(options, `Builder "${plan.name}"`);
    this.#entries = compileGroupedTool(plan, { settings: this.#settings, middleware: [] });
    this.listed = listGroupedTool(plan.name, membersOf(this.#entries));
    const actions = new Map(this.#entries.map(({ tool }) => [tool.subject.action ?? '', tool]));
    const route = createActionRoute({ name: plan.name, discriminator: plan.discriminator, actions });
    this.#table = new Map([[plan.name, route]]);
  }

  async execute(call: Omit<ToolCall, 'name'>): Promise<McpCallToolResult> {
    const reply = await handleCall(this.#table, { ...call, name: this.#plan.name });
    return reply.kind === 'result'
      ? reply.result
      : toErrorResult(reply, this.#settings.collaborators.errorHandler);
  }

  metadata(): ActionMetadata[] {
    const { getRequiredFields } = this.#plan.strategies.schemaUtils;
    return this.#entries.flatMap(({ grouped, tool, definition }) => {
      if (grouped === undefined) return [];
      const { key, actionName, groupName, description, destructive, readOnly, idempotent } = grouped.action;
      const { middleware = [] } = definition;
      return [
        {
          key,
          actionName,
          groupName,
          description,
          destructive: destructive === true,
          readOnly: readOnly === true,
          idempotent: idempotent === true,
          requiredFields: getRequiredFields(grouped.action),
          tags: tool.subject.tags,
          hasMiddleware: middleware.length + this.#plan.middleware.length > 0,
        },
      ];
    });
  }
}
