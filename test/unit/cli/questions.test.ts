import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { serveHttp } from '../../../src/http.ts';
import type { RunningHttp } from '../../../src/http.ts';
import { createServer } from '../../../src/index.ts';
import type { Ask, ToolwrightServer } from '../../../src/index.ts';
import { createScenarioServer } from '../../fixtures/scenario-server.ts';
import { sendEvents, sendJson, serveRaw } from './raw-http-server.ts';
import { runCli } from './run-cli.ts';
import type { Ran } from './run-cli.ts';

let folder = '';
let server: ToolwrightServer;
let running: RunningHttp;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'toolwright-questions-'));
  server = createScenarioServer();
  running = await serveHttp(server, { port: 0 });
});
afterAll(async () => {
  await running.close();
  await server.close();
  rmSync(folder, { recursive: true });
});

const run = (...words: string[]): Promise<Ran> => runCli(['call', running.url, ...words], { cwd: folder });

/** In a terminal in which a person types these lines, and then ends the input. */
async function inTerminal(typed: readonly string[], ...words: string[]): Promise<Ran & { asked: string[] }> {
  const asked: string[] = [];
  const lines = [...typed];
  const ran = await runCli(['call', ...words], {
    cwd: folder,
    isWatched: true,
    ask: async (question) => {
      asked.push(question);
      return lines.shift();
    },
  });
  return { ...ran, asked };
}

describe('a tool that asks is answered in the terminal', () => {
  test('field by field, with the defaults of the form', async () => {
    expect(await inTerminal(['Rex', ''], running.url, 'name_pet')).toEqual({
      code: 0,
      out: '{"action":"accept","content":{"name":"Rex","age":0}}',
      err: '? Which pet?',
      asked: ['  name (string, What to call it): ', '  age (integer) [0]: '],
    });
  });

  test('invalid input is requested again', async () => {
    const { out, err, asked } = await inTerminal(['green', 'blue'], running.url, 'pick_colour');
    expect(out).toBe('{"action":"accept","content":{"colour":"blue"}}');
    expect(err).toBe('? Which colour?\n  expected one of red, blue');
    expect(asked).toEqual(['  colour ("red" | "blue"): ', '  colour ("red" | "blue"): ']);
  });

  test('input that only the server rejects is requested again by the server', async () => {
    expect((await inTerminal(['3', '4'], running.url, 'pick_even')).out).toBe('even: 4');
  });

  test('the end of the input cancels', async () => {
    expect((await inTerminal([], running.url, 'name_pet')).out).toBe('{"action":"cancel"}');
  });

  test('a confirmation is a question, too', async () => {
    const { out, err, asked } = await inTerminal(['yes'], running.url, 'delete_note', 'id=7');
    expect(out).toBe('Deleted 7.');
    expect(err).toBe('? delete_note: The note 7 would be deleted.');
    expect(asked).toEqual(['  confirm (boolean, Whether this may be done): ']);
    expect(await inTerminal(['no'], running.url, 'delete_note', 'id=8')).toMatchObject({ code: 1, out: '' });
  });

  test('a page to visit is shown', async () => {
    expect(await inTerminal([''], running.url, 'ask_url')).toMatchObject({
      out: 'accept',
      err: '? Sign in, please.\n  https://example.com/sign-in',
    });
    expect((await inTerminal(['n'], running.url, 'ask_url')).out).toBe('decline');
  });

  test('several questions come one after the other', async () => {
    const { out } = await inTerminal(['Rex', '2', 'red'], running.url, 'ask_both', 'key=terminal');
    expect(out).toBe('Rex, red, entered 2');
  });
});

describe('--answer', () => {
  test('answers without a terminal; what has a default need not be given', async () => {
    expect(await run('name_pet', '--answer', 'name=Rex', '--json')).toMatchObject({ code: 0, err: '' });
    expect((await run('name_pet', '--answer', 'name=Rex', '--answer', 'age=3')).out).toBe(
      '{"action":"accept","content":{"name":"Rex","age":3}}',
    );
    expect((await run('delete_note', 'id=9', '--answer', 'confirm=yes')).out).toBe('Deleted 9.');
  });

  test('given twice answers two questions', async () => {
    const { out } = await run('book', 'key=cli', '--answer', 'colour=red', '--answer', 'colour=blue');
    expect(JSON.parse(out)).toMatchObject({ charged: 1, seats: ['red', 'blue'] });
  });

  test('in a terminal leaves the other fields to be asked', async () => {
    const { out, asked } = await inTerminal(['4'], running.url, 'name_pet', '--answer', 'name=Rex');
    expect(out).toBe('{"action":"accept","content":{"name":"Rex","age":4}}');
    expect(asked).toEqual(['  age (integer) [0]: ']);
  });

  test.each([
    [
      ['--answer', 'nam=Rex'],
      1,
      'error The server asks "Which pet?" and needs "name". Add --answer name=<string>, or run the command in a terminal.',
    ],
    [
      ['--answer', 'name=Rex', '--answer', 'age=old'],
      2,
      'error Invalid --answer age=old: expected a whole number.',
    ],
    [['--answer', 'Rex'], 2, 'error Invalid --answer "Rex": write --answer name=value.'],
  ])('%j', async (flags, code, err) => {
    expect(await run('name_pet', ...flags)).toEqual({ code, out: '', err });
  });

  test('without a terminal, the client declares no elicitation', async () => {
    expect((await run('ask_if_possible')).out).toBe('nobody to ask');
    expect((await run('ask_if_possible', '--answer', 'name=Rex')).out).toBe('Rex');
  });
});

