import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ServedClient } from '../../support/served-clients.ts';
import { callAll, callOne, listTools, RUNS, start } from './side-by-side.ts';
import type { Call, Outcome, Run } from './side-by-side.ts';
import { unknownTool } from '../../support/refused.ts';

const folder = mkdtempSync(join(tmpdir(), 'memory-'));
const file = join(folder, 'memory.jsonl');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ADA = { name: 'Ada', entityType: 'person', observations: ['wrote the first program'] };
const ENGINE = { name: 'Analytical Engine', entityType: 'machine', observations: [] };
const LOVES = { from: 'Ada', to: 'Analytical Engine', relationType: 'programs' };
const KNOWS = { from: 'Ada', to: 'Babbage', relationType: 'knows' };

const CALLS: readonly Call[] = [
  ['read_graph', {}],
  ['search_nodes', { query: 'ada' }],
  ['delete_entities', { entityNames: ['Nobody'] }],
  ['create_entities', { entities: [ADA, ENGINE] }],
  [
    'create_entities',
    {
      entities: [
        { ...ADA, observations: ['other'] },
        { ...ENGINE, name: 'Loom' },
      ],
    },
  ],
  ['create_entities', { entities: [] }],
  // Both servers add a duplicate entity twice.
  [
    'create_entities',
    {
      entities: [
        { ...ENGINE, name: 'Twin' },
        { ...ENGINE, name: 'Twin' },
      ],
    },
  ],
  [
    'create_entities',
    { entities: [{ ...ENGINE, name: 'Zoë 🧮', observations: ['line\nbreak', '"quoted"'] }] },
  ],
  ['create_entities', { entities: [{ ...ENGINE, name: 'Extra', unknown: 1 }], more: true }],
  ['create_relations', { relations: [LOVES, KNOWS] }],
  ['create_relations', { relations: [LOVES, { ...LOVES, relationType: 'admires' }] }],
  [
    'add_observations',
    { observations: [{ entityName: 'Ada', contents: ['likes tea', 'wrote the first program'] }] },
  ],
  ['add_observations', { observations: [] }],
  ['add_observations', { observations: [{ entityName: 'Grace', contents: ['unknown entity'] }] }],
  // Nothing is stored: the second entity is unknown.
  [
    'add_observations',
    {
      observations: [
        { entityName: 'Ada', contents: ['not kept'] },
        { entityName: 'Grace', contents: ['x'] },
      ],
    },
  ],
  ['read_graph', {}],
  ['search_nodes', { query: 'MACHINE' }],
  ['search_nodes', { query: 'tea' }],
  ['search_nodes', { query: '' }],
  ['search_nodes', { query: 'nothing like it' }],
  ['open_nodes', { names: ['Ada', 'Grace'] }],
  ['open_nodes', { names: ['Analytical Engine'] }],
  ['open_nodes', { names: [] }],
  ['delete_observations', { deletions: [{ entityName: 'Ada', observations: ['likes tea', 'unknown'] }] }],
  ['delete_observations', { deletions: [{ entityName: 'Grace', observations: ['x'] }] }],
  [
    'delete_relations',
    {
      relations: [
        { ...LOVES, relationType: 'admires' },
        { ...KNOWS, to: 'Nobody' },
      ],
    },
  ],
  ['read_graph', {}],
  ['delete_entities', { entityNames: ['Analytical Engine', 'Twin', 'Nobody'] }],
  ['read_graph', {}],
];

interface Recorded {
  readonly tools: unknown;
  readonly outcomes: readonly Outcome[];
  readonly resources: unknown;
  readonly contents: unknown;
  readonly file: string;
}

const recorded: Recorded[] = [];

const open = (run: Run): Promise<ServedClient> => start('memory', run, { env: { MEMORY_FILE_PATH: file } });

beforeAll(async () => {
  for (const run of RUNS) {
    rmSync(file, { force: true });
    await using client = await open(run);
    recorded.push({
      tools: await listTools(client),
      outcomes: await callAll(client, CALLS),
      resources: await client.listResources(),
      contents: (await client.official.readResource({ uri: 'memory://knowledge-graph' })).contents,
      file: readFileSync(file, 'utf8'),
    });
  }
});

