import { join, relative } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { BASE_URL, examine, findFiles, hasAddress, readDocument } from '../../scripts/corpus/index.mjs';
import type { Examined } from '../../scripts/corpus/index.mjs';
import { connectInMemory, estimateTokens } from '../../src/index.ts';
import { OpenAPIServer } from '../../src/openapi.ts';
import { serveStdio } from '../../src/stdio.ts';

const FIXTURES = join(import.meta.dirname, '../fixtures/openapi');
const LIBRARY = { OpenAPIServer, serveStdio, connectInMemory, estimateTokens };

/** Facts about each document, and the result of its import. */
const EXPECTED: Readonly<
  Record<
    string,
    { version: string; operations: number; tools: number; refused: number; isAddressGiven?: boolean }
  >
> = {
  'edge/callbacks-3.0.json': { version: '3.0', operations: 1, tools: 1, refused: 0, isAddressGiven: true },
  'edge/circular-3.0.json': { version: '3.0', operations: 1, tools: 1, refused: 0 },
  'edge/circular-paths-3.0.json': { version: '3.0', operations: 3, tools: 3, refused: 0 },
  'edge/complex-nesting-3.0.json': { version: '3.0', operations: 5, tools: 5, refused: 0 },
  'edge/discriminators-3.0.json': { version: '3.0', operations: 10, tools: 10, refused: 0 },
  'edge/file-uploads-3.0.json': { version: '3.0', operations: 3, tools: 3, refused: 0 },
  'edge/form-data-3.0.json': { version: '3.0', operations: 1, tools: 1, refused: 0 },
  'edge/parameters-cookies-3.0.json': { version: '3.0', operations: 1, tools: 1, refused: 0 },
  'edge/schema-circular-2.0.json': { version: '2.0', operations: 1, tools: 1, refused: 0 },
  'edge/security-3.0.json': { version: '3.0', operations: 15, tools: 15, refused: 0 },
  'edge/server-path-level-3.0.json': { version: '3.0', operations: 7, tools: 5, refused: 2 },
  'edge/webhooks-3.1.json': { version: '3.1', operations: 0, tools: 0, refused: 0, isAddressGiven: true },
  'galaxy-3.1.json': { version: '3.1', operations: 10, tools: 10, refused: 0 },
  'museum-3.1.yaml': { version: '3.1', operations: 8, tools: 8, refused: 0 },
  'notion-3.1.json': { version: '3.1', operations: 24, tools: 24, refused: 0 },
  'petstore-2.0.json': { version: '2.0', operations: 20, tools: 20, refused: 0 },
  'petstore-3.0.yaml': { version: '3.0', operations: 19, tools: 19, refused: 0 },
  'petstore-3.1.json': { version: '3.1', operations: 20, tools: 20, refused: 0 },
  'ynab-3.1.yaml': { version: '3.1', operations: 44, tools: 44, refused: 0 },
};

const examined = new Map<string, Examined & { readonly isAddressGiven: boolean }>();

beforeAll(async () => {
  for (const file of findFiles([FIXTURES])) {
    const { root = {} } = readDocument(file);
    const baseUrl = hasAddress(root) ? undefined : BASE_URL;
    const found = await examine(LIBRARY, { file, root, baseUrl });
    examined.set(relative(FIXTURES, file), { ...found, isAddressGiven: baseUrl !== undefined });
  }
}, 120_000);

function find(name: string): Examined & { readonly isAddressGiven: boolean } {
  const found = examined.get(name);
  if (found === undefined) throw new Error(`${name} was not examined`);
  return found;
}

test('these are all documents of the corpus', () => {
  expect([...examined.keys()]).toEqual(Object.keys(EXPECTED));
});

describe.each(Object.keys(EXPECTED))('%s', (name) => {
  test('every operation becomes a tool, or has a reason', () => {
    const { version, operations, tools, refused, isAddressGiven } = find(name);
    expect({ version, operations, tools, refused: refused.length, isAddressGiven }).toEqual({
      isAddressGiven: false,
      ...EXPECTED[name],
    });
  });

  test('nothing is invalid in any exposure', () => {
    const { invalid, lists } = find(name);
    expect(invalid).toEqual([]);
    expect(Object.keys(lists)).toEqual(['flat', 'grouped', 'search']);
  });

  test('nothing of its arguments is lost', () => {
    expect(find(name).fidelity.lost).toEqual([]);
  });

  test('the first list costs less than 3,000 tokens where tools are searched for', () => {
    expect(find(name).lists.search?.tokens).toBeLessThan(3000);
    expect(find(name).lists.search?.tools).toBe(3);
  });
});

test('rejected operations, and the reasons', () => {
  const reasonOf = (server: string): string =>
    `The document's server "${server}" is relative, and it was not loaded from a URL. Set baseUrl to the URL of the API.`;
  expect([...examined.values()].flatMap(({ refused }) => refused)).toEqual([
    { key: 'GET /relative-path-server', reason: reasonOf('/v2') },
    { key: 'GET /relative-operation-server', reason: reasonOf('/v3') },
  ]);
});

test('so much was compared', () => {
  const totals: Record<string, number> = {};
  const exceptions: Record<string, number> = {};
  for (const { fidelity } of examined.values()) {
    for (const [measure, { total }] of Object.entries(fidelity.counts))
      totals[measure] = (totals[measure] ?? 0) + total;
    for (const [reason, times] of Object.entries(fidelity.exceptions))
      exceptions[reason] = (exceptions[reason] ?? 0) + times;
  }
  expect(totals).toEqual({
    parameters: 215,
    'body properties': 349,
    'nested properties': 438,
    'operation texts': 326,
    descriptions: 468,
    enums: 56,
    formats: 231,
    defaults: 43,
    bounds: 54,
  });
  expect(exceptions).toEqual({
    'a body of application/octet-stream is a file': 2,
    'a body of image/png is a file': 1,
    'a property of a form that is a file': 4,
    'a property that is read-only': 23,
  });
});
