import { expect, test } from 'vitest';
import * as z from 'zod';
import { createTool, defineMiddleware } from '../../../../../src/index.ts';
import {
  AnnotationAggregator,
  DEFAULT_STRATEGIES,
  DescriptionGenerator,
  getGroupSummaries,
  MiddlewareCompiler,
  SchemaGenerator,
  SchemaUtils,
  ToonDescriptionGenerator,
} from '../../../../../src/strategies.ts';
import type { ActionRow, InternalAction } from '../../../../../src/strategies.ts';

/** Written by hand, without a builder. */
const list: InternalAction = {
  key: 'users.list',
  actionName: 'list',
  groupName: 'users',
  readOnly: true,
  inputSchema: { type: 'object', properties: { tenant: { type: 'string' } }, required: ['tenant'] },
  commonFields: ['tenant'],
  examples: [],
};
const ban: InternalAction = {
  key: 'users.ban',
  actionName: 'ban',
  groupName: 'users',
  description: 'Locks a user out',
  destructive: true,
  inputSchema: {
    type: 'object',
    properties: { tenant: { type: 'string' }, id: { type: 'string' } },
    required: ['tenant', 'id'],
  },
  commonFields: ['tenant'],
  examples: [],
};
const actions = [list, ban];
const source = { actions, toolName: 'platform', hasGroup: true, discriminator: 'action' };

function built(toonDescription: boolean): ReturnType<ReturnType<typeof createTool>['buildToolDefinition']> {
  const builder = createTool('platform')
    .commonSchema(z.object({ tenant: z.string() }))
    .group('users', (group) =>
      group.action({ name: 'list', readOnly: true, handler: () => [] }).action({
        name: 'ban',
        description: 'Locks a user out',
        destructive: true,
        schema: z.object({ id: z.string() }),
        handler: () => 'gone',
      }),
    );
  return (toonDescription ? builder.toonDescription() : builder).buildToolDefinition();
}

test('a tool is advertised with exactly what the strategies generate', () => {
  const { description, inputSchema, annotations } = built(false);
  expect(DescriptionGenerator.generateDescription(source)).toBe(description);
  expect(ToonDescriptionGenerator.generateToonDescription(source)).toBe(built(true).description);
  expect(SchemaGenerator.generateInputSchema(source)).toEqual(inputSchema);
  expect(SchemaGenerator.generateOutputSchema(actions)).toBeUndefined();
  expect(AnnotationAggregator.aggregateAnnotations(actions)).toEqual(annotations);
});

test('the parts of a description', () => {
  expect(getGroupSummaries(actions)).toEqual(['users (list,ban)']);
  const rows: readonly ActionRow[] = [
    { action: 'list', desc: '', required: 'tenant', destructive: false },
    { action: 'ban', desc: 'Locks a user out', required: 'tenant,id', destructive: true },
  ];
  expect(ToonDescriptionGenerator.toActionTable(source)).toEqual({ users: rows });
  expect(ToonDescriptionGenerator.toActionTable({ ...source, hasGroup: false })).toEqual(rows);
  expect(SchemaUtils.getRequiredFields(ban)).toEqual(['tenant', 'id']);
  expect([...SchemaUtils.getFields(list)]).toEqual([
    ['tenant', { variants: [{ type: 'string' }], required: true }],
  ]);
});

test('the middleware of an action becomes one function, global middleware outermost', async () => {
  const log: string[] = [];
  const noted = (name: string): ReturnType<typeof defineMiddleware> =>
    defineMiddleware(({ next }) => {
      log.push(name);
      return next();
    });
  const chains = MiddlewareCompiler.compileMiddleware({
    actions: [
      {
        key: 'ban',
        handler: () => log.push('handler'),
        middleware: [noted('group'), noted('action')],
        subject: { name: 'platform.ban', tool: 'platform', tags: [], scopes: [] } as never,
      },
    ],
    global: [noted('global')],
  });
  expect([...chains.keys()]).toEqual(['ban']);
  await chains.get('ban')?.({ input: {}, context: {} } as never);
  expect(log).toEqual(['global', 'group', 'action', 'handler']);
});

test('the strategies of a builder are these, and cannot be replaced for all builders', () => {
  expect(DEFAULT_STRATEGIES.schemaGenerator).toBe(SchemaGenerator);
  expect(DEFAULT_STRATEGIES.schemaUtils).toBe(SchemaUtils);
  expect(DEFAULT_STRATEGIES.descriptionGenerator).toBe(DescriptionGenerator.generateDescription);
  expect(() => Object.assign(SchemaGenerator, { generateInputSchema: () => ({}) })).toThrow(TypeError);
  expect(() => Object.assign(DEFAULT_STRATEGIES, { descriptionGenerator: () => '' })).toThrow(TypeError);
});
