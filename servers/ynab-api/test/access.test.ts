import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Libsql from 'libsql';
import type * as ynab from 'ynab';
import { afterEach, describe, expect, test } from 'vitest';
import { createBudgetApi, serveBudgetApi } from '../src/index.ts';
import { openApi } from './support/open-api.ts';
import type { OpenApi } from './support/open-api.ts';

const HOUR = 3_600_000;
let open: OpenApi;
afterEach(() => open.api.close());

const unauthorized = { error: { id: '401', name: 'unauthorized', detail: 'Unauthorized' } };

test('a missing or unknown token is a 401', async () => {
  open = openApi();
  for (const headers of [{}, { authorization: 'Bearer other' }, { authorization: 'Basic token' }]) {
    const reply = await open.api.fetch(new Request('http://localhost/v1/user', { headers }));
    expect([reply.status, await reply.json()]).toEqual([401, unauthorized]);
  }
});

test('each token is a user with budgets of its own', async () => {
  open = openApi({ tokens: ['token', 'second'] });
  const plans = async (token: string): Promise<string[]> =>
    (await open.send<ynab.PlanSummaryResponse>('GET /plans', undefined, token)).body.data.plans.map(
      ({ id }) => id,
    );
  const [first, second] = [await plans('token'), await plans('second')];
  expect(new Set([...first, ...second]).size).toBe(4);
  const foreign = await open.send(`GET /plans/${first[0]}`, undefined, 'second');
  const unknown = await open.send('GET /plans/6f9619ff-8b86-4011-b42d-00c04fc964ff', undefined, 'second');
  expect([foreign.status, foreign.body]).toEqual([
    404,
    { error: { id: '404.2', name: 'resource_not_found', detail: 'Resource not found' } },
  ]);
  expect(unknown.body).toEqual(foreign.body);
});

test('anyToken accepts every token', async () => {
  open = openApi({ tokens: [], anyToken: true });
  const a = await open.send<ynab.UserResponse>('GET /user', undefined, 'a');
  const b = await open.send<ynab.UserResponse>('GET /user', undefined, 'b');
  expect(a.body.data.user.id).not.toBe(b.body.data.user.id);
});

test('a read-only token cannot change anything', async () => {
  open = openApi({ tokens: [{ token: 'token', scope: 'read-only' }] });
  expect((await open.send('GET /plans/default/payees')).status).toBe(200);
  const reply = await open.send('POST /plans/default/payees', { payee: { name: 'x' } });
  expect([reply.status, reply.body]).toEqual([
    403,
    { error: { id: '403.3', name: 'unauthorized_scope', detail: 'The access token is read-only' } },
  ]);
});

test('200 requests in any hour, counted per token', async () => {
  open = openApi({ tokens: ['token', 'second'], requestsPerHour: 200 });
  const limits: (string | null)[] = [];
  for (let index = 0; index < 200; index += 1) {
    if (index === 100) open.clock.advance(HOUR / 2);
    const reply = await open.send('GET /user');
    expect(reply.status).toBe(200);
    limits.push(reply.headers.get('x-rate-limit'));
  }
  expect([limits[0], limits[199]]).toEqual(['1/200', '200/200']);
  const rejected = await open.send('GET /user');
  expect([rejected.status, rejected.body, rejected.headers.get('x-rate-limit')]).toEqual([
    429,
    { error: { id: '429', name: 'too_many_requests', detail: 'Too many requests' } },
    '200/200',
  ]);
  expect((await open.send('GET /user', undefined, 'second')).headers.get('x-rate-limit')).toBe('1/200');
  open.clock.advance(HOUR / 2 - 1);
  expect((await open.send('GET /user')).status).toBe(429);
  open.clock.advance(1);
  expect((await open.send('GET /user')).headers.get('x-rate-limit')).toBe('101/200');
});

