import type { McpLogLevel } from '../../middleware/dialogue.ts';

const SEVERITY: ReadonlyMap<unknown, number> = new Map(
  ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'].map((level, rank) => [
    level,
    rank,
  ]),
);

export const LOG_LEVELS: readonly string[] = [...SEVERITY.keys()] as string[];

export function isLogLevel(value: unknown): value is McpLogLevel {
  return SEVERITY.has(value);
}

/** Whether a message has at least the requested level. */
export function isWanted(level: McpLogLevel, wanted: McpLogLevel | undefined): boolean {
  const rank = SEVERITY.get(level);
  return wanted !== undefined && rank !== undefined && rank >= (SEVERITY.get(wanted) ?? 0);
}