describe.each(['auto', 'legacy'] as const)('prompt and read answer as call does, %s', (era) => {
  let asking: ToolwrightServer;
  let at: { readonly url: string; readonly close: () => Promise<void> };
  beforeAll(async () => {
    const schema = z.object({ name: z.string() });
    const nameOf = async (ask: Ask): Promise<string> => {
      const answer = await ask('name', { message: 'Which pet?', schema });
      return answer.action === 'accept' ? answer.content.name : answer.action;
    };
    asking = createServer({
      name: 's',
      version: '1',
      prompts: [{ name: 'greet', handler: async ({ context }) => `Greet ${await nameOf(context.ask)}.` }],
      resources: [
        { uri: 'pets://mine', name: 'mine', contentProvider: ({ context }) => nameOf(context.ask) },
      ],
    });
    const http = await serveHttp(asking, { port: 0 });
    at = era === 'auto' ? http : await hideDiscovery(http);
  });
  afterAll(async () => {
    await at.close();
    await asking.close();
  });

  test('with --answer', async () => {
    const words = ['--answer', 'name=Rex'];
    expect(await runCli(['prompt', at.url, 'greet', ...words], { cwd: folder })).toEqual({
      code: 0,
      out: 'user: Greet Rex.',
      err: '',
    });
    expect(await runCli(['read', at.url, 'pets://mine', ...words], { cwd: folder })).toEqual({
      code: 0,
      out: 'Rex',
      err: '',
    });
  });

  test('in the terminal', async () => {
    const asked: string[] = [];
    const ask = async (question: string): Promise<string> => {
      asked.push(question);
      return 'Rex';
    };
    const terminal = { cwd: folder, isWatched: true, ask };
    expect((await runCli(['prompt', at.url, 'greet'], terminal)).out).toBe('user: Greet Rex.');
    expect((await runCli(['read', at.url, 'pets://mine'], terminal)).out).toBe('Rex');
    expect(asked).toEqual(['  name (string): ', '  name (string): ']);
  });
});

/** A server in front of another one that does not support `server/discover`. */
async function hideDiscovery(http: RunningHttp): Promise<{ url: string; close: () => Promise<void> }> {
  const handle = async (request: Request): Promise<Response> => {
    const body = request.method === 'POST' ? await request.text() : undefined;
    if (body?.includes('server/discover') === true) {
      const { id } = JSON.parse(body) as { id: number };
      return Response.json({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } });
    }
    const headers = new Headers(request.headers);
    headers.delete('host');
    headers.delete('connection');
    return fetch(http.url, { method: request.method, headers, body: body ?? null });
  };
  const listener = getRequestListener(handle);
  const front = createHttpServer((request, response) => void listener(request, response));
  front.listen(0, '127.0.0.1');
  await once(front, 'listening');
  return {
    url: `http://127.0.0.1:${(front.address() as AddressInfo).port}/mcp`,
    close: async () => {
      front.close();
      front.closeAllConnections();
      await http.close();
    },
  };
}

describe('a task is followed', () => {
  test('until its result is there, with its progress and its questions', async () => {
    const shown: string[] = [];
    const ran = await runCli(['call', running.url, 'compute_long', '--answer', 'name=Ada'], {
      cwd: folder,
      isWatched: true,
      status: (text) => void shown.push(text),
    });
    expect(ran).toEqual({ code: 0, out: 'Hello, Ada', err: '' });
    expect(shown).toContain('half way');
    expect(shown.at(-1)).toBe('');
  });

  test('also one that asks first and becomes a task then', async () => {
    expect((await inTerminal(['a', 'b'], running.url, 'compute_later')).out).toBe('a+b');
    expect((await run('compute', 'label=x')).out).toBe('computed x');
  });
});

test('servers of earlier revisions ask in the middle of a call, and are answered', async () => {
  const elicit = {
    id: 'q1',
    method: 'elicitation/create',
    params: {
      message: 'Name?',
      requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    },
  };
  let finish = (_answer: unknown): void => {};
  await using old = await serveRaw(({ message }, response) => {
    const { id = null, method } = message;
    const send = (result: object): void => sendJson(response, { jsonrpc: '2.0', id, result });
    if (method === 'initialize')
      send({
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'old', version: '1' },
      });
    else if (method === 'tools/list') send({ tools: [{ name: 'greet', inputSchema: { type: 'object' } }] });
    else if (method === 'tools/call') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...elicit })}\n\n`);
      finish = (answer) =>
        response.end(
          `data: ${JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: JSON.stringify(answer) }] } })}\n\n`,
        );
    } else if (id === 'q1') {
      response.writeHead(202).end();
      finish(message.result);
    } else if (method === 'server/discover')
      sendJson(response, { jsonrpc: '2.0', id, error: { code: -32601, message: 'Unknown' } });
    else sendEvents(response, []);
  });
  expect((await runCli(['call', old.url.href, 'greet', '--answer', 'name=Ada'], { cwd: folder })).out).toBe(
    '{"action":"accept","content":{"name":"Ada"}}',
  );
  expect(await runCli(['call', old.url.href, 'greet', '--answer', 'x=1'], { cwd: folder })).toEqual({
    code: 1,
    out: '',
    err: 'error The server asks "Name?" and needs "name". Add --answer name=<string>, or run the command in a terminal.',
  });
});
