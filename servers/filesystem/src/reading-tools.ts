import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import type { AnyToolDefinition } from 'toolwright';
import * as z from 'zod';
import { defineFileTool, READS, TEXT_OUTPUT, textResult } from './define.ts';
import type { FilesContext } from './define.ts';
import { readHead, readTail } from './text-files.ts';

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.bmp': 'image/bmp',
  '.svg': 'image/svg+xml',
  '.mp3': 'audio/mpeg',
  '.wav': 'audio/wav',
  '.ogg': 'audio/ogg',
  '.flac': 'audio/flac',
};

const textInput = {
  path: z.string(),
  tail: z.number().optional().describe('If provided, returns only the last N lines of the file'),
  head: z.number().optional().describe('If provided, returns only the first N lines of the file'),
};

interface TextCall {
  readonly input: z.infer<z.ZodObject<typeof textInput>>;
  readonly context: FilesContext;
}

async function readText({
  input: { path, head, tail },
  context,
}: TextCall): Promise<ReturnType<typeof textResult>> {
  const file = await context.resolvePath(path);
  if (head && tail) throw new Error('Cannot specify both head and tail parameters simultaneously');
  if (tail) return textResult(await readTail(file, tail));
  return textResult(head ? await readHead(file, head) : await readFile(file, 'utf8'));
}

export const readingTools: AnyToolDefinition<FilesContext>[] = [
  defineFileTool({
    name: 'read_file',
    title: 'Read File (Deprecated)',
    description: 'Read the complete contents of a file as text. DEPRECATED: Use read_text_file instead.',
    annotations: READS,
    inputSchema: textInput,
    outputSchema: TEXT_OUTPUT,
    handler: readText,
  }),
  defineFileTool({
    name: 'read_text_file',
    title: 'Read Text File',
    description:
      'Read the complete contents of a file from the file system as text. ' +
      'Handles various text encodings and provides detailed error messages ' +
      'if the file cannot be read. Use this tool when you need to examine ' +
      "the contents of a single file. Use the 'head' parameter to read only " +
      "the first N lines of a file, or the 'tail' parameter to read only " +
      'the last N lines of a file. Operates on the file as text regardless of extension. ' +
      'Only works within allowed directories.',
    annotations: READS,
    inputSchema: textInput,
    outputSchema: TEXT_OUTPUT,
    handler: readText,
  }),
  defineFileTool({
    name: 'read_media_file',
    title: 'Read Media File',
    description:
      'Read a file and return it as a base64-encoded content block with its MIME type. ' +
      'Image and audio files are returned as image/audio content; any other file type is ' +
      'returned as an embedded resource. Only works within allowed directories.',
    annotations: READS,
    inputSchema: { path: z.string() },
    outputSchema: {
      content: z.array(
        z.union([
          z.object({ type: z.enum(['image', 'audio']), data: z.string(), mimeType: z.string() }),
          z.object({
            type: z.literal('resource'),
            resource: z.object({ uri: z.string(), mimeType: z.string().optional(), blob: z.string() }),
          }),
        ]),
      ),
    },
    handler: async ({ input, context }) => {
      const file = await context.resolvePath(input.path);
      // Not `readFile`: since Node 26 its errors contain the path, unlike those of the official server.
      const data = (await buffer(createReadStream(file))).toString('base64');
      const mimeType = MEDIA_TYPES[extname(file).toLowerCase()] ?? 'application/octet-stream';
      const [kind] = mimeType.split('/');
      const block =
        kind === 'image' || kind === 'audio'
          ? { type: kind as 'image', data, mimeType }
          : { type: 'resource' as const, resource: { uri: pathToFileURL(file).href, mimeType, blob: data } };
      return { content: [block], structuredContent: { content: [block] } };
    },
  }),
  defineFileTool({
    name: 'read_multiple_files',
    title: 'Read Multiple Files',
    description:
      'Read the contents of multiple files simultaneously. This is more ' +
      'efficient than reading files one by one when you need to analyze ' +
      "or compare multiple files. Each file's content is returned with its " +
      "path as a reference. Failed reads for individual files won't stop " +
      'the entire operation. Only works within allowed directories.',
    annotations: READS,
    inputSchema: {
      paths: z
        .array(z.string())
        .min(1)
        .describe(
          'Array of file paths to read. Each path must be a string pointing to a valid file within allowed directories.',
        ),
    },
    outputSchema: TEXT_OUTPUT,
    handler: async ({ input, context }) => {
      const read = async (path: string): Promise<string> => {
        try {
          return `${path}:\n${await readFile(await context.resolvePath(path), 'utf8')}\n`;
        } catch (error) {
          return `${path}: Error - ${(error as Error).message}`;
        }
      };
      return textResult((await Promise.all(input.paths.map(read))).join('\n---\n'));
    },
  }),
];
