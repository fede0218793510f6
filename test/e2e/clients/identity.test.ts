import * as z from 'zod';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { refuse, serveHttp } from '../../../src/http.ts';
import type { Authenticate, RunningHttp } from '../../../src/http.ts';
import { createServer } from '../../../src/index.ts';
import type { ToolwrightServer } from '../../../src/index.ts';
import { createScenarioServer } from '../../fixtures/scenario-server.ts';
import { postModern, RawSession } from '../../support/raw-http.ts';
import { CLIENTS, connectDirectly, connectOverHttp } from '../../support/served-clients.ts';
import { unknownTool } from '../../support/refused.ts';

const silent = { debug() {}, info() {}, warning() {}, error() {} };
const ADA = { authorization: 'Bearer ada-1' };
const BOB = { authorization: 'Bearer bob-1' };

const PEOPLE = new Map([
  ['Bearer ada-1', { id: 'ada', scopes: ['notes:write'] }],
  ['Bearer ada-2', { id: 'ada', scopes: ['notes:write'] }],
  ['Bearer bob-1', { id: 'bob', scopes: [] }],
]);

const authenticate: Authenticate = async ({ headers }) =>
  PEOPLE.get(headers.get('authorization') ?? '') ?? refuse({ message: 'Show me a token.' });

/** Access depends on the scopes of a tool and on a policy. */
function createGuardedServer(): ToolwrightServer {
  return createServer({
    name: 'guarded',
    version: '1',
    logger: silent,
    policy: ({ tags }, { principal }) => !tags.includes('ada') || principal?.id === 'ada',
    tools: [
      {
        name: 'whoami',
        description: 'Says who calls',
        inputSchema: z.object({}),
        handler: ({ context }) => `${context.principal?.id} with ${context.accessToken}`,
      },
      {
        name: 'write',
        description: 'Writes',
        scopes: ['notes:write'],
        inputSchema: z.object({}),
        handler: () => 'written',
      },
      {
        name: 'diary',
        description: 'D',
        tags: ['ada'],
        inputSchema: z.object({}),
        handler: () => 'Dear diary',
      },
    ],
    prompts: [{ name: 'secret', tags: ['ada'], handler: () => 'psst' }],
    resources: [{ uri: 'guarded://diary', name: 'diary', tags: ['ada'], text: 'Dear diary' }],
  });
}

describe.each(CLIENTS)('the $client client', ({ client: name }) => {
  const server = createGuardedServer();
  let running: RunningHttp;
  beforeAll(async () => {
    running = await serveHttp(server, { port: 0, authenticate });
  });
  afterAll(async () => {
    await running.close();
    await server.close();
  });

  test('is known to handlers by who it is', async () => {
    await using client = await connectOverHttp(name, running.url, { headers: ADA });
    expect(await client.callText('whoami')).toBe('ada with ada-1');
  });

  test('is shown what it may use, and can use nothing else', async () => {
    await using ada = await connectOverHttp(name, running.url, { headers: ADA });
    await using bob = await connectOverHttp(name, running.url, { headers: BOB });
    expect((await ada.listTools()).map((tool) => tool.name)).toEqual(['whoami', 'write', 'diary']);
    expect((await bob.listTools()).map((tool) => tool.name)).toEqual(['whoami']);
    expect(await ada.listPrompts()).toHaveLength(1);
    expect(await bob.listPrompts()).toEqual([]);
    expect(await ada.listResources()).toHaveLength(1);
    expect(await bob.listResources()).toEqual([]);
    expect(await ada.callText('write')).toBe('written');
    await expect(bob.callTool('write')).rejects.toThrow(new RegExp(`${unknownTool('write').message}$`));
    await expect(bob.callTool('diary')).rejects.toThrow(new RegExp(`${unknownTool('diary').message}$`));
    await expect(bob.official.getPrompt({ name: 'secret' })).rejects.toThrow(/Unknown prompt: secret$/);
    const uri = 'guarded://diary';
    await expect(bob.official.readResource({ uri })).rejects.toThrow(/Resource not found/);
  });

  test('is in memory who the connection says', async () => {
    const principal = { id: 'ada', scopes: ['notes:write'] };
    await using ada = await connectDirectly(name, server, { principal, accessToken: 'ada-3' });
    await using nobody = await connectDirectly(name, server);
    expect(await ada.callText('whoami')).toBe('ada with ada-3');
    expect(await ada.callText('diary')).toBe('Dear diary');
    expect((await nobody.listTools()).map((tool) => tool.name)).toEqual(['whoami']);
  });

  test('is not let in without a name', async () => {
    await expect(connectOverHttp(name, running.url)).rejects.toThrow();
    const response = await fetch(running.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
    });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    expect(await response.json()).toMatchObject({ error: { message: 'Show me a token.' } });
  });
});

