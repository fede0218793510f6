import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { AnyToolDefinition } from 'toolwright';
import * as z from 'zod';
import { defineFileTool, READS, TEXT_OUTPUT, textResult } from './define.ts';
import type { FilesContext } from './define.ts';
import { buildTree, findFiles } from './walk.ts';

const excludePatterns = z.array(z.string()).optional().default([]);

export const listingTools: AnyToolDefinition<FilesContext>[] = [
  defineFileTool({
    name: 'list_directory',
    title: 'List Directory',
    description:
      'Get a detailed listing of all files and directories in a specified path. ' +
      'Results clearly distinguish between files and directories with [FILE] and [DIR] ' +
      'prefixes. This tool is essential for understanding directory structure and ' +
      'finding specific files within a directory. Only works within allowed directories.',
    annotations: READS,
    inputSchema: { path: z.string() },
    outputSchema: TEXT_OUTPUT,
    handler: async ({ input, context }) => {
      const entries = await readdir(await context.resolvePath(input.path), { withFileTypes: true });
      return textResult(
        entries.map((entry) => `${entry.isDirectory() ? '[DIR]' : '[FILE]'} ${entry.name}`).join('\n'),
      );
    },
  }),
  defineFileTool({
    name: 'list_directory_with_sizes',
    title: 'List Directory with Sizes',
    description:
      'Get a detailed listing of all files and directories in a specified path, including sizes. ' +
      'Results clearly distinguish between files and directories with [FILE] and [DIR] ' +
      'prefixes. This tool is useful for understanding directory structure and ' +
      'finding specific files within a directory. Only works within allowed directories.',
    annotations: READS,
    inputSchema: {
      path: z.string(),
      sortBy: z.enum(['name', 'size']).optional().default('name').describe('Sort entries by name or size'),
    },
    outputSchema: TEXT_OUTPUT,
    handler: async ({ input, context }) => {
      const entries = await readSizes(await context.resolvePath(input.path));
      const lines = entries
        .toSorted((a, b) => (input.sortBy === 'size' ? b.size - a.size : a.name.localeCompare(b.name)))
        .map(({ name, size, isDirectory }) =>
          isDirectory
            ? `[DIR] ${name.padEnd(30)} `
            : `[FILE] ${name.padEnd(30)} ${formatSize(size).padStart(10)}`,
        );
      const files = entries.filter(({ isDirectory }) => !isDirectory);
      const total = files.reduce((sum, { size }) => sum + size, 0);
      lines.push('', `Total: ${files.length} files, ${entries.length - files.length} directories`);
      return textResult([...lines, `Combined size: ${formatSize(total)}`].join('\n'));
    },
  }),
  defineFileTool({
    name: 'directory_tree',
    title: 'Directory Tree',
    description:
      'Get a recursive tree view of files and directories as a JSON structure. ' +
      "Each entry includes 'name', 'type' (file/directory), and 'children' for directories. " +
      'Files have no children array, while directories always have a children array (which may be empty). ' +
      'The output is formatted with 2-space indentation for readability. Only works within allowed directories.',
    annotations: READS,
    inputSchema: { path: z.string(), excludePatterns },
    outputSchema: TEXT_OUTPUT,
    handler: async ({ input, context }) =>
      textResult(JSON.stringify(await buildTree({ ...context, ...input }), undefined, 2)),
  }),
];

export const findingTools: AnyToolDefinition<FilesContext>[] = [
  defineFileTool({
    name: 'search_files',
    title: 'Search Files',
    description:
      'Recursively search for files and directories matching a pattern. ' +
      'The patterns should be glob-style patterns that match paths relative to the working directory. ' +
      "Use pattern like '*.ext' to match files in current directory, and '**/*.ext' to match files in all subdirectories. " +
      "Returns full paths to all matching items. Great for finding files when you don't know their exact location. " +
      'Only searches within allowed directories.',
    annotations: READS,
    inputSchema: { path: z.string(), pattern: z.string(), excludePatterns },
    outputSchema: TEXT_OUTPUT,
    handler: async ({ input, context }) => {
      const path = await context.resolvePath(input.path);
      const found = await findFiles({ ...context, ...input, path });
      return textResult(found.length > 0 ? found.join('\n') : 'No matches found');
    },
  }),
  defineFileTool({
    name: 'get_file_info',
    title: 'Get File Info',
    description:
      'Retrieve detailed metadata about a file or directory. Returns comprehensive ' +
      'information including size, creation time, last modified time, permissions, ' +
      'and type. This tool is perfect for understanding file characteristics ' +
      'without reading the actual content. Only works within allowed directories.',
    annotations: READS,
    inputSchema: { path: z.string() },
    outputSchema: TEXT_OUTPUT,
    handler: async ({ input, context }) => {
      const stats = await stat(await context.resolvePath(input.path));
      const lines = [
        `size: ${stats.size}`,
        `created: ${String(stats.birthtime)}`,
        `modified: ${String(stats.mtime)}`,
        `accessed: ${String(stats.atime)}`,
        `isDirectory: ${stats.isDirectory()}`,
        `isFile: ${stats.isFile()}`,
        `permissions: ${stats.mode.toString(8).slice(-3)}`,
      ];
      return textResult(lines.join('\n'));
    },
  }),
  defineFileTool({
    name: 'list_allowed_directories',
    title: 'List Allowed Directories',
    description:
      'Returns the list of directories that this server is allowed to access. ' +
      'Subdirectories within these allowed directories are also accessible. ' +
      'Use this to understand which directories and their nested paths are available ' +
      'before trying to access files.',
    annotations: READS,
    inputSchema: {},
    outputSchema: TEXT_OUTPUT,
    handler: ({ context }) => textResult(`Allowed directories:\n${context.allowed.join('\n')}`),
  }),
];

/** The entries of a directory; an unreadable entry has the size 0. */
async function readSizes(path: string): Promise<{ name: string; size: number; isDirectory: boolean }[]> {
  const entries = await readdir(path, { withFileTypes: true });
  return Promise.all(
    entries.map(async (entry) => {
      const stats = await stat(join(path, entry.name)).catch(() => undefined);
      return { name: entry.name, size: stats?.size ?? 0, isDirectory: entry.isDirectory() };
    }),
  );
}

function formatSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const units = ['KB', 'MB', 'GB', 'TB'];
  const power = Math.min(Math.floor(Math.log(bytes) / Math.log(1024)), units.length);
  return `${(bytes / 1024 ** power).toFixed(2)} ${units[power - 1]}`;
}
