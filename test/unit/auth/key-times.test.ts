import { describe, expect, test } from 'vitest';
import { apiKeys, createApiKey, toApiKeyRecord } from '../../../src/auth.ts';
import type { ApiKeyRecord } from '../../../src/auth.ts';
import { toFetchHandler } from '../../../src/fetch.ts';
import { createServer } from '../../../src/index.ts';
import { recordLog } from '../../support/log-recorder.ts';

/** The status of a request with a key whose record has this time, and the log. */
async function ask(expiresAt: unknown): Promise<{ status: number; logged: string }> {
  const { logger, entries } = recordLog();
  const { key, record } = createApiKey({ id: 'ci' });
  const store = { find: () => ({ ...record, expiresAt }) as ApiKeyRecord };
  const server = createServer({ name: 's', version: '1.0.0', logger });
  const handle = toFetchHandler(server, {
    auth: { verify: apiKeys(store), resource: 'https://s.test/mcp' },
  });
  const response = await handle(
    new Request('http://localhost/mcp', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-06-18',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
    }),
  );
  await server.close();
  return { status: response.status, logged: JSON.stringify(entries) };
}

describe('the end of an API key in a store', () => {
  test.each(['2020-01-31', '2999-01-31', 'never', Number.NaN, null, {}])(
    '%j is no time: the key is not accepted, and the log names the mistake',
    async (expiresAt) => {
      const { status, logged } = await ask(expiresAt);
      expect(status).toBe(503);
      expect(logged).toContain('expiresAt must be milliseconds since 1970');
    },
  );

  test('milliseconds', async () => {
    expect((await ask(1_600_000_000_000)).status).toBe(401);
    // Authenticated: the request has no session.
    expect((await ask(32_503_680_000_000)).status).toBe(400);
    expect((await ask(undefined)).status).toBe(400);
  });
});

test('a key is not made with an end that is no time', () => {
  const expiresAt = '2020-01-31' as unknown as number;
  const message = 'expiresAt must be milliseconds since 1970';
  expect(() => createApiKey({ id: 'ci' }, { expiresAt })).toThrow(message);
  const { key } = createApiKey({ id: 'ci' });
  expect(() => toApiKeyRecord(key, { id: 'ci' }, { expiresAt })).toThrow(message);
});
