import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { describe, expect, test } from 'vitest';
import { envelope } from '../../support/raw-peer.ts';
import type { Json } from '../../support/raw-peer.ts';
import { bundleScenarioServer } from '../../support/scenario-process.ts';

async function start(): Promise<ChildProcessWithoutNullStreams> {
  return spawn(process.execPath, [(await bundleScenarioServer()).scenario]);
}

/** A call of 2026-07-28 as a line. */
function call(id: number, name: string, args: Json): string {
  const params = { name, arguments: args, _meta: { ...envelope({}), progressToken: id } };
  return `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params })}\n`;
}

async function linesOf(child: ChildProcessWithoutNullStreams): Promise<Json[]> {
  const lines: Json[] = [];
  for await (const line of createInterface({ input: child.stdout })) lines.push(JSON.parse(line) as Json);
  return lines;
}

describe('the process of a server on standard input and output', () => {
  test('answers everything it has read, and ends by itself when its input ends', async () => {
    const child = await start();
    const exit = once(child, 'exit');
    const lines = linesOf(child);
    child.stdin.end(call(1, 'echo', { text: 'one' }) + call(2, 'echo', { text: 'two' }).trimEnd());
    expect((await lines).map(({ id }) => id)).toEqual([1, 2]);
    expect(await exit).toEqual([0, null]);
  });

  test('writes nothing but messages, whatever its tools print', async () => {
    const child = await start();
    const exit = once(child, 'exit');
    const lines = linesOf(child);
    const errors: Buffer[] = [];
    child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
    child.stdin.end(call(1, 'print', { text: 'debugging' }));
    expect(await lines).toMatchObject([{ id: 1, result: { content: [{ text: 'printed' }] } }]);
    await exit;
    expect(Buffer.concat(errors).toString()).toContain('debugging');
  });

  test('serves both eras on one connection, and refuses what is neither', async () => {
    const child = await start();
    const exit = once(child, 'exit');
    const lines = linesOf(child);
    const initialize = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'raw', version: '1' },
    };
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })}\n`);
    child.stdin.write(
      `${JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'initialize', params: initialize })}\n`,
    );
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 3, method: 'ping' })}\n`);
    child.stdin.write('no JSON\n');
    child.stdin.end(call(4, 'echo', { text: 'modern' }));
    // Responses arrive as they are ready; the id identifies them.
    const answers = (await lines).toSorted((one, other) => Number(one['id'] ?? 0) - Number(other['id'] ?? 0));
    expect(answers).toMatchObject([
      { error: { code: -32700 } },
      { id: 1, error: { code: -32600 } },
      { id: 2, result: { protocolVersion: '2025-06-18' } },
      { id: 3, result: {} },
      { id: 4, result: { resultType: 'complete', content: [{ text: 'modern' }] } },
    ]);
    await exit;
  });
});
