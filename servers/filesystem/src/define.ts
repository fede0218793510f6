import { defineToolFor, success } from 'toolwright';
import * as z from 'zod';

/** The context of the tools: see `withDirectories` in main.ts. */
export interface FilesContext {
  /** The directories that this caller may use. */
  readonly allowed: readonly string[];
  /** Resolves a path; throws if it is not in one of them. */
  readonly resolvePath: (path: string) => Promise<string>;
}

/** `defineTool` for tools with this context. */
export const defineFileTool: ReturnType<typeof defineToolFor<FilesContext>> = defineToolFor<FilesContext>();

/** The output of most tools: a string, as content and as structured content. */
export const TEXT_OUTPUT: { content: z.ZodString } = { content: z.string() };

/** The result of most tools. */
export function textResult(content: string): ReturnType<typeof success<{ content: string }>> {
  return success({ content }, { text: content });
}

export const READS = { readOnlyHint: true, openWorldHint: false };
