import { describe, expect, test } from 'vitest';
import { custom, introspection, jwt } from '../../../src/auth.ts';
import type { AuthOptions } from '../../../src/auth.ts';
import { toFetchHandler } from '../../../src/fetch.ts';
import type { FetchHandler } from '../../../src/fetch.ts';
import { createServer, silentLogger } from '../../../src/index.ts';
import { refused } from '../../support/refused.ts';

const verify = custom(() => undefined);
const RESOURCE = 'https://s.test/mcp';

function serve(auth: Partial<AuthOptions>): FetchHandler {
  const server = createServer({ name: 's', version: '1.0.0', logger: silentLogger });
  return toFetchHandler(server, { auth: { verify, resource: RESOURCE, ...auth } });
}

describe('an empty audience is rejected: a token could name it', () => {
  test.each([['', 'audience'] as const, [[''], 'audience'] as const, [[RESOURCE, ' '], 'audience'] as const])(
    '%j',
    (audience, option) => {
      const issuer = 'https://id.test';
      expect(() => jwt({ issuer, audience })).toThrow(refused(option));
      expect(() => introspection({ issuer, audience, clientId: 'a', clientSecret: 'b' })).toThrow(
        refused(option),
      );
    },
  );
});

describe('resource', () => {
  test.each([
    // RFC 8707, 2: no fragment, not even an empty one.
    'https://s.test/mcp#',
    'https://s.test/mcp#tools',
    // The metadata is public.
    'https://user:password@s.test/mcp',
    'https://token@s.test/mcp',
    'ftp://s.test/mcp',
    '/mcp',
  ])('%s is rejected', (resource) => {
    expect(() => serve({ resource })).toThrow(refused('resource'));
  });

  test('the address of the metadata has the query of the resource (RFC 9728, 3.1)', async () => {
    const resource = 'https://s.test/mcp?workspace=acme';
    const handle = serve({ resource });
    const { headers } = await handle(new Request('http://localhost/mcp', { method: 'POST' }));
    const metadata = 'https://s.test/.well-known/oauth-protected-resource/mcp?workspace=acme';
    expect(headers.get('www-authenticate')).toBe(`Bearer resource_metadata="${metadata}"`);
    const { pathname, search } = new URL(metadata);
    const found = await handle(new Request(`http://localhost${pathname}${search}`));
    expect(await found.json()).toMatchObject({ resource });
  });
});

test('authorizationServers are URLs', () => {
  expect(() => serve({ authorizationServers: ['id.example.com'] })).toThrow(refused('authorizationServers'));
  expect(() => serve({ authorizationServers: ['https://id.example.com'] })).not.toThrow();
});
