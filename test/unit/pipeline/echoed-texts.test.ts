import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { PromptsManager, silentLogger, ToolRegistry, ValidationError } from '../../../src/index.ts';

const LONG = 'k'.repeat(3_000_000);
const SHOWN = `${'k'.repeat(60)}…`;

interface Details {
  readonly code: string;
  readonly issues?: readonly { readonly path: readonly unknown[] }[];
}

const detailsOf = (result: { readonly _meta?: Readonly<Record<string, unknown>> }): Details =>
  result._meta?.['toolwright/error'] as Details;

describe('a key of the caller is cut where it is repeated', () => {
  test.each<[string, object]>([
    ['that a schema does not know', { inputSchema: z.strictObject({}) }],
    ['that is refused', { inputSchema: z.object({}), unknownArguments: 'reject' }],
    ['above a value that does not fit', { inputSchema: z.record(z.string(), z.string()) }],
    [
      'above one that does not fit a JSON Schema',
      { inputSchema: { type: 'object', additionalProperties: { type: 'string' } } },
    ],
  ])('%s', async (_, parts) => {
    const registry = new ToolRegistry().register({
      name: 't',
      description: 'T',
      handler: () => 'x',
      ...(parts as { inputSchema: z.ZodObject }),
    });
    const result = await registry.executeTool({ name: 't', arguments: { [LONG]: 1 } });
    expect(detailsOf(result).issues?.map(({ path }) => path)).toEqual([[SHOWN]]);
    expect(JSON.stringify(result).length).toBeLessThan(3000);
  });

  test('of a prompt', async () => {
    const prompts = new PromptsManager();
    prompts.addPrompt({ name: 'p', arguments: [{ name: 'a' }], template: '{{a}}' });
    const reply = await prompts.getPrompt({ name: 'p', arguments: { [LONG]: 1 } });
    expect(reply).toMatchObject({ data: { issues: [{ path: [SHOWN], message: 'must be a string' }] } });
    expect(JSON.stringify(reply).length).toBeLessThan(1000);
  });

  test('of an author it is not: programs look for it', async () => {
    const long = 'a_key_that_its_author_has_chosen_and_that_has_more_than_sixty_characters';
    const registry = new ToolRegistry().register({
      name: 't',
      description: 'T',
      inputSchema: z.object({ [long]: z.string() }),
      handler: () => 'x',
    });
    const result = await registry.executeTool({ name: 't', arguments: { [long]: 1 } });
    expect(detailsOf(result).issues?.map(({ path }) => path)).toEqual([[long]]);
  });
});

describe('an error is no larger than a result may be', () => {
  const issues = Array.from({ length: 50 }, (_, index) => ({ path: [index], message: 'é'.repeat(1000) }));
  const failing = (invalidArguments?: 'protocol-error'): ToolRegistry =>
    new ToolRegistry({
      maxResultBytes: 20_000,
      logger: silentLogger,
      ...(invalidArguments === undefined ? {} : { invalidArguments }),
      withSecurityWrapper: () => async () => ({ kind: 'invalid-input', issues }),
    }).register({ name: 't', description: 'T', inputSchema: z.object({}), handler: () => 'x' });

  test('it keeps its code and the beginning of its text', async () => {
    const result = await failing().executeTool({ name: 't' });
    expect(detailsOf(result)).toEqual({ code: 'INVALID_ARGUMENTS' });
    expect(result.content[0]).toMatchObject({
      text: expect.stringMatching(/^Invalid arguments for tool 't'\.\n- \[0\]: é{900,}/) as string,
    });
    expect(new TextEncoder().encode(JSON.stringify(result)).length).toBeLessThan(20_000);
  });

  test('as an error of the protocol, too', async () => {
    const reply = await failing('protocol-error').handleCall({ name: 't' });
    expect(reply).toMatchObject({
      kind: 'protocol-error',
      reason: 'INVALID_ARGUMENTS',
      data: { issues: [] },
    });
    expect(new TextEncoder().encode(JSON.stringify(reply)).length).toBeLessThan(20_000);
  });

  test('however little a result may have, there is room for an error', async () => {
    const registry = new ToolRegistry({ maxResultBytes: 1, logger: silentLogger }).register({
      name: 't',
      description: 'T',
      inputSchema: z.object({}),
      handler: () => {
        throw new ValidationError([{ path: ['a'], message: 'must be small' }]);
      },
    });
    const result = await registry.executeTool({ name: 't' });
    expect(detailsOf(result)).toEqual({
      code: 'INVALID_ARGUMENTS',
      issues: [{ path: ['a'], message: 'must be small' }],
    });
  });
});
