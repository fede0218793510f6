import { z } from 'zod';

const path = () =>
  z
    .string()
    .min(1)
    .describe(
      'Absolute path, or a path relative to the first allowed directory. Paths outside of the allowed directories are rejected.',
    );

/**
 * Files and directories.
 *
 * @type {readonly import('./index.mjs').RealShape[]}
 */
export const FILES = [
  {
    name: 'read_text_file',
    description:
      'Read a file as text, in whole or only its first or last lines. Works for any encoding that can be detected; binary files are rejected.',
    fields: () => ({
      path: path(),
      head: z.number().int().positive().optional().describe('Return only the first lines, this many.'),
      tail: z.number().int().positive().optional().describe('Return only the last lines, this many.'),
    }),
    samples: [{ path: '/srv/notes.txt', head: 20 }, { path: '/srv/notes.txt' }],
  },
  {
    name: 'read_multiple_files',
    description:
      'Read several files at once. A file that cannot be read does not keep the others from being returned.',
    fields: () => ({ paths: z.array(z.string()).min(1).describe('Paths of the files to read.') }),
    samples: [{ paths: ['/srv/a.txt', '/srv/b.txt'] }],
  },
  {
    name: 'write_file',
    description:
      'Create a file or overwrite it completely with new content. Use it with care: there is no warning before a file is overwritten.',
    fields: () => ({
      path: z.string().describe('Path of the file.'),
      content: z.string().describe('Whole content of the file.'),
    }),
    samples: [{ path: '/srv/a.txt', content: 'one\ntwo\n' }],
  },
  {
    name: 'edit_file',
    description:
      'Replace lines of a text file. Every edit replaces an exact sequence of lines; the result is a diff in the format of git.',
    fields: () => ({
      path: path(),
      edits: z
        .array(
          z.object({
            oldText: z.string().describe('Text to find; it must match exactly.'),
            newText: z.string().describe('Text to put in its place.'),
          }),
        )
        .describe('Edits, applied one after the other.'),
      dryRun: z.boolean().default(false).describe('Only show the diff, change nothing.'),
    }),
    samples: [{ path: '/srv/a.txt', edits: [{ oldText: 'one', newText: '1' }], dryRun: true }],
  },
  {
    name: 'list_directory',
    description: 'List the files and directories in a directory, each with a prefix that tells which it is.',
    fields: () => ({ path: z.string().describe('Path of the directory.') }),
    samples: [{ path: '/srv' }],
  },
  {
    name: 'list_directory_with_sizes',
    description: 'List the files and directories in a directory with their sizes and a sum at the end.',
    fields: () => ({
      path: path(),
      sortBy: z.enum(['name', 'size']).optional().default('name').describe('Order of the entries.'),
    }),
    samples: [{ path: '/srv', sortBy: 'size' }, { path: '/srv' }],
  },
  {
    name: 'search_files',
    description:
      'Search for files and directories whose path matches a glob pattern, in a directory and everything below it.',
    fields: () => ({
      path: path(),
      pattern: z.string().min(1).describe('Glob pattern, such as **/*.ts.'),
      excludePatterns: z
        .array(z.string())
        .optional()
        .default([])
        .describe('Glob patterns of what to leave out.'),
    }),
    samples: [
      { path: '/srv', pattern: '**/*.ts', excludePatterns: ['node_modules/**'] },
      { path: '/srv', pattern: '*.md' },
    ],
  },
];
