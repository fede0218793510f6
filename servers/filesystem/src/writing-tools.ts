import { lstat, mkdir, readFile, rename } from 'node:fs/promises';
import type { AnyToolDefinition } from 'toolwright';
import * as z from 'zod';
import { defineFileTool, TEXT_OUTPUT, textResult } from './define.ts';
import type { FilesContext } from './define.ts';
import { applyEdits, formatDiff } from './edit-text.ts';
import { replaceText, toUnixLines, writeText } from './text-files.ts';

export const writingTools: AnyToolDefinition<FilesContext>[] = [
  defineFileTool({
    name: 'write_file',
    title: 'Write File',
    description:
      'Create a new file or completely overwrite an existing file with new content. ' +
      'Use with caution as it will overwrite existing files without warning. ' +
      'Handles text content with proper encoding. Only works within allowed directories.',
    annotations: { readOnlyHint: false, idempotentHint: true, destructiveHint: true, openWorldHint: false },
    inputSchema: { path: z.string(), content: z.string() },
    outputSchema: TEXT_OUTPUT,
    handler: async ({ input, context }) => {
      await writeText(await context.resolvePath(input.path), input.content);
      return textResult(`Successfully wrote to ${input.path}`);
    },
  }),
  defineFileTool({
    name: 'edit_file',
    title: 'Edit File',
    description:
      'Make line-based edits to a text file. Each edit replaces exact line sequences ' +
      'with new content. Returns a git-style diff showing the changes made. ' +
      'Only works within allowed directories.',
    annotations: { readOnlyHint: false, idempotentHint: false, destructiveHint: true, openWorldHint: false },
    inputSchema: {
      path: z.string(),
      edits: z.array(
        z.object({
          oldText: z.string().describe('Text to search for - must match exactly'),
          newText: z.string().describe('Text to replace with'),
        }),
      ),
      dryRun: z.boolean().default(false).describe('Preview changes using git-style diff format'),
    },
    outputSchema: TEXT_OUTPUT,
    handler: async ({ input, context }) => {
      const file = await context.resolvePath(input.path);
      const before = toUnixLines(await readFile(file, 'utf8'));
      const after = applyEdits(before, input.edits);
      if (!input.dryRun) await replaceText(file, after);
      return textResult(formatDiff(file, before, after));
    },
  }),
  defineFileTool({
    name: 'create_directory',
    title: 'Create Directory',
    description:
      'Create a new directory or ensure a directory exists. Can create multiple ' +
      'nested directories in one operation. If the directory already exists, ' +
      'this operation will succeed silently. Perfect for setting up directory ' +
      'structures for projects or ensuring required paths exist. Only works within allowed directories.',
    annotations: { readOnlyHint: false, idempotentHint: true, destructiveHint: false, openWorldHint: false },
    inputSchema: { path: z.string() },
    outputSchema: TEXT_OUTPUT,
    handler: async ({ input, context }) => {
      await mkdir(await context.resolvePath(input.path), { recursive: true });
      return textResult(`Successfully created directory ${input.path}`);
    },
  }),
];

export const moveFile: AnyToolDefinition<FilesContext> = defineFileTool({
  name: 'move_file',
  title: 'Move File',
  description:
    'Move or rename files and directories. Can move files between directories ' +
    'and rename them in a single operation. If the destination exists, the ' +
    'operation will fail. Works across different directories and can be used ' +
    'for simple renaming within the same directory. Both source and destination must be within allowed directories.',
  annotations: { readOnlyHint: false, idempotentHint: false, destructiveHint: true, openWorldHint: false },
  inputSchema: { source: z.string(), destination: z.string() },
  outputSchema: TEXT_OUTPUT,
  handler: async ({ input, context }) => {
    const source = await context.resolvePath(input.source);
    const destination = await context.resolvePath(input.destination);
    if (await exists(destination)) throw new Error(`Destination already exists: ${destination}`);
    await rename(source, destination);
    return textResult(`Successfully moved ${input.source} to ${input.destination}`);
  },
});

/** Whether a path exists, also as a broken link. */
async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
