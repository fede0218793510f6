import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { OPENAPI_FLAGS } from '../../../src/cli/openapi/plan/openapi-flags.ts';
import { shopDocument } from './openapi-api.ts';
import { listThrough, namesOf, openapi } from './openapi-runs.ts';
import type { Check, Place, Said, Say } from './openapi-runs.ts';
import { SERVING_CHECKS } from './openapi-serving-checks.ts';
import type { Ran } from './run-cli.ts';
import { whileServing } from './while-serving.ts';

const NOTHING: Said = { line: [], env: {} };

/** The same document, from each source. */
const isTheShop = (ran: Ran): void => {
  expect([ran.code, ran.err]).toEqual([0, '']);
  expect(ran.out).toContain('Shop 2.1.0 (OpenAPI 3.0, ');
};
const ALL = ['listOrders', 'createOrder', 'listUsers', 'waitForUsers', 'resetConfiguration'];

const keeps =
  (value: string, ...names: string[]): Check =>
  async (say, place) => {
    expect(await namesOf(place, NOTHING)).toEqual(ALL);
    expect(await namesOf(place, say(value))).toEqual(names);
  };

const DOCUMENT_CHECKS: Readonly<Record<string, Check>> = {
  'openapi-spec': async (say, place) =>
    isTheShop(await openapi(['--dry-run', '--base-url', place.api.origin], place, say('shop.json'))),
  'spec-from-stdin': async (say, place) => {
    const input = JSON.stringify(shopDocument());
    isTheShop(await openapi(['--dry-run', '--base-url', place.api.origin], place, { ...say(), input }));
  },
  'spec-inline': async (say, place) =>
    isTheShop(
      await openapi(
        ['--dry-run', '--base-url', place.api.origin],
        place,
        say(JSON.stringify(shopDocument())),
      ),
    ),
  namespace: async (say, place) => {
    expect(await namesOf(place, say('eu'))).toEqual(ALL.map((name) => `eu_${name}`));
  },
  'document-header': async (say, place) => {
    const { line, env } = say('X-Doc: env:DOC_KEY');
    const url = `${place.api.origin}/openapi.json`;
    isTheShop(await openapi([url, '--dry-run'], place, { line, env: { ...env, DOC_KEY: 'document-key' } }));
    const got = place.api.arrived.findLast((each) => each.url === '/openapi.json');
    expect(got?.headers['x-doc']).toBe('document-key');
  },
  overlay: async (say, place) => {
    const at = ['shop.json', '--dry-run', '--base-url', place.api.origin];
    expect((await openapi(at, place, say(`${place.api.origin}/overlay.json`))).out).toContain(
      'Changed 2.1.0',
    );
  },
  'max-document-bytes': async (say, place) => {
    const at = ['shop.json', '--dry-run', '--base-url', place.api.origin];
    const { code, err } = await openapi(at, place, say('100'));
    expect([code, err]).toEqual([
      3,
      `error ${join(place.folder, 'shop.json')} has more than 100 bytes. Increase the limit: --max-document-bytes 200`,
    ]);
    isTheShop(await openapi(at, place, say('100000')));
  },
  'ref-root': async (say, place) => {
    mkdirSync(join(place.folder, 'inner'), { recursive: true });
    writeFileSync(join(place.folder, 'parts.json'), JSON.stringify({ Order: { type: 'object' } }));
    await readsParts('../parts.json', say('.'), place);
  },
  'ref-origin': async (say, place) => {
    mkdirSync(join(place.folder, 'inner'), { recursive: true });
    await readsParts(`${place.api.origin}/parts.json`, say(place.api.origin), place);
  },
};

/** A document with its schema at another origin, which is read only if it is allowed. */
async function readsParts(ref: string, said: Said, place: Place): Promise<void> {
  const schema = { $ref: `${ref}#/Order` };
  const post = {
    operationId: 'send',
    requestBody: { content: { 'application/json': { schema } } },
    responses: {},
  };
  const document = { openapi: '3.0.3', info: { title: 'Parts', version: '1' }, paths: { '/send': { post } } };
  writeFileSync(join(place.folder, 'inner/api.json'), JSON.stringify(document));
  const at = ['inner/api.json', '--dry-run', '--base-url', place.api.origin];
  expect(JSON.stringify(await openapi(at, place))).toContain('was not read');
  const { code, out } = await openapi(at, place, said);
  expect([code, out.includes('was not read')]).toEqual([0, false]);
}

