import * as z from 'zod';
import type { BudgetApi } from '../api/budget-api.ts';
import type { Settings } from '../settings/settings.ts';
import { defineRead } from './define/define-read.ts';
import type { BudgetTool } from './define/define-read.ts';
import { memberFacts } from './define/columns.ts';

/** The parts of the server that `diagnostic_info` reports. */
export interface Diagnosed {
  readonly version: string;
  readonly startedAt: number;
  readonly now: () => number;
  readonly settings: Settings;
  readonly api: BudgetApi;
}

const section = z.boolean().default(true);

export function createDiagnosticsTool(parts: Diagnosed): BudgetTool {
  const { api, settings } = parts;
  return defineRead({
    name: 'diagnostic_info',
    title: 'Diagnose the server',
    description:
      'Returns the state of this server: version, memory, settings, request limit, cache and delta requests.',
    arguments: {
      include_memory: section,
      include_environment: section,
      include_server: section,
      include_security: section,
      include_cache: section,
      include_delta: section,
    },
    isLocal: true,
    read: async ({ input, context }) => {
      const { cache, delta } = await context.store.stats();
      const { remaining, resetAt } = api.limits(context.owner);
      const data: Record<string, object> = {
        ...(input.include_server ? { server: describeServer(parts) } : {}),
        ...(input.include_memory ? { memory: describeMemory() } : {}),
        ...(input.include_environment
          ? { environment: describeSettings(settings, context.owner.token) }
          : {}),
        ...(input.include_security
          ? {
              security: {
                calls_by_outcome: context.owner.calls.toJSON(),
                requests_remaining: remaining,
                ...(resetAt === undefined ? {} : { requests_reset_at: new Date(resetAt).toISOString() }),
              },
            }
          : {}),
        ...(input.include_cache ? { cache } : {}),
        ...(input.include_delta ? { delta } : {}),
      };
      const sections = (): string =>
        Object.entries(data)
          .map(([name, members]) => `## ${name}\n\n${memberFacts(members)}`)
          .join('\n\n');
      return { data, markdown: () => `# Diagnostics\n\n${sections()}` };
    },
  });
}

function describeServer({ version, startedAt, now, api }: Diagnosed): object {
  return {
    version,
    node: process.version,
    platform: process.platform,
    uptime_seconds: Math.round((now() - startedAt) / 1000),
    api: api.baseUrl,
  };
}

function describeMemory(): object {
  const { rss, heapUsed, heapTotal } = process.memoryUsage();
  return { rss_bytes: rss, heap_used_bytes: heapUsed, heap_total_bytes: heapTotal };
}

function describeSettings(settings: Settings, token: string): object {
  return { ...settings, accessToken: maskToken(token) };
}

/** Enough to tell two tokens apart, too little to use one. */
function maskToken(token: string): string {
  return token.length < 12 ? '****' : `${token.slice(0, 2)}…${token.slice(-2)} (${token.length} characters)`;
}
