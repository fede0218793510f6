import { readFileSync, writeFileSync } from 'node:fs';
import type { McpContentBlock } from 'toolwright';
import { expect } from 'vitest';
import { callTool } from './clients.ts';
import type { OfficialClient } from './clients.ts';

const UUID = /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/g;

type Args = Readonly<Record<string, unknown>>;

/** Calls of a session and their results, as text. Ids are numbered in the order of their first occurrence. */
export class Transcript {
  readonly #client: OfficialClient;
  readonly #ids = new Map<string, string>();
  readonly #entries: string[] = [];

  constructor(client: OfficialClient) {
    this.#client = client;
  }

  get count(): number {
    return this.#entries.length;
  }

  /** Calls a tool, and returns the text of its result or of its error. */
  async call(tool: string, args: Args = {}): Promise<string> {
    const shown = JSON.stringify(args) === '{}' ? '' : ` ${JSON.stringify(args)}`;
    const text = await callTool(this.#client, tool, args).then(
      ({ text: first, blocks, isError }) =>
        [`${isError ? 'ERROR: ' : ''}${first}`, ...blocks.slice(1).map(showBlock)].join('\n'),
      (error: { readonly code?: number; readonly message: string }) =>
        `ERROR ${error.code}: ${error.message}`,
    );
    this.#entries.push(`> ${tool}${shown}\n${text}`);
    return text;
  }

  toString(): string {
    return `${this.#entries.join('\n\n')}\n`.replaceAll(UUID, (id) => {
      const name = this.#ids.get(id) ?? `<id ${this.#ids.size + 1}>`;
      this.#ids.set(id, name);
      return name;
    });
  }
}

/** Without the bytes of an image. */
function showBlock(block: McpContentBlock): string {
  if (block.type === 'image') return `[${block.mimeType}]`;
  if (block.type === 'resource_link') return `[${block.name}: ${block.uri}]`;
  throw new Error(`Unexpected block ${JSON.stringify(block)}`);
}

/** Compares a text with a file. `UPDATE_GOLDEN=1` writes the file instead. */
export function expectGolden(text: string, file: URL): void {
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(file, text);
  expect(text).toBe(readFileSync(file, 'utf8'));
}
