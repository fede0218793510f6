import { expect, test, vi } from 'vitest';
import * as z from 'zod';
import { createServer, ToolError, ToolRegistry } from '../../../src/index.ts';
import type { ServerOptions } from '../../../src/index.ts';
import { ErrorHandler } from '../../../src/collaborators.ts';
import { servedOf } from '../../../src/server/served-of.ts';
import { connectTestClient } from '../../../src/testing.ts';

const tool = { description: 'Fails', inputSchema: z.object({}) };
const registry = (): ToolRegistry =>
  new ToolRegistry()
    .register({
      ...tool,
      name: 'break',
      handler: () => {
        throw new Error('the disk is full');
      },
    })
    .register({
      ...tool,
      name: 'refuse',
      handler: () => {
        throw new ToolError('Not today.');
      },
    });

interface Watched {
  readonly seen: unknown[];
  readonly logged: string[];
  readonly texts: string[];
}

/** Calls both tools of a server whose errors are watched. */
async function watch(options: Partial<ServerOptions>): Promise<Watched> {
  const seen: unknown[] = [];
  const logged: string[] = [];
  await using server = createServer({ name: 's', version: '1', tools: registry(), ...options });
  servedOf(server).errorWatch.onUnexpected = (error, context) =>
    void seen.push([String(error), context.tool]);
  const spy = vi.spyOn(console, 'error').mockImplementation((text) => void logged.push(String(text)));
  try {
    await using client = connectTestClient(server);
    const texts = [(await client.callTool('break')).text, (await client.callTool('refuse')).text];
    return { seen, logged, texts };
  } finally {
    spy.mockRestore();
  }
}

const SEEN = [['Error: the disk is full', 'break']];

test('the watcher gets the error instead of the default log, and callers get the message', async () => {
  const { seen, logged, texts } = await watch({});
  expect(seen).toEqual(SEEN);
  expect(logged).toEqual([]);
  expect(texts[0]).toMatch(/^Tool 'break' failed: the disk is full \(reference \w{8}\)$/);
  expect(texts[1]).toBe('Not today.');
});

test('errors: masked stays masked', async () => {
  const { seen, texts } = await watch({ errors: 'masked' });
  expect(seen).toEqual(SEEN);
  expect(texts[0]).not.toContain('disk');
});

test('a logger and an error handler of the application do their work as before', async () => {
  const entries: string[] = [];
  const write = (message: string): void => void entries.push(message);
  const logger = { debug: write, info: () => {}, warning: write, error: write };
  expect((await watch({ logger })).seen).toEqual(SEEN);
  expect(entries).toEqual(['tool call failed']);
  const { seen, texts } = await watch({
    errorHandler: new ErrorHandler({ logger, createReference: () => 'r' }),
  });
  expect(seen).toEqual(SEEN);
  expect(texts[0]).toBe(
    "Tool 'break' failed unexpectedly. The details are in the server's log under the reference r.",
  );
  expect(entries).toEqual(['tool call failed', 'tool call failed']);
});
