import { readResponse } from '../../../../src/openapi/response/read-response.ts';
import type { ResponseOptions } from '../../../../src/openapi/response/read-response.ts';
import { RemainderStore } from '../../../../src/openapi/response/model/remainder-store.ts';
import type { McpCallToolResult } from '../../../../src/model/mcp-types.ts';
import type { OutboundAnswer } from '../../../../src/outbound/outbound-client.ts';
import { FakeClock } from '../../../support/fake-clock.ts';

/** A response of the outbound client. */
export function answer(
  status: number,
  headers: Readonly<Record<string, string>> = {},
  body: string | Uint8Array = '',
): OutboundAnswer {
  return { status, headers: new Map(Object.entries(headers)), body: Buffer.from(body) };
}

/** A success with JSON. */
export function json(body: unknown, headers: Readonly<Record<string, string>> = {}): OutboundAnswer {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return answer(200, { 'content-type': 'application/json', ...headers }, text);
}

/** Default options. */
export function options(changes: Partial<ResponseOptions> = {}): ResponseOptions {
  return {
    what: 'GET /pets/{id}',
    uri: 'https://api.example.com/pets/1',
    maxChars: 50_000,
    remainders: new RemainderStore({ clock: new FakeClock() }),
    owner: 'nobody',
    structured: false,
    ...changes,
  };
}

/** The result for a model. */
export function read(given: OutboundAnswer, changes: Partial<ResponseOptions> = {}): McpCallToolResult {
  return readResult(given, options(changes));
}

/** The same with options that several responses share. A string stands for a result with that text. */
export function readResult(given: OutboundAnswer, all: ResponseOptions): McpCallToolResult {
  const result = readResponse(given, all);
  return typeof result === 'string' ? { content: [{ type: 'text', text: result }] } : result;
}

/** The texts of a result, block by block. */
export function textsOf({ content }: McpCallToolResult): string[] {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
}

/** The token of a result for its next part. */
export function tokenOf({ _meta: meta }: McpCallToolResult): string | undefined {
  return meta?.['toolwright/continue'] as string | undefined;
}
