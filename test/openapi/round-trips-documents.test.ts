import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { McpTool } from '../../src/index.ts';
import { ConnectedApi } from './support/connected-api.ts';
import { toBodyArguments } from './support/body-arguments.ts';
import { alternativesOf } from './support/alternative-arguments.ts';
import { generateArguments } from './support/generate-arguments.ts';
import { judgeRequest } from './support/judge-request.ts';
import { operationsOf, readDocument } from './support/read-document.ts';
import type { ServerOperation } from './support/read-document.ts';

/** Another folder can be set, for documents outside of the repository. */
const FOLDER = process.env['TOOLWRIGHT_DOCUMENTS'] ?? join(import.meta.dirname, '../fixtures/openapi');
const BASE = '/base/v1';

const FILES = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(?:json|ya?ml)$/.test(name))
  .toSorted();

/** The same operations, parsed by independent code. */
function describeDocument(file: string, operations: readonly ServerOperation[]): void {
  describe(file, () => {
    let connected: ConnectedApi;
    let tools: ReadonlyMap<string, McpTool>;
    beforeAll(async () => {
      connected = await ConnectedApi.open((origin) => ({
        document: join(FOLDER, file),
        openapi: { baseUrl: origin + BASE },
      }));
      tools = new Map((await connected.client.listTools()).map((tool) => [tool.name, tool]));
    });
    afterAll(() => connected.close());

    test('has no operation but those that are reported', () => {
      const keys = connected.server.reports[0]?.operations.map(({ key }) => key);
      expect(keys?.toSorted()).toEqual(operations.map(({ key }) => key).toSorted());
    });

    test.for([
      ['generated values', false],
      ['its own examples', true],
    ] as const)('%s arrive where they belong', async ([, usesExamples]) => {
      const problems: string[] = [];
      for (const operation of operations)
        problems.push(
          ...(await callAndJudge(operation, usesExamples)).map((each) => `${operation.key}: ${each}`),
        );
      expect(problems).toEqual([]);
    });

    test('the examples of its bodies arrive as they are', async () => {
      const problems: string[] = [];
      for (const operation of operations) {
        if (operation.body?.example === undefined) continue;
        const problem = await sendExample(operation, operation.body.example);
        if (problem !== undefined) problems.push(`${operation.key}: ${problem}`);
      }
      expect(problems).toEqual([]);
    });

    async function sendExample(
      { key, parameters }: ServerOperation,
      example: unknown,
    ): Promise<string | undefined> {
      const name = connected.nameOf(key);
      const inputSchema = tools.get(name)?.inputSchema ?? {};
      const places = new Set(parameters.map((each) => each.name));
      const others = generateArguments(inputSchema, { usesExamples: true }) ?? {};
      const args = {
        ...Object.fromEntries(Object.entries(others).filter(([name]) => places.has(name))),
        ...toBodyArguments(example, inputSchema, { taken: places }),
      };
      const { result, requests } = await connected.call(name, args);
      const [request] = requests;
      if (request === undefined) return JSON.stringify(result.content);
      const arrived: unknown = JSON.parse(request.body.toString());
      return isDeepStrictEqual(arrived, example) ? undefined : `${JSON.stringify(arrived)} arrived`;
    }

    async function callAndJudge(
      operation: ServerOperation,
      usesExamples: boolean,
    ): Promise<readonly string[]> {
      const name = connected.nameOf(operation.key);
      const inputSchema = tools.get(name)?.inputSchema ?? {};
      const args =
        generateArguments(inputSchema, { usesExamples }) ??
        generateArguments(inputSchema, { usesExamples: false });
      if (args === undefined) return ['no arguments were found'];
      return callWith(name, args, operation);
    }

    async function callWith(
      name: string,
      args: Readonly<Record<string, unknown>>,
      operation: ServerOperation,
    ): Promise<readonly string[]> {
      const { result, requests } = await connected.call(name, args);
      const [request] = requests;
      const [block] = result.content;
      const said = block?.type === 'text' ? block.text : '';
      const alternatives = result.isError === true ? alternativesOf(said, args) : [];
      if (alternatives.length > 0) {
        const problems: string[] = [];
        for (const each of alternatives) problems.push(...(await callWith(name, each, operation)));
        return problems;
      }
      if (result.isError === true || request === undefined || requests.length > 1)
        return [`${requests.length} requests: ${said}`];
      return judgeRequest(request, { operation, base: BASE, args });
    }
  });
}

for (const file of FILES) {
  const operations = operationsOf(readDocument(join(FOLDER, file)));
  if (operations.length > 0) describeDocument(file, operations);
}
