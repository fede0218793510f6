import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { checkList, findFiles, generateDocument, measureDocument } from '../../scripts/corpus/index.mjs';
import { assertBuilt } from '../support/dist.ts';
import { createClient } from '../support/served-clients.ts';
import type { ClientName } from '../support/served-clients.ts';
import type { ServedClient } from '../support/served-client.ts';

const FIXTURES = join(import.meta.dirname, '../fixtures/openapi');
const APP = join(import.meta.dirname, 'apps/openapi-stdio.mjs');
const MB = 1_048_576;

/** Measured on a shared machine; the limit of `npm run corpus -- --generated 1200 --check` is a third of this. */
const PATIENT_CPU_MS = 3000;
const PATIENT_BYTES = 750 * MB;

/** A process that serves these documents, and a connected official client. */
async function open(name: ClientName, exposure: string, files: readonly string[]): Promise<ServedClient> {
  const client = createClient(name);
  const Transport = name === 'v1' ? StdioV1 : StdioV2;
  const args = [APP, exposure, ...files];
  await client.connect(new Transport({ command: process.execPath, args, stderr: 'inherit' }));
  onTestFinished(() => client.close());
  return client;
}

beforeAll(assertBuilt);

describe.each(['v1', 'v2 auto'] as const)('the official client %s over stdio', (name) => {
  test('lists all documents of the corpus at once', async () => {
    const client = await open(name, 'flat', findFiles([FIXTURES]));
    const tools = await client.listTools();
    expect(tools).toHaveLength(193);
    expect(checkList(tools)).toEqual([]);
    const names = new Set(tools.map((tool) => tool.name));
    expect(names).toContain('petstore_2_0_findPetsByStatus');
    expect(names).toContain('petstore_3_1_findPetsByStatus');
    expect(names).toContain('ynab_3_1_getPlans');
  });
});

test('the official client v1 lists the tools of tags', async () => {
  const client = await open('v1', 'grouped', [join(FIXTURES, 'petstore-3.0.yaml')]);
  expect((await client.listTools()).map((tool) => tool.name)).toEqual(['pet', 'store', 'user']);
});

test('the official client v2 lists the tools that search', async () => {
  const client = await open('v2 auto', 'search', [join(FIXTURES, 'galaxy-3.1.json')]);
  expect((await client.listTools()).map((tool) => tool.name)).toEqual([
    'search_tools',
    'describe_tool',
    'call_tool',
  ]);
});

describe('a document of 1,200 operations', () => {
  let folder = '';
  let file = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'toolwright-corpus-'));
    file = join(folder, 'generated.json');
    writeFileSync(file, JSON.stringify(generateDocument(1200)));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('is listed by the official client v1, page by page', async () => {
    const client = await open('v1', 'flat', [file]);
    const names: string[] = [];
    const sizes: number[] = [];
    let cursor: string | undefined;
    do {
      const page = await client.official.listTools(cursor === undefined ? {} : { cursor });
      names.push(...page.tools.map((tool) => tool.name));
      sizes.push(Buffer.byteLength(JSON.stringify(page)));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(sizes).toHaveLength(2);
    expect(Math.max(...sizes)).toBeLessThan(MB);
    expect(new Set(names).size).toBe(1200);
  });

  test('is listed by the official client v2', async () => {
    const client = await open('v2 auto', 'flat', [file]);
    const tools = await client.listTools();
    expect(new Set(tools.map((tool) => tool.name)).size).toBe(1200);
    expect(tools).toHaveLength(1200);
  });

  test('is loaded and listed in little time and memory', async () => {
    const { cpuMs, peakBytes } = await measureDocument(file, { onlyLoad: true });
    expect(cpuMs).toBeLessThan(PATIENT_CPU_MS);
    expect(peakBytes).toBeLessThan(PATIENT_BYTES);
  });
});