describe('property of one caller', () => {
  const server = createScenarioServer();
  let running: RunningHttp;
  beforeAll(async () => {
    running = await serveHttp(server, { port: 0, authenticate });
  });
  afterAll(async () => {
    await running.close();
    await server.close();
  });

  /** Everything of a response except its date. */
  async function whole(response: Response): Promise<unknown> {
    const headers = Object.fromEntries(response.headers);
    delete headers['date'];
    return { status: response.status, headers, body: await response.text() };
  }

  test('its session: for other callers it responds like an unknown one', async () => {
    const session = await RawSession.open(running.url, ADA);
    const ping = { id: 7, method: 'ping' };
    const stolen = await whole(await session.post(ping, BOB));
    const unknown = await whole(await session.post(ping, { ...BOB, 'mcp-session-id': crypto.randomUUID() }));
    expect(stolen).toEqual(unknown);
    expect(stolen).toMatchObject({ status: 404 });
    for (const method of ['GET', 'DELETE']) {
      const headers = { ...BOB, 'mcp-session-id': session.id, accept: 'text/event-stream' };
      expect((await fetch(running.url, { method, headers })).status).toBe(404);
    }
    expect((await session.post(ping)).status).toBe(200);
    // A new token of the same principal: the session continues.
    expect((await session.post(ping, { authorization: 'Bearer ada-2' })).status).toBe(200);
    expect((await session.post(ping, { authorization: 'Bearer nobody' })).status).toBe(401);
    await session.delete();
  });

  const capabilities = { elicitation: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } };
  const NOT_VALID = {
    code: -32602,
    message:
      'Invalid params: requestState is not valid for this request: it was changed, has expired, or belongs to another request. Start again without it.',
  };

  test('its state: other callers cannot continue with it, and it is valid for no other request', async () => {
    const params = { name: 'name_pet', arguments: {} };
    const call = { method: 'tools/call', capabilities };
    const asked = await postModern(running.url, { ...call, params, headers: ADA });
    const { requestState } = asked.result ?? {};
    const inputResponses = { pet: { action: 'accept', content: { name: 'Rex' } } };
    const next = { ...params, requestState, inputResponses };
    const stolen = await postModern(running.url, { ...call, params: next, headers: BOB });
    expect(stolen.error).toEqual(NOT_VALID);
    for (const other of [
      { name: 'pick_colour' },
      { arguments: { a: 1 } },
      { requestState: `${String(requestState)}A` },
    ]) {
      const moved = await postModern(running.url, { ...call, params: { ...next, ...other }, headers: ADA });
      expect(moved.error).toEqual(NOT_VALID);
    }
    const own = await postModern(running.url, { ...call, params: next, headers: ADA });
    expect(own.result).toMatchObject({ structuredContent: { content: { name: 'Rex' } } });
  });

  test('its task: for other callers it does not exist', async () => {
    const params = { name: 'compute_long', arguments: {} };
    const created = await postModern(running.url, {
      method: 'tools/call',
      params,
      capabilities,
      headers: ADA,
    });
    const taskId = String(created.result?.['taskId']);
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      const stolen = await postModern(running.url, {
        method,
        params: { taskId },
        capabilities,
        headers: BOB,
      });
      expect(stolen.error).toEqual({ code: -32602, message: `Unknown task: ${taskId}` });
    }
    const own = { method: 'tasks/cancel', params: { taskId }, capabilities, headers: ADA };
    expect((await postModern(running.url, own)).result).toMatchObject({ resultType: 'complete' });
  });
});

describe('two servers in one process', () => {
  test('share no tools, no news, no sessions and nothing that was sealed', async () => {
    const [one, two] = [createScenarioServer(), createScenarioServer()];
    await using first = await serveHttp(one, { port: 0 });
    await using second = await serveHttp(two, { port: 0 });
    expect(first.port).not.toBe(second.port);

    await using here = await connectOverHttp('v1', first.url);
    await using there = await connectDirectly('v1', two);
    const heard = here.next('notifications/tools/list_changed');
    await here.callText('add_tool');
    await heard;
    expect((await here.listTools()).some((tool) => tool.name === 'added')).toBe(true);
    expect((await there.listTools()).some((tool) => tool.name === 'added')).toBe(false);
    expect(there.heard).toEqual([]);

    const session = await RawSession.open(first.url);
    const headers = { 'mcp-session-id': session.id, accept: 'text/event-stream' };
    expect((await fetch(second.url, { headers })).status).toBe(404);

    const call = { method: 'tools/call', capabilities: { elicitation: {} } };
    const params = { name: 'name_pet', arguments: {} };
    const asked = await postModern(first.url, { ...call, params });
    const inputResponses = { pet: { action: 'decline' } };
    const next = { ...params, requestState: asked.result?.['requestState'], inputResponses };
    expect((await postModern(second.url, { ...call, params: next })).error).toMatchObject({ code: -32602 });
    expect((await postModern(first.url, { ...call, params: next })).result).toMatchObject({
      structuredContent: { action: 'decline' },
    });
    await Promise.all([one.close(), two.close()]);
  });

  test('share what was sealed where they share a secret', async () => {
    const requestStateKeys = ['a secret of at least thirty-two characters'];
    const servers = [1, 2].map(() => createScenarioServer({ requestStateKeys }));
    const urls = await Promise.all(servers.map((server) => serveHttp(server, { port: 0 })));
    const call = { method: 'tools/call', capabilities: { elicitation: {} } };
    const params = { name: 'book', arguments: { key: 'k' } };
    const asked = await postModern(urls[0]?.url ?? '', { ...call, params });
    const inputResponses = { first: { action: 'accept', content: { colour: 'red' } } };
    const next = { ...params, requestState: asked.result?.['requestState'], inputResponses };
    const answer = await postModern(urls[1]?.url ?? '', { ...call, params: next });
    expect(Object.keys(answer.result?.['inputRequests'] as object)).toEqual(['second']);
    await Promise.all([...urls, ...servers].map((each) => each.close()));
  });
});
