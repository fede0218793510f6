import { describe, expect, test } from 'vitest';
import { Authorizer } from '../../../src/auth/authorize.ts';
import type { Authorize, Grants } from '../../../src/auth/authorize.ts';
import type { CredentialRequest } from '../../../src/auth/verifier.ts';
import type { Principal } from '../../../src/index.ts';
import { FakeClock } from '../../support/fake-clock.ts';

function requestWith(tenant: string): CredentialRequest {
  return { method: 'POST', url: '/mcp', headers: { get: () => tenant }, address: undefined };
}

function createAuthorizer(authorize: Authorize) {
  const clock = new FakeClock();
  const authorizer = new Authorizer(authorize, { clock, cacheMs: 10_000 });
  const grant = (principal: Principal, tenant = 'none') => authorizer.grant(principal, requestWith(tenant));
  return { clock, grant };
}

describe('cached grants', () => {
  test('are not those of another token of the same user, whose claims differ', () => {
    const { grant } = createAuthorizer(({ claims }) =>
      claims?.['acr'] === 'mfa' ? { roles: ['admin'] } : {},
    );
    const rolesWith = (acr: string): unknown => grant({ id: 'ada', scopes: ['notes'], claims: { acr } });
    expect(rolesWith('mfa')).toMatchObject({ roles: ['admin'] });
    expect(rolesWith('pwd')).toMatchObject({ roles: [] });
  });

  test('are not those of another request, where authorize takes the request', () => {
    const { grant } = createAuthorizer((_principal, { headers }) => ({
      tenant: headers.get('x-tenant') ?? '',
    }));
    expect(grant({ id: 'ada' }, 'acme')).toMatchObject({ tenant: 'acme' });
    expect(grant({ id: 'ada' }, 'globex')).toMatchObject({ tenant: 'globex' });
  });

  // A parameter that the length of a function does not count would be filled by the first request alone.
  test.each<[string, Authorize]>([
    ['a rest parameter', (...[, request]) => ({ tenant: request.headers.get('x-tenant') ?? '' })],
    [
      'a parameter with a default',
      // oxlint-disable-next-line typescript/no-useless-default-assignment -- the default is the subject of the test
      (_principal, request = requestWith('none')) => ({ tenant: request.headers.get('x-tenant') ?? '' }),
    ],
  ])('of a request do not reach another one: %s', (_name, authorize) => {
    const { grant } = createAuthorizer(authorize);
    const tenantOf = (tenant: string): unknown => {
      try {
        return (grant({ id: 'ada' }, tenant) as Principal).tenant;
      } catch {
        return 'failed';
      }
    };
    expect([tenantOf('acme'), tenantOf('globex')]).not.toContain('acme');
  });

  test('are those of an equal principal, whatever the order of its claims', () => {
    let asked = 0;
    const { clock, grant } = createAuthorizer(() => ({ roles: [`${(asked += 1)}`] }));
    expect(grant({ id: 'ada', claims: { a: 1, b: 2 } })).toMatchObject({ roles: ['1'] });
    expect(grant({ id: 'ada', claims: { b: 2, a: 1 } })).toMatchObject({ roles: ['1'] });
    clock.advance(10_000);
    expect(grant({ id: 'ada', claims: { a: 1, b: 2 } })).toMatchObject({ roles: ['2'] });
  });

  test('are kept for 10,000 principals, the latest of them', () => {
    let asked = 0;
    const { grant } = createAuthorizer(() => ({ roles: [`${(asked += 1)}`] }));
    for (let index = 0; index <= 10_000; index += 1) grant({ id: `user-${index}` });
    expect(grant({ id: 'user-1' })).toMatchObject({ roles: ['2'] });
    expect(grant({ id: 'user-0' })).toMatchObject({ roles: ['10002'] });
  });

  test('are not kept for claims that cannot be compared', () => {
    let asked = 0;
    const { grant } = createAuthorizer(() => ({ roles: [`${(asked += 1)}`] }));
    const claims: Record<string, unknown> = { find: () => 1 };
    expect([grant({ id: 'ada', claims }), grant({ id: 'ada', claims })]).toMatchObject([
      { roles: ['1'] },
      { roles: ['2'] },
    ]);
  });

  test('of a call that hangs are asked for again after 5 s, however long grants are cached', async () => {
    let asked = 0;
    const { clock, grant } = createAuthorizer(() =>
      (asked += 1) === 1 ? new Promise<Grants>(() => {}) : { roles: ['reader'] },
    );
    void grant({ id: 'ada' });
    clock.advance(4999);
    void grant({ id: 'ada' });
    expect(asked).toBe(1);
    clock.advance(1);
    expect(await grant({ id: 'ada' })).toMatchObject({ roles: ['reader'] });
  });

  test('are not replaced by grants that were asked for earlier and come later', async () => {
    const pending: ((grants: Grants) => void)[] = [];
    const { clock, grant } = createAuthorizer(() => new Promise<Grants>((resolve) => pending.push(resolve)));
    const first = grant({ id: 'ada' });
    clock.advance(10_000);
    const second = grant({ id: 'ada' });
    pending[1]?.({ roles: ['reader'] });
    expect(await second).toMatchObject({ roles: ['reader'] });
    pending[0]?.({ roles: ['admin'] });
    expect(await first).toMatchObject({ roles: ['admin'] });
    expect(await grant({ id: 'ada' })).toMatchObject({ roles: ['reader'] });
  });
});