const SELECTION_CHECKS: Readonly<Record<string, Check>> = {
  tools: async (say, place) => {
    const { line, env } = say('explicit');
    expect(await namesOf(place, { line: [...line, '--tool', 'listUsers'], env })).toEqual(['listUsers']);
    const { tools } = (await listThrough(place, say('dynamic'))) as { tools?: { name: string }[] };
    expect(tools?.map(({ name }) => name)).toEqual([
      'list-api-endpoints',
      'get-api-endpoint-schema',
      'invoke-api-endpoint',
    ]);
  },
  tool: async (say, place) => {
    const [one, other] = [say('listOrders'), say('GET::users')];
    const both = { line: [...one.line, ...other.line], env: {} };
    expect(await namesOf(place, both)).toEqual(['listOrders', 'listUsers']);
  },
  tag: keeps('orders', 'listOrders', 'createOrder'),
  resource: keeps('/users', 'listUsers', 'waitForUsers'),
  operation: keeps('post', 'createOrder'),
  method: keeps('DELETE', 'resetConfiguration'),
  'exclude-tag': keeps('users', 'listOrders', 'createOrder', 'resetConfiguration'),
  'exclude-tool': keeps('list*', 'createOrder', 'waitForUsers', 'resetConfiguration'),
  'exclude-path': keeps('/users*', 'listOrders', 'createOrder', 'resetConfiguration'),
  abbreviate: keeps('always', 'listOrders', 'crtOrder', 'listUsrs', 'waitUsrs', 'resetConfig'),
  'disable-abbreviation': async (say, place) => {
    expect(await namesOf(place, say())).toEqual(ALL);
    const { line } = say();
    if (line.length === 0) return;
    expect(await openapi(['shop.json', '--abbreviate', 'always'], place, say())).toEqual({
      code: 2,
      out: '',
      err: 'error Use either --disable-abbreviation or --abbreviate always, not both.',
    });
  },
};

/** Checks of the last group of the help. */
const TRIAL_CHECKS: Readonly<Record<string, Check>> = {
  'dry-run': async (say, place) => {
    const { code, out } = await openapi(['shop.json', '--base-url', place.api.origin], place, say());
    expect([code, out.split('\n')]).toEqual([
      0,
      [
        `Shop 2.1.0 (OpenAPI 3.0, ${join(place.folder, 'shop.json')})`,
        '  operation            outcome  name                tokens  note',
        '  GET /orders          tool     listOrders              77',
        '  POST /orders         tool     createOrder            113',
        '  GET /users           tool     listUsers               65',
        '  GET /users/slow      tool     waitForUsers            67',
        '  DELETE /admin/reset  tool     resetConfiguration      66',
        '  GET /broken          refused  -                        -  a parameter cannot be read: "#/nowhere" cannot be resolved',
        '',
        'Operations           6 operations, 5 tools, 1 refused, 0 left out',
        'Tool list (tokens)   flat 390, grouped 432, search 410',
        'Missing credentials  needs oauth (OAuth 2): add --credential oauth=env:NAME (1 operation)',
        '                     needs api_key (header X-Api-Key): add --credential api_key=env:NAME (1 operation)',
      ],
    ]);
  },
  report: async (say, place) => {
    const at = ['shop.json', '--base-url', place.api.origin, '--dry-run'];
    expect((await openapi(at, place, say('report.json'))).code).toBe(0);
    const report = JSON.parse(readFileSync(join(place.folder, 'report.json'), 'utf8')) as {
      documents: { operations: object[] }[];
      totals: object;
    };
    expect(report.documents[0]?.operations[2]).toEqual({
      key: 'GET /users',
      operationId: 'listUsers',
      outcome: 'tool',
      name: 'listUsers',
      tokens: 65,
      notes: [],
      missingCredentials: ['needs api_key (header X-Api-Key): add --credential api_key=env:NAME'],
    });
    expect(report.totals).toEqual({
      operations: 6,
      tools: 5,
      resources: 0,
      refused: 1,
      leftOut: 0,
      withoutCredentials: 2,
      tokens: { flat: 390, grouped: 432, search: 410 },
    });
  },
  strict: async (say, place) => {
    const at = ['shop.json', '--base-url', place.api.origin];
    const { code, err } = await openapi([...at, '--dry-run'], place, say());
    expect([code, err]).toEqual([1, 'error 1 operation is refused (--strict).']);
    expect((await openapi([...at, '--dry-run', '--exclude-tool', 'getBroken'], place)).code).toBe(0);
  },
  verbose: async (say, place) => {
    const listed = 'refused GET /broken: a parameter cannot be read: "#/nowhere" cannot be resolved';
    const at = ['openapi', 'shop.json', '--http', '--port', '0', '--base-url', place.api.origin];
    const where = { cwd: place.folder };
    expect((await whileServing(at, where, async () => {})).err).not.toContain('/broken');
    const { line, env } = say();
    const ran = await whileServing([...at, ...line], { ...where, env }, async () => {});
    expect(ran.err.split('\n')[1]).toBe(listed);
  },
  version: async (say, place) => {
    expect(await openapi([], place, say())).toEqual({ code: 0, out: '0.1.0', err: '' });
  },
};

/** By flag. */
export const SETTING_CHECKS: Readonly<Record<string, Check>> = {
  ...DOCUMENT_CHECKS,
  ...SELECTION_CHECKS,
  ...SERVING_CHECKS,
  ...TRIAL_CHECKS,
};

/** A setting as a flag, long or short. */
export const byFlag =
  (flag: string): Say =>
  (value) => ({ line: value === undefined ? [flag] : [flag, value], env: {} });

/** A setting as an environment variable. */
export const byVariable =
  (variable: string): Say =>
  (value = 'true') => ({ line: [], env: { [variable]: value } });

/** By flag, including the short ones. */
export function flagChecks(place: () => Place): Readonly<Record<string, (flag: string) => Promise<void>>> {
  const entries = Object.entries(SETTING_CHECKS).flatMap(([name, check]) => {
    const { short } = OPENAPI_FLAGS[name] ?? {};
    const run = (flag: string): Promise<void> => check(byFlag(flag), place());
    return [[`--${name}`, run] as const, ...(short === undefined ? [] : [[`-${short}`, run] as const])];
  });
  return Object.fromEntries(entries);
}