test('unknown paths and methods are a 404, also with an invalid escape', async () => {
  open = openApi();
  for (const route of [
    'GET /nothing',
    'DELETE /plans',
    'GET /plans/%E0%A4%A/accounts',
    'GET /plans//accounts',
    'GET /plans/__proto__',
  ]) {
    const reply = await open.send<{ error: { name: string } }>(route);
    expect([route, reply.status]).toEqual([route, 404]);
  }
});

test('an unexpected error is a 500 that is reported, and says nothing about it', async () => {
  const errors: unknown[] = [];
  open = openApi({ onError: (error) => errors.push(error) });
  // A moment that is not a date makes the change fail after it has begun.
  open.clock.time = Number.NaN;
  const reply = await open.send('POST /plans/default/payees', { payee: { name: 'x' } });
  expect([reply.status, reply.body]).toEqual([
    500,
    { error: { id: '500', name: 'internal_server_error', detail: 'An unexpected error occurred' } },
  ]);
  expect(errors).toHaveLength(1);
  open.clock.time = Date.UTC(2026, 10, 18);
  const payees = await open.ok<ynab.PayeesResponse>('GET /plans/default/payees');
  expect(payees.data.payees.some(({ name }) => name === 'x')).toBe(false);
});

describe('over HTTP', () => {
  test('invalid JSON is a 400, a body above the limit a 413', async () => {
    open = openApi();
    const served = await serveBudgetApi({ file: ':memory:', tokens: ['token'] });
    const post = async (body: string): Promise<unknown[]> => {
      const reply = await fetch(`${served.url}/plans/default/payees`, {
        method: 'POST',
        headers: { authorization: 'Bearer token' },
        body,
      });
      return [reply.status, ((await reply.json()) as { error: { detail: string } }).error.detail];
    };
    expect(await post('{')).toEqual([400, 'The request body is not valid JSON']);
    expect(await post('x'.repeat(5 * 1024 * 1024 + 1))).toEqual([
      413,
      'The request body is larger than 5242880 bytes',
    ]);
    await served.close();
  });
});

test('invalid options are rejected with the fix', () => {
  open = openApi();
  const file = ':memory:';
  expect(() => createBudgetApi({ file })).toThrow(
    'No access tokens: set the option tokens to a list of tokens, or anyToken to true.',
  );
  expect(() => createBudgetApi({ file, tokens: ['a b'] })).toThrow(
    'Invalid access token in the option tokens: use 1 to 500 visible ASCII characters.',
  );
  expect(() => createBudgetApi({ file, anyToken: true, today: 'x' })).toThrow(
    'Invalid today "x": use a date such as 2026-11-18.',
  );
  expect(() => createBudgetApi({ file, anyToken: true, requestsPerHour: 0 })).toThrow(
    'Invalid requestsPerHour 0: use an integer of at least 1.',
  );
});

test('a file of a newer version is left alone', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ynab-api-'));
  const file = join(folder, 'budgets.db');
  openApi({ file }).api.close();
  const database = new Libsql(file);
  database.exec('PRAGMA user_version = 99');
  database.close();
  open = openApi();
  expect(() => openApi({ file })).toThrow(
    `The file ${file} has version 99, but this server knows versions up to 1: use a newer server or another file.`,
  );
  rmSync(folder, { recursive: true });
});

test('the file keeps the data, and not the tokens', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ynab-api-'));
  const file = join(folder, 'budgets.db');
  const first = openApi({ file, tokens: ['secret-token'] });
  await first.send('POST /plans/default/payees', { payee: { name: 'Kept' } }, 'secret-token');
  first.api.close();
  open = openApi({ file, tokens: ['secret-token'] });
  const { body } = await open.send<ynab.PayeesResponse>(
    'GET /plans/default/payees',
    undefined,
    'secret-token',
  );
  expect(body.data.payees.at(-1)?.name).toBe('Kept');
  const { readFileSync } = await import('node:fs');
  expect(readFileSync(file).includes('secret-token')).toBe(false);
  rmSync(folder, { recursive: true });
});
