import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createServer, silentLogger, ToolRegistry } from '../../../src/index.ts';
import type { ToolwrightServer } from '../../../src/index.ts';
import { servedOf } from '../../../src/server/served-of.ts';
import { DuplexConnection } from '../../../src/wire/sessions/duplex-connection.ts';

const tool = { name: 't', description: 'd', inputSchema: z.object({}), handler: async () => 'fine' };

const fail = (): never => {
  throw new Error('broken');
};
const brokenHandler = { handleError: fail, createErrorResult: fail, createValidationError: fail };

/** The response to a client of an earlier revision for one call, and whether all requests have ended. */
async function callOnce(server: ToolwrightServer): Promise<{ answer: unknown; isIdle: boolean }> {
  const sent: string[] = [];
  let tell: () => void = () => {};
  const connection = new DuplexConnection(servedOf(server), {
    caller: {},
    send: (text) => {
      sent.push(text);
      tell();
    },
  });
  const receive = (message: object): void =>
    connection.receive(JSON.stringify({ jsonrpc: '2.0', ...message }));
  receive({ id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {} } });
  await new Promise((resolve) => setImmediate(resolve));
  const answered = new Promise<void>((resolve) => {
    tell = resolve;
  });
  receive({ id: 2, method: 'tools/call', params: { name: 't', arguments: {} } });
  if (sent.length < 2) await answered;
  const answer: unknown = JSON.parse(sent[1] ?? '');
  // The same id can be used again, so the request has ended.
  receive({ id: 2, method: 'ping' });
  await new Promise((resolve) => setImmediate(resolve));
  return { answer, isIdle: sent[2] === '{"jsonrpc":"2.0","id":2,"result":{}}' };
}

describe('a call is answered, and ends, also', () => {
  test('when the error handler fails and a task cannot be', async () => {
    const server = createServer({
      name: 's',
      version: '1',
      logger: silentLogger,
      errorHandler: brokenHandler,
      tools: [{ ...tool, task: { support: 'required' } }],
    });
    expect(await callOnce(server)).toMatchObject({
      answer: { id: 2, result: { isError: true } },
      isIdle: true,
    });
    await server.close();
  });

  test('when the security wrapper gives a promise that cannot be waited for', async () => {
    const withSecurityWrapper = () => () =>
      ({
        then: () => {
          throw new Error('broken');
        },
      }) as never;
    const tools = new ToolRegistry({ name: 's', logger: silentLogger, withSecurityWrapper }).register(tool);
    const server = createServer({ name: 's', version: '1', logger: silentLogger, tools });
    expect(await callOnce(server)).toMatchObject({
      answer: { id: 2, result: { isError: true } },
      isIdle: true,
    });
    await server.close();
  });

  test('when the clock cannot schedule', async () => {
    const clock = {
      now: () => 0,
      schedule: () => {
        throw new Error('broken');
      },
    };
    const tools = new ToolRegistry({ name: 's', logger: silentLogger, clock }).register(tool);
    const server = createServer({ name: 's', version: '1', logger: silentLogger, tools });
    expect(await callOnce(server)).toMatchObject({ answer: { id: 2 }, isIdle: true });
    await server.close();
  });
});
