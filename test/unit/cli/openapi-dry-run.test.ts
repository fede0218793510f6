import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { shopDocument, startShop } from './openapi-api.ts';
import type { ShopApi } from './openapi-api.ts';
import { openapi } from './openapi-runs.ts';
import type { Ran } from './run-cli.ts';

let folder = '';
let api: ShopApi;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'toolwright-dry-run-'));
  api = await startShop();
});

beforeEach(() => write(shopDocument()));

afterAll(async () => {
  await api.close();
  rmSync(folder, { recursive: true });
});

function write(document: object): void {
  writeFileSync(join(folder, 'shop.json'), JSON.stringify(document));
}

const run = (...line: string[]): Promise<Ran> =>
  openapi(
    line.map((word) => word.replaceAll('{api}', api.origin)),
    { folder, api },
  );

describe('a dry run', () => {
  test('of a filtered document lists what is kept, and counts the rest', async () => {
    const at = ['shop.json', '-u', '{api}', '--dry-run', '--tool', 'listOrders'];
    const { out } = await run(...at);
    expect(out.split('\n').slice(1, 6)).toEqual([
      '  operation    outcome  name        tokens  note',
      '  GET /orders  tool     listOrders      77',
      '  GET /broken  refused  -                -  a parameter cannot be read: "#/nowhere" cannot be resolved',
      '  4 operations left out (--verbose lists them)',
      '',
    ]);
    const { out: all } = await run(...at, '--verbose');
    expect(all).toContain('GET /users           left-out  -');
    expect(all).not.toContain('--verbose lists them');
  });

  test('counts groups with the schemas that they are served with', async () => {
    const costs = async (...more: string[]): Promise<string | undefined> =>
      /grouped \d+/.exec((await run('shop.json', '-u', '{api}', '--dry-run', ...more)).out)?.[0];
    expect(await costs()).toBe('grouped 432');
    expect(await costs('--grouped-schemas', 'brief')).toBe('grouped 447');
  });

  test('is the only run in which brief groups need no exposure that has groups', async () => {
    expect(await run('shop.json', '-u', '{api}', '--grouped-schemas', 'brief')).toMatchObject({
      code: 2,
      err: 'error --grouped-schemas brief requires --exposure grouped or --exposure auto: other exposures list no groups.',
    });
  });

  test('of filters that leave nothing counts everything', async () => {
    const { paths } = shopDocument() as { paths: Record<string, unknown> };
    const { '/broken': _broken, ...others } = paths;
    write({ ...shopDocument(), paths: others });
    const { code, out } = await run('shop.json', '-u', '{api}', '--dry-run', '--tag', 'none');
    expect(code).toBe(0);
    expect(out.split('\n')[1]).toBe('  5 operations left out (--verbose lists them)');
  });

  test.each([['all'], ['dynamic']])('fetches the document once (--tools %s)', async (mode) => {
    const before = api.arrived.length;
    const { code } = await run('{api}/openapi.json', '--dry-run', '--tools', mode);
    expect(code).toBe(0);
    expect(api.arrived.slice(before).map(({ url }) => url)).toEqual(['/openapi.json']);
  });
});

describe('nothing to serve', () => {
  test('a document without operations is not a mistake of the command line', async () => {
    write({ ...shopDocument(), paths: {} });
    const { code, err } = await run('shop.json', '-u', '{api}');
    expect(code).toBe(1);
    expect(err).toContain('error The document has no operations: nothing to serve.');
    const tried = await run('shop.json', '-u', '{api}', '--dry-run');
    expect([tried.code, tried.err]).toEqual([0, '']);
    expect(tried.out).toContain('  The document has no operations.');
  });

  test('filters that leave no operation are one', async () => {
    const { code, err } = await run('shop.json', '-u', '{api}', '--tag', 'none');
    expect(code).toBe(2);
    expect(err).toContain(
      'error The filters match no operation: nothing to serve. Use --dry-run --verbose to see why each operation is left out.',
    );
  });
});