describe.each([
  ['v1', 1],
  ['v2 auto', 2],
] as const)('the migrated memory server, through the client %s', (_client, index) => {
  const theirs = (): Recorded => recorded[0] as Recorded;
  const ours = (): Recorded => recorded[index] as Recorded;

  test('lists the same tools', () => {
    expect(theirs().tools).toHaveLength(9);
    expect(ours().tools).toEqual(theirs().tools);
  });

  test.each(CALLS.map(([tool, args], place) => [place, tool, JSON.stringify(args)] as const))(
    'call %i: %s(%s) has the same result',
    (place) => {
      expect(ours().outcomes[place]).toEqual(theirs().outcomes[place]);
    },
  );

  test('makes of these calls the same file, and the same resource', () => {
    expect(theirs().file).toContain('"name":"Ada"');
    expect(ours().file).toBe(theirs().file);
    expect(ours().resources).toEqual(theirs().resources);
    expect(ours().contents).toEqual(theirs().contents);
  });
});

test('both answer what a call means, not merely the same', () => {
  const texts = recorded[0]?.outcomes.map((outcome) => (outcome['content'] as { text: string }[])[0]?.text);
  expect(texts?.[13]).toBe('Entity with name Grace not found');
  expect(recorded[0]?.outcomes[13]?.['isError']).toBe(true);
  expect(texts?.at(-2)).toBe('Entities deleted successfully');
});

test.each(RUNS.slice(0, 2))(
  '$server: subscribers hear of a change, and of no reading or failure',
  async (run) => {
    rmSync(file, { force: true });
    await using client = await open(run);
    await client.official.subscribeResource({ uri: 'memory://knowledge-graph' });
    const updated = client.next('notifications/resources/updated');
    await client.callTool('read_graph');
    await client.callTool('add_observations', { observations: [{ entityName: 'Grace', contents: [] }] });
    expect(client.heard).toEqual([]);
    await client.callTool('create_entities', { entities: [ADA] });
    expect((await updated).params).toEqual({ uri: 'memory://knowledge-graph' });
    expect(client.heard).toHaveLength(1);
  },
);

describe('differences, all on purpose:', () => {
  const both = async (tool: string, args: object): Promise<Outcome[]> => {
    const outcomes: Outcome[] = [];
    for (const run of RUNS.slice(0, 2)) {
      await using client = await open(run);
      outcomes.push(await callOne(client, tool, args));
    }
    return outcomes;
  };

  test('invalid arguments are explained field by field', async () => {
    expect(await both('create_entities', { entities: 'Ada' })).toEqual([
      {
        isError: true,
        content: [
          {
            type: 'text',
            text: 'MCP error -32602: Input validation error: Invalid arguments for tool create_entities: Invalid input: expected array, received string at entities',
          },
        ],
      },
      {
        isError: true,
        content: [
          {
            type: 'text',
            text: 'Invalid arguments for tool \'create_entities\'.\n- entities: Invalid input: expected array, received string (expected: array; received: "Ada" (string))',
          },
        ],
      },
    ]);
  });

  test('an unknown tool is an error of the protocol', async () => {
    expect(await both('create_entity', {})).toEqual([
      { isError: true, content: [{ type: 'text', text: 'MCP error -32602: Tool create_entity not found' }] },
      { code: -32602, message: `MCP error -32602: ${unknownTool('create_entity').message}` },
    ]);
  });

  test('calls that arrive together do not undo each other', async () => {
    rmSync(file, { force: true });
    await using client = await open({ server: 'ours', client: 'v1' });
    const names = Array.from({ length: 20 }, (_, index) => `entity ${index}`);
    await Promise.all(
      names.map((name) => client.callTool('create_entities', { entities: [{ ...ENGINE, name }] })),
    );
    const { structuredContent } = await client.callTool('read_graph');
    const { entities } = structuredContent as { entities: { name: string }[] };
    expect(entities.map(({ name }) => name)).toEqual(names);
  });
});
