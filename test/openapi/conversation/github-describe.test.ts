import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FakeGitHub } from './github/fake-github.ts';
import { openGitHub } from './github/open-github.ts';
import { Assistant, createAjv } from './support/assistant.ts';

const SEVEN = { owner: 'acme', repo: 'shop', pull_number: 7 };

interface WithOutput {
  readonly outputSchema: object;
}

describe('a conversation about schemas that are too long for one description', () => {
  let github: FakeGitHub;
  let assistant: Assistant;
  let names: string[];
  beforeAll(async () => {
    github = await FakeGitHub.start();
    const server = await openGitHub(github, { outputSchemas: true });
    names = server.reports.flatMap(({ operations }) => operations.flatMap(({ name = [] }) => name));
    assistant = await Assistant.connect('v2 auto', server);
  });
  afterAll(async () => {
    await assistant.close();
    github.close();
  });

  test('no description of a tool costs more than 4,000 tokens', async () => {
    expect(names).toHaveLength(37);
    const lengths: number[] = [];
    for (const name of names) lengths.push(JSON.stringify(await assistant.describe(name)).length);
    // A token of JSON has three to four characters.
    expect(Math.max(...lengths)).toBeLessThan(16_000);
    expect(lengths.filter((length) => length > 8000).length).toBeGreaterThan(5);
  });

  test('the schema of a result is cut; the result is valid by it, and by the parts that are left out', async () => {
    const tool = await assistant.find('get a pull request', 'pulls_get');
    const { outputSchema } = tool as typeof tool & WithOutput;
    const { structuredContent } = await assistant.call('pulls_get', SEVEN);
    expect(structuredContent).toMatchObject({ number: 7, title: 'Fold accents in search' });
    expect(createAjv().validate(outputSchema, structuredContent)).toBe(true);
    const paths = [...JSON.stringify(outputSchema).matchAll(/"x-path":"([^"]+)"/g)].map(
      ([, path = '']) => path,
    );
    expect(paths.length).toBeGreaterThan(0);
    for (const path of paths.slice(0, 3)) {
      const part = await assistant.describePart('pulls_get', path);
      expect(Object.keys(part).length).toBeGreaterThan(0);
    }
  });
});
