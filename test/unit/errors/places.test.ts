import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { loadConfig } from '../../../src/config.ts';
import { forwardedFor } from '../../../src/http.ts';
import {
  createServer,
  createTool,
  defineTool,
  PromptsManager,
  ResourcesManager,
  SchemaError,
  ToolRegistry,
  toolsFrom,
} from '../../../src/index.ts';
import { fromOpenAPI } from '../../../src/openapi.ts';
import { directorySkills, dynamicSkill } from '../../../src/skills.ts';
import { connectTestClient } from '../../../src/testing.ts';
import { about, ToolError, withPlace } from '../../../src/errors/errors.ts';

const folder = mkdtempSync(join(tmpdir(), 'toolwright-places-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const handler = (): string => 'done';
const UNSERVABLE = z.object({ a: z.map(z.string(), z.string()) });
const tool = defineTool({ name: 't', description: 'T', inputSchema: z.object({}), handler });

/** A schema that cannot be served, in every position of a schema. */
test.each<[string, () => unknown, string]>([
  ['a tool', () => new ToolRegistry().register({ ...tool, inputSchema: UNSERVABLE } as never), 'inputSchema'],
  [
    'the output of a tool',
    () => new ToolRegistry().register({ ...tool, outputSchema: UNSERVABLE } as never),
    'outputSchema',
  ],
  [
    'an action',
    () => new ToolRegistry().register(createTool('g').action({ name: 'a', schema: UNSERVABLE, handler })),
    'schema',
  ],
  [
    'the output of an action',
    () =>
      new ToolRegistry().register(
        createTool('g').action({ name: 'a', outputSchema: UNSERVABLE, handler: handler as never }),
      ),
    'outputSchema',
  ],
  [
    'common fields',
    () =>
      new ToolRegistry().register(createTool('g').commonSchema(UNSERVABLE).action({ name: 'a', handler })),
    'commonSchema',
  ],
  [
    'a prompt',
    () => new PromptsManager().addPrompt({ name: 'p', inputSchema: UNSERVABLE, handler }),
    'inputSchema',
  ],
  [
    'headers of arguments',
    () =>
      new ToolRegistry().register({
        ...tool,
        inputSchema: { type: 'object', properties: { a: { type: 'string', 'x-mcp-header': 'a b' } } },
      } as never),
    'inputSchema',
  ],
])('the schema of %s', (_title, define, option) => {
  expect(define).toThrow(expect.objectContaining({ code: 'UNSUPPORTED_SCHEMA', option }) as Error);
  expect(define).toThrow(SchemaError);
});

const builder = (): ReturnType<typeof createTool> => createTool('b');
const action = { name: 'a', handler };
const inner = new ToolRegistry({ name: 'inner' });
const outer = new ToolRegistry({ name: 'outer' });
outer.mount('x', inner);

test.each<[string, () => unknown, object]>([
  [
    'a builder that was built',
    () => {
      const built = builder().action(action);
      built.buildToolDefinition();
      built.action({ ...action, name: 'b' });
    },
    { reason: 'already-built', option: 'buildToolDefinition' },
  ],
  [
    'an action beside groups',
    () =>
      builder()
        .group('g', (group) => group.action(action))
        .action(action),
    { option: 'action', expected: 'group' },
  ],
  [
    'a group beside actions',
    () =>
      builder()
        .action(action)
        .group('g', (group) => group.action(action)),
    { option: 'group', expected: 'action' },
  ],
  ['a group without a function', () => builder().group('g', 'G' as never), { option: 'group', path: ['g'] }],
  ['a group without actions', () => builder().group('g', () => {}), { option: 'group', path: ['g'] }],
  [
    'a group that is finished',
    () => {
      let kept: { action: (definition: never) => unknown } | undefined;
      builder().group('g', (group) => void (kept = group.action(action)));
      kept?.action({ ...action, name: 'b' } as never);
    },
    { reason: 'already-built', option: 'group', path: ['g'] },
  ],
  ['a builder without actions', () => builder().buildToolDefinition(), { option: 'actions' }],
  [
    'an example that does not fit',
    () =>
      new ToolRegistry().register(
        builder().action({
          ...action,
          schema: z.object({ n: z.number() }),
          examples: [{ n: 1 }, { n: 'x' }],
        }),
      ),
    { option: 'examples', path: [1] },
  ],
  [
    'builders that say the action differently',
    () =>
      new ToolRegistry().register(builder().action(action)).register(
        builder()
          .discriminator('what')
          .action({ ...action, name: 'b' }),
        { merge: true },
      ),
    { option: 'discriminator', expected: 'action', received: 'what' },
  ],
  ['a registry in itself', () => inner.mount('y', outer), { option: 'mount', received: 'outer' }],
  ['a registry that is mounted', () => outer.mount('x', inner), { option: 'mount', received: 'inner' }],
  ['no registry', () => outer.mount('y', {} as never), { option: 'mount' }],
  ['no prompts', () => new PromptsManager().mount('y', {} as never), { option: 'mount' }],
  ['no resources', () => new ResourcesManager().mount('y', {} as never), { option: 'mount' }],
  [
    'no list of tools',
    () => outer.registerAll(tool as never),
    { option: 'registerAll', expected: 'an array of definitions' },
  ],
  [
    'a text that is too long',
    () =>
      new ResourcesManager({
        maxResultBytes: 1024,
        resources: [{ uri: 'a://b', name: 'b', text: 'x'.repeat(2000) }],
      }),
    { option: 'text' },
  ],
  [
    'a blob that is none',
    () => new ResourcesManager({ resources: [{ uri: 'a://b', name: 'b', blob: '?' }] }),
    { option: 'blob' },
  ],
  ['nothing decorated', () => toolsFrom({}), { option: 'toolsFrom' }],
  [
    'a surface',
    () =>
      createServer({ name: 's', version: '1', tools: outer.surface({ exposure: 'flat' }) }).registerTool(
        tool,
      ),
    { option: 'registerTool' },
  ],
  [
    'a tool in one piece too few',
    () =>
      (createServer({ name: 's', version: '1' }).registerTool as (...given: unknown[]) => unknown).call(
        undefined,
        1,
        2,
      ),
    { option: 'registerTool' },
  ],
  ['proxies', () => forwardedFor(['10.0.0.0/8', 'ten']), { option: 'proxies', path: [1], received: 'ten' }],
  ['a folder without skills', () => directorySkills(folder), { option: 'root' }],
  [
    'a skill without content',
    () => dynamicSkill({ path: 'a', frontmatter: { description: 'A' } } as never),
    { option: 'content' },
  ],
])('%s', (_title, run, data) => {
  expect(run).toThrow(expect.objectContaining({ code: 'INVALID_DEFINITION', ...data }) as Error);
});

describe('later', () => {
  const API = {
    openapi: '3.1.0',
    info: { title: 'a', version: '1' },
    servers: [{ url: 'https://a.example' }],
    paths: { '/a': { get: { responses: {} } } },
  };
  const fail = (): never => {
    throw new Error('no');
  };

  test.each<[string, () => Promise<unknown>, object]>([
    ['a filter that throws', () => fromOpenAPI(API, { filter: fail }), { option: 'filter' }],
    [
      'a route map that throws',
      () => fromOpenAPI(API, { routeMaps: [{ match: fail, kind: 'none' }] }),
      { option: 'routeMaps', path: [0, 'match'] },
    ],
    [
      'a document that is none',
      () => fromOpenAPI('{"a":1}'),
      { reason: 'unreadable-document', option: 'document', received: 'The document' },
    ],
    [
      'an overlay that is not there',
      () => fromOpenAPI(API, { overlays: ['/nowhere/overlay.yaml'] }),
      { reason: 'unreadable-document', option: 'overlays', path: [0], received: '/nowhere/overlay.yaml' },
    ],
    [
      'a configuration that is not there',
      () => loadConfig('/nowhere/c.yaml'),
      { option: 'file', received: '/nowhere/c.yaml' },
    ],
    [
      'a part that a server does not have',
      () => connectTestClient(new ToolRegistry()).getPrompt('p'),
      { option: 'prompts' },
    ],
  ])('%s', async (_title, run, data) => {
    await expect(run()).rejects.toThrow(
      expect.objectContaining({ code: 'INVALID_DEFINITION', ...data }) as Error,
    );
  });

  test('the front matter of a skill names its file', () => {
    mkdirSync(join(folder, 'bad'));
    writeFileSync(join(folder, 'bad', 'SKILL.md'), 'No front matter');
    expect(() => directorySkills(folder)).toThrow(
      expect.objectContaining({ option: 'root', received: join(folder, 'bad', 'SKILL.md') }) as Error,
    );
  });
});

describe('a place', () => {
  const place = { option: 'outer', path: [1] };

  test('is given to a mistake that has none, and kept by one that has', () => {
    const bare = new SchemaError('Bare.');
    expect(withPlace(bare, place)).toBe(bare);
    expect(bare).toMatchObject({ reason: 'invalid-option', ...place });
    expect(bare.findings).toEqual([{ reason: 'invalid-option', ...place, message: 'Bare.' }]);
    const placed = new SchemaError('Placed.', { option: 'inner' });
    expect(() =>
      about(place, () => {
        throw placed;
      }),
    ).toThrow(placed);
    expect(placed).not.toHaveProperty('path');
    expect(placed.findings).toEqual([{ reason: 'invalid-option', option: 'inner', message: 'Placed.' }]);
  });

  test('is nothing for errors that callers read, or that are not ours', () => {
    for (const error of [new ToolError('Told.'), new TypeError('Ours?'), 'a string'])
      expect(withPlace(error, place)).toBe(error);
    expect(new ToolError('Told.')).not.toHaveProperty('option');
    const told = withPlace(new ToolError('Told.'), place);
    expect(told).not.toHaveProperty('option');
  });
});
