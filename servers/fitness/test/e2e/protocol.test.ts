import { afterAll, expect, test } from 'vitest';
import { recordLog } from '../../../../test/support/log-recorder.ts';
import { postModern, RawSession } from '../../../../test/support/raw-http.ts';
import type { RawAnswer } from '../../../../test/support/raw-peer.ts';
import { COMMAND_LINE } from '../../src/accounts/actor.ts';
import { callTool } from '../support/clients.ts';
import { startStack } from '../support/stack.ts';

const { logger, entries } = recordLog();
const stack = await startStack({ logger });
afterAll(() => stack.close());

const PUBLIC_TOOLS = 17;

test.each(['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'])(
  'a client of %s gets its own revision, and only capabilities that the server has',
  async (protocolVersion) => {
    const response = await fetch(await stack.url(), {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: { protocolVersion, capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
      }),
    });
    const { result } = await readAnswer(response);
    expect(result?.['protocolVersion']).toBe(protocolVersion);
    expect(result?.['capabilities']).toEqual({
      logging: {},
      completions: {},
      tools: { listChanged: true },
      resources: { listChanged: true, subscribe: true },
    });
  },
);

test('the capabilities are those of the two kinds that the server has, and their methods respond', async () => {
  const url = await stack.url();
  const { result } = await postModern(url, { method: 'server/discover' });
  const capabilities = Object.keys(result?.['capabilities'] as object);
  expect(capabilities.filter((name) => name !== 'extensions').toSorted()).toEqual([
    'completions',
    'logging',
    'resources',
    'tools',
  ]);
  const templates = await postModern(url, { method: 'resources/templates/list' });
  expect(templates.result?.['resourceTemplates']).toHaveLength(2);
});

test.each([
  ['prompts/list', {}, -32_601],
  ['prompts/get', { name: 'x' }, -32_601],
  ['sampling/createMessage', {}, -32_601],
  ['resources/any', {}, -32_601],
  ['resources/read', { uri: 'fitness://nothing' }, -32_002],
  ['tools/call', { name: 'get_weather', arguments: {} }, -32_602],
  ['tools/call', { name: 'get_athlete', arguments: [] }, -32_602],
  ['tools/call', { name: 'get_activities', arguments: { limit: 0 } }, -32_602],
])('%s with %j is the error %i', async (method, params, code) => {
  const session = await RawSession.open(await stack.url());
  const { error } = await readAnswer(await session.post({ id: 2, method, params }));
  expect(error?.code).toBe(code);
});

test('a token in the params of a request is ignored: the caller stays anonymous', async () => {
  const { token } = stack.administration.issueToken(COMMAND_LINE, { user: 'admin' });
  const url = await stack.url();
  const params = { token, _meta: { token, authorization: `Bearer ${token}` } };
  const session = await RawSession.open(url);
  const { result } = await readAnswer(await session.post({ id: 2, method: 'tools/list', params }));
  expect(result?.['tools']).toHaveLength(PUBLIC_TOOLS);
  const modern = await postModern(url, { method: 'tools/list', params: { token } });
  expect(modern.result?.['tools']).toHaveLength(PUBLIC_TOOLS);
});

test('calls that fail are logged without their arguments, their results and tokens', async () => {
  const url = await stack.url();
  const { token } = stack.administration.issueToken(COMMAND_LINE, { user: 'user' });
  const client = await stack.connect({ caller: 'user' });
  entries.length = 0;
  // Rejected by the schema, by the domain, and by an unexpected error of the database.
  await expect(callTool(client, 'set_goal', { title: 'secret-1', goal_type: 'secret-2' })).rejects.toThrow();
  expect((await callTool(client, 'get_recipe', { recipe_id: 'secret-3' })).isError).toBe(true);
  stack.database.run('ALTER TABLE goals RENAME TO goals_elsewhere');
  const goal = { title: 'secret-4', goal_type: 'distance', target_value: 7, target_date: '2027-01-01' };
  const failed = await callTool(client, 'set_goal', goal);
  stack.database.run('ALTER TABLE goals_elsewhere RENAME TO goals');
  expect(failed.isError).toBe(true);
  expect(failed.text).not.toMatch(/goals|SQL/);
  // And by the authentication.
  await postModern(url, {
    method: 'tools/list',
    params: { token: 'secret-5' },
    headers: { authorization: `Bearer ${token}x` },
  });
  const logged = JSON.stringify(
    entries.map(({ message, fields }) => [message, String(fields?.['error']), fields]),
  );
  expect(entries.map(({ level }) => level)).toContain('error');
  expect(logged).toContain('set_goal');
  expect(logged).not.toContain('secret-');
  expect(logged).not.toContain(token);
});

/** Reads a response that may be JSON or a stream of one event. */
async function readAnswer(response: Response): Promise<RawAnswer> {
  const text = await response.text();
  return JSON.parse(/^data: (.+)$/m.exec(text)?.[1] ?? text) as RawAnswer;
}
