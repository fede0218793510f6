import type { ZodType } from 'zod';

/** An argument shape like one of a popular public MCP server. */
export interface RealShape {
  readonly name: string;
  readonly description: string;
  /** The fields of a new schema. */
  readonly fields: () => Record<string, ZodType>;
  readonly samples: readonly Readonly<Record<string, unknown>>[];
}

export const REAL_SHAPES: readonly RealShape[];
