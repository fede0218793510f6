import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPENAPI_FLAGS, VARIABLES } from '../../../src/cli/openapi/plan/openapi-flags.ts';
import { shopDocument, startShop } from './openapi-api.ts';
import type { ShopApi } from './openapi-api.ts';
import { byVariable, SETTING_CHECKS } from './openapi-checks.ts';
import { namesOf, openapi } from './openapi-runs.ts';
import type { Place } from './openapi-runs.ts';
import type { Ran } from './run-cli.ts';

let api: ShopApi;
let place: Place;

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-openapi-variables-'));
  writeFileSync(join(folder, 'shop.json'), JSON.stringify(shopDocument()));
  api = await startShop();
  place = { folder, api };
});

afterAll(async () => {
  await api.close();
  rmSync(place.folder, { recursive: true });
});

/** Runs the command; `{api}` is the address of the API. */
const run = (line: readonly string[], env: Record<string, string>): Promise<Ran> =>
  openapi(
    line.map((word) => word.replaceAll('{api}', api.origin)),
    place,
    { env },
  );

describe('variables of the environment', () => {
  test('are those that servers of this kind have', () => {
    expect(Object.fromEntries(VARIABLES)).toEqual({
      'openapi-spec': 'OPENAPI_SPEC_PATH',
      'spec-from-stdin': 'OPENAPI_SPEC_FROM_STDIN',
      'spec-inline': 'OPENAPI_SPEC_INLINE',
      'base-url': 'API_BASE_URL',
      headers: 'API_HEADERS',
      'client-cert': 'CLIENT_CERT_PATH',
      'client-key': 'CLIENT_KEY_PATH',
      'client-key-passphrase': 'CLIENT_KEY_PASSPHRASE',
      'ca-cert': 'CA_CERT_PATH',
      'reject-unauthorized': 'REJECT_UNAUTHORIZED',
      tools: 'TOOLS_MODE',
      'disable-abbreviation': 'DISABLE_ABBREVIATION',
      name: 'SERVER_NAME',
      'server-version': 'SERVER_VERSION',
      prompts: 'PROMPTS_PATH',
      'prompts-inline': 'PROMPTS_INLINE',
      resources: 'RESOURCES_PATH',
      'resources-inline': 'RESOURCES_INLINE',
      transport: 'TRANSPORT_TYPE',
      port: 'HTTP_PORT',
      host: 'HTTP_HOST',
      path: 'ENDPOINT_PATH',
      verbose: 'VERBOSE',
    });
  });

  test.each([...VARIABLES])('stand for flags: --%s, %s', async (flag, variable) => {
    const check = SETTING_CHECKS[flag];
    if (check === undefined) throw new Error(`there is no check of --${flag}`);
    await check(byVariable(variable), place);
  });

  test('give way to flags, and are none when they are empty', async () => {
    const env = { TOOLS_MODE: 'nonsense', API_BASE_URL: 'https://elsewhere.example', SERVER_NAME: '  ' };
    const names = await namesOf(place, { line: ['--tools', 'all'], env });
    expect(names).toContain('listUsers');
    const empty = Object.fromEntries([...VARIABLES.values()].map((variable) => [variable, '']));
    expect((await run(['shop.json', '--dry-run', '--base-url', '{api}'], empty)).code).toBe(0);
  });

  test('that are wrong are named', async () => {
    const at = ['shop.json', '--dry-run', '--base-url', '{api}'];
    expect(await run(at, { TOOLS_MODE: 'explict' })).toEqual({
      code: 2,
      out: '',
      err: 'error TOOLS_MODE must be all, dynamic or explicit; received "explict". Did you mean "explicit"?',
    });
    expect((await run(at, { VERBOSE: 'maybe' })).code).toBe(2);
    expect((await run(['shop.json', '--base-url', '{api}'], { VERBOSE: 'maybe' })).err).toContain(
      'error VERBOSE must be true or false; received "maybe".',
    );
    expect((await run(['shop.json', '--http'], { HTTP_PORT: '70000' })).err).toBe(
      'error HTTP_PORT must be a number from 0 to 65535; received "70000".',
    );
    expect((await run(['shop.json', '--http'], { ENDPOINT_PATH: 'mcp' })).err).toBe(
      'error ENDPOINT_PATH must begin with "/"; received "mcp".',
    );
  });
});

test('every flag says which variable stands for it', () => {
  for (const [flag, { description }] of Object.entries(OPENAPI_FLAGS)) {
    const variable = VARIABLES.get(flag);
    expect(description.endsWith(']')).toBe(variable !== undefined);
    if (variable !== undefined) expect(description).toContain(`[${variable}]`);
  }
});
