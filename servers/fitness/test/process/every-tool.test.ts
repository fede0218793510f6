import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CATALOG } from '../../src/gate/catalog.ts';
import { callTool, connectHttp, VERSIONS } from '../support/clients.ts';
import type { OfficialClient } from '../support/clients.ts';
import { findIssuePaths } from '../support/connections.ts';
import { command, connectStdio, startHttp } from '../support/processes.ts';
import type { HttpProcess } from '../support/processes.ts';
import { TOOL_CALLS } from './support/tool-calls.ts';
import type { CallState } from './support/tool-calls.ts';

const folder = mkdtempSync(join(tmpdir(), 'fitness-tools-'));
const variables = {
  FITNESS_DATABASE: join(folder, 'fitness.db'),
  FITNESS_KEY: Buffer.alloc(32, 7).toString('base64'),
  FITNESS_STRAVA_CLIENT_ID: '7',
  FITNESS_STRAVA_CLIENT_SECRET: 'secret',
};
let http: HttpProcess;
let token: string;
beforeAll(async () => {
  await command(['user', 'add', 'root', '--role', 'admin'], variables);
  token = await command(['token', 'issue', 'root'], variables);
  http = await startHttp(variables);
});
afterAll(async () => {
  await http.stop();
  rmSync(folder, { recursive: true });
});

const TRANSPORTS = {
  stdio: async (version: (typeof VERSIONS)[number]): Promise<OfficialClient> =>
    (await connectStdio({ version }, { ...variables, FITNESS_USER: 'root' })).client,
  http: (version: (typeof VERSIONS)[number]): Promise<OfficialClient> =>
    connectHttp({ version }, http.url, token),
} as const;
const CONNECTIONS = VERSIONS.flatMap((version) =>
  (['stdio', 'http'] as const).map((transport) => ({ version, transport })),
);

test('every tool of the catalog has a valid and an invalid call', () => {
  expect(TOOL_CALLS.map(({ tool }) => tool)).toEqual([...CATALOG.keys()]);
});

describe.each(CONNECTIONS)('client $version over $transport', ({ version, transport }) => {
  const state: CallState = { name: `${version}-${transport}`, ids: new Map() };
  let client: OfficialClient;
  let withFormat: ReadonlySet<string>;
  beforeAll(async () => {
    client = await TRANSPORTS[transport](version);
    const { tools } = await client.listTools();
    withFormat = new Set(
      tools.flatMap(({ name, inputSchema }) => (inputSchema.properties?.['format'] ? [name] : [])),
    );
  });
  afterAll(() => client.close());

  test.each(TOOL_CALLS)('$tool', async ({ tool, valid, invalid, paths }) => {
    const args = valid(state);
    const { text, isError } = await callTool(client, tool, args);
    expect([tool, isError, isError ? text : '']).toEqual([tool, false, '']);
    const result = JSON.parse(text) as object;
    rememberIds(tool, result);
    // Rows can be had as a table, from every tool that returns them.
    if (!withFormat.has(tool)) expect(findRows(result)).toBeUndefined();
    else {
      const table = await callTool(client, tool, { ...args, format: 'toon' });
      expect(() => JSON.parse(table.text) as unknown).toThrow(SyntaxError);
      if (findRows(result) !== undefined) expect(table.text).toMatch(/\[\d+\]\{[^}]+\}:\n/);
    }
    expect(await findIssuePaths(callTool(client, tool, invalid))).toEqual(paths);
  });

  /** Keeps the ids that later calls need. */
  function rememberIds(tool: string, result: object): void {
    const { goal_id, recipe_id, activities } = result as {
      readonly goal_id?: string;
      readonly recipe_id?: string;
      readonly activities?: readonly { readonly id: string }[] | number;
    };
    const found = { set_goal: goal_id, save_recipe: recipe_id } as Readonly<
      Record<string, string | undefined>
    >;
    const id = tool === 'get_activities' && Array.isArray(activities) ? activities[0]?.id : found[tool];
    if (typeof id === 'string') state.ids.set(tool, id);
  }
});

/** The path of an array of objects in a result; undefined if there is none. */
function findRows(value: unknown, path = ''): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value) && value.some((row) => typeof row === 'object' && row !== null)) return path;
  for (const [name, member] of Object.entries(value)) {
    const found = findRows(member, `${path}.${name}`);
    if (found !== undefined) return found;
  }
  return undefined;
}
