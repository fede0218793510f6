import { PassThrough, Writable } from 'node:stream';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { createServer } from '../../../src/index.ts';
import { serveStdio } from '../../../src/stdio.ts';

/** An output that records which lines were written together. */
class Pieces extends Writable {
  readonly pieces: number[][] = [];

  constructor() {
    super({ decodeStrings: false });
  }

  override _write(line: string, _encoding: string, done: () => void): void {
    this.pieces.push([idOf(line)]);
    done();
  }

  override _writev(lines: { chunk: string }[], done: () => void): void {
    this.pieces.push(lines.map(({ chunk }) => idOf(chunk)));
    done();
  }
}

function idOf(line: string): number {
  return (JSON.parse(line) as { id: number }).id;
}

function callTo(name: string, id: number): string {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: {}, _meta } })}\n`;
}

test('answers that are there in the same turn go out in one piece, the others when they are there', async () => {
  let finish: () => void = () => {};
  const slow = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const server = createServer({
    name: 's',
    version: '1',
    tools: [
      { name: 'fast', description: 'Answers', inputSchema: z.object({}), handler: async () => 'done' },
      {
        name: 'slow',
        description: 'Waits',
        inputSchema: z.object({}),
        handler: async () => {
          await slow;
          return 'done';
        },
      },
    ],
  });
  const input = new PassThrough();
  const output = new Pieces();
  const running = serveStdio(server, { input, output });
  input.write([callTo('slow', 1), callTo('fast', 2), callTo('fast', 3)].join(''));
  for (let turn = 0; turn < 100 && output.pieces.length === 0; turn += 1)
    await new Promise((resolve) => setImmediate(resolve));
  expect(output.pieces).toEqual([[2, 3]]);
  finish();
  input.end();
  await running.closed;
  // Everything is written by then, so the process may exit.
  expect(output.pieces).toEqual([[2, 3], [1]]);
});

test('an answer does not wait for what other handlers do in the same turn', async () => {
  const output = new Pieces();
  let written: number[][] = [];
  const server = createServer({
    name: 's',
    version: '1',
    tools: [
      { name: 'fast', description: 'Answers', inputSchema: z.object({}), handler: async () => 'done' },
      {
        name: 'busy',
        description: 'Works on, without leaving the turn',
        inputSchema: z.object({}),
        handler: async () => {
          for (let step = 0; step < 100; step += 1) await Promise.resolve();
          written = [...output.pieces];
          return 'done';
        },
      },
    ],
  });
  const input = new PassThrough();
  const running = serveStdio(server, { input, output });
  input.end([callTo('busy', 1), callTo('fast', 2)].join(''));
  await running.closed;
  expect(written).toEqual([[2]]);
});
