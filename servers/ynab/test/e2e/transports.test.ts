import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectHttp, connectStdio, VERSIONS } from '../support/clients.ts';
import type { ClientVersion, OfficialClient } from '../support/clients.ts';
import { PROMPTS } from '../support/prompt-texts.ts';

/** Prompts, resources and completions of the built server, in processes of their own. */

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'budget-transports-'));
if (!existsSync(MAIN)) throw new Error('servers/ynab/dist is missing: run `npm run build` first');

const argsOf = (name: string): string[] => [MAIN, '--data', join(folder, `${name}.db`)];

const child = spawn(process.execPath, [...argsOf('http'), '--http', '--port', '0'], {
  // Without the variables of this machine: an access token would select the real API.
  env: { LOG_LEVEL: 'error' },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
const url = new Promise<string>((resolve, reject) => {
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => {
    const found = /http:\/\/127\.0\.0\.1:\d+\/mcp/.exec((printed += chunk.toString()))?.[0];
    if (found !== undefined) resolve(found);
  });
  void exited.then((code) => reject(new Error(`exit ${code}: ${printed}`)));
});
// Tests over standard input and output can run without it.
url.catch(() => {});
afterAll(async () => {
  child.kill('SIGTERM');
  await exited;
  rmSync(folder, { recursive: true, force: true });
});

const CONNECTIONS: Readonly<Record<'HTTP' | 'stdio', (version: ClientVersion) => Promise<OfficialClient>>> = {
  HTTP: async (version) => connectHttp(version, await url, 'not needed'),
  stdio: async (version) => {
    // One after the other: the second process finds the sample data of the first one.
    const started = { command: process.execPath, args: argsOf('stdio'), env: {}, stderr: 'pipe' as const };
    return (await connectStdio(version, started)).client;
  },
};

const CASES = (['HTTP', 'stdio'] as const).flatMap((transport) =>
  VERSIONS.map((version) => ({ transport, version })),
);

const TEMPLATES = [
  'ynab://budgets/{budget_id}',
  'ynab://budgets/{budget_id}/accounts',
  'ynab://budgets/{budget_id}/accounts/{account_id}',
  'ynab://budgets/{budget_id}/categories',
  'ynab://budgets/{budget_id}/months',
  'ynab://budgets/{budget_id}/months/{month}',
];

/** A resource, the first member of its JSON, and a text in it. Ids and months depend on the day. */
const READS: readonly (readonly [uri: string, member: string, fact: string])[] = [
  ['ynab://budgets', 'budgets', '"name":"Tokyo Flat"'],
  ['ynab://user', 'user', '"id":"'],
  ['ynab://budgets/default', 'budget', '"name":"Household"'],
  ['ynab://budgets/last-used/accounts', 'accounts', '"name":"Everyday Checking"'],
  ['ynab://budgets/default/accounts/{account_id}', 'account', '"name":"Everyday Checking"'],
  ['ynab://budgets/default/categories', 'category_groups', '"name":"Groceries"'],
  ['ynab://budgets/default/months', 'months', '"month":"{month}"'],
  ['ynab://budgets/default/months/{month}', 'month', '"month":"{month}"'],
];

/** Arguments of `create-transaction` that are completed: the text that was typed, and the first values. */
const COMPLETIONS: readonly (readonly [argument: string, typed: string, values: readonly string[]])[] = [
  ['budget_name', '', ['Household', 'Tokyo Flat']],
  ['account_name', 'c', ['Car', 'Everyday Checking', 'Visa Card']],
  ['category', 'gr', ['Groceries']],
  ['payee', 'co', ['Concert Hall', 'Corner Market', 'Craft Corner', 'Pasta Corner']],
];

describe.each(CASES)('with the official client $version over $transport', ({ transport, version }) => {
  let client: OfficialClient;
  let month: string;
  let account_id: string;

  const read = async (uri: string): Promise<string> => {
    const { contents } = await client.readResource({ uri });
    expect(contents).toMatchObject([{ uri, mimeType: 'application/json' }]);
    return (contents[0] as { readonly text: string }).text;
  };
  const complete = async (
    ref: { type: 'ref/prompt'; name: string } | { type: 'ref/resource'; uri: string },
    [name, value]: readonly [string, string],
    chosen: Record<string, string> = {},
  ): Promise<readonly string[]> => {
    const context = { arguments: chosen };
    return (await client.complete({ ref, argument: { name, value }, context })).completion.values;
  };

  beforeAll(async () => {
    client = await CONNECTIONS[transport](version);
    const { accounts } = JSON.parse(await read('ynab://budgets/default/accounts')) as {
      readonly accounts: readonly { readonly id: string }[];
    };
    account_id = accounts[0]?.id ?? '';
    month = `${new Date().toISOString().slice(0, 7)}-01`;
  });
  afterAll(() => client.close());

  test('prompts are listed with their arguments, and return their texts', async () => {
    const { prompts } = await client.listPrompts();
    const listed = prompts.map((prompt) => [
      prompt.name,
      (prompt.arguments ?? []).map(({ name, required }) => (required ? name : `${name}?`)).join(' '),
    ]);
    expect(listed).toEqual(PROMPTS.map(([name, args]) => [name, args]));
    for (const [name, , args, text] of PROMPTS) {
      const { messages } = await client.getPrompt({ name, arguments: args });
      expect(messages).toEqual([{ role: 'user', content: { type: 'text', text } }]);
    }
  });

  test('a prompt without a required argument is an error', async () => {
    const missing = client.getPrompt({ name: 'month-end-close', arguments: {} });
    await expect(missing).rejects.toMatchObject({ code: -32_602 });
  });

  test('resources and templates are listed', async () => {
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(['ynab://budgets', 'ynab://user']);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(TEMPLATES);
  });

  test.each(READS)('%s is read', async (pattern, member, fact) => {
    const fill = (text: string): string => text.replace('{month}', month).replace('{account_id}', account_id);
    const text = await read(fill(pattern));
    expect(Object.keys(JSON.parse(text) as object)).toEqual([member]);
    expect(text).toContain(fill(fact));
  });

  test('an unknown resource is an error', async () => {
    // Revisions before 2026-07-28 have a code of their own.
    const code = version === 'v1' ? -32_002 : -32_602;
    await expect(client.readResource({ uri: 'ynab://budgets/nope' })).rejects.toMatchObject({ code });
  });

  test.each(COMPLETIONS)('%s of a prompt is completed', async (argument, typed, values) => {
    const ref = { type: 'ref/prompt', name: 'create-transaction' } as const;
    expect(await complete(ref, [argument, typed])).toEqual(values);
  });

  test('budget_id, account_id and month of templates are completed', async () => {
    const account = { type: 'ref/resource', uri: TEMPLATES[2] ?? '' } as const;
    expect(await complete(account, ['budget_id', 'de'])).toEqual(['default']);
    const chosen = { budget_id: 'default' };
    expect(await complete(account, ['account_id', account_id], chosen)).toEqual([account_id]);
    const months = { type: 'ref/resource', uri: TEMPLATES[5] ?? '' } as const;
    expect((await complete(months, ['month', ''], chosen))[0]).toBe(month);
  });
});
