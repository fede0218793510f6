import { expect, test } from 'vitest';
import { createServer } from '../../../src/index.ts';
import { refuse, toFetchHandler } from '../../../src/fetch.ts';
import type { Refusal } from '../../../src/fetch.ts';
import { recordLog } from '../../support/log-recorder.ts';

const statusFor = async (refusal: unknown): Promise<[number, number]> => {
  const { logger, entries } = recordLog();
  const server = createServer({ name: 's', version: '1.0.0', logger });
  const handle = toFetchHandler(server, { authenticate: async () => refusal as Refusal });
  const { status } = await handle(new Request('http://localhost/mcp', { method: 'POST' }));
  return [status, entries.filter(({ level }) => level === 'error').length];
};

test.each([401, 403, 429, 503] as const)('a request is refused with %i', async (status) => {
  expect(await statusFor(refuse({ status }))).toEqual([status, 0]);
});

test.each([200, 204, 302, 100, 500, 999, '401', null])(
  'a refusal with the status %s is a failure of authenticate: logged, and 503',
  async (status) => {
    expect(await statusFor({ ...refuse(), status })).toEqual([503, 1]);
  },
);
