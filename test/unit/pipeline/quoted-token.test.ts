import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createServer, ToolError, ToolRegistry } from '../../../src/index.ts';
import { ErrorHandler } from '../../../src/collaborators.ts';
import { recordLog } from '../../support/log-recorder.ts';

const TOKEN = 'opaque"0123456789';

function throwValue(value: unknown): never {
  throw value;
}

describe('an error that quotes the access token of its call', () => {
  const thrown: [string, (token: string) => unknown][] = [
    ['message', (token) => new Error(`upstream: ${token} is unknown`)],
    ['cause', (token) => new Error('x', { cause: new Error(`tok ${token}`) })],
    ['name', (token) => Object.assign(new Error('x'), { name: `E_${token}` })],
    ['text', (token) => `tok ${token}`],
    ['member of an object', (token) => ({ config: { header: token } })],
    ['issue', (token) => ({ issues: [{ message: `not good: ${token}`, path: ['later'] }] })],
    ['message for the caller', (token) => new ToolError(`not good: ${token}`)],
    ['cause of an error for the caller', (token) => new ToolError('x', { cause: new Error(token) })],
  ];

  test.each(thrown)('shows it in no answer and no log: %s', async (_where, make) => {
    const { logger, entries } = recordLog();
    const seen: unknown[] = [];
    const own = new ErrorHandler({ logger });
    const errorHandler = {
      createErrorResult: own.createErrorResult.bind(own),
      createValidationError: own.createValidationError.bind(own),
      handleError: (...given: Parameters<ErrorHandler['handleError']>) => {
        const error = given[0] as Error;
        seen.push(error.name, error.message, error.stack, (error.cause as Error | undefined)?.message, error);
        return own.handleError(...given);
      },
    };
    const registry = new ToolRegistry({ logger, errorHandler }).register({
      name: 't',
      description: 'T',
      inputSchema: z.object({ later: z.boolean() }),
      handler: ({ input, context }) => {
        const error = make(String(context.accessToken));
        return input.later ? Promise.reject(error) : throwValue(error);
      },
    });
    for (const later of [false, true]) {
      const result = await registry.executeTool({
        name: 't',
        arguments: { later },
        principal: { id: 'ada' },
        accessToken: TOKEN,
      });
      expect(result.isError).toBe(true);
      expect(JSON.stringify([result, entries, seen])).not.toContain('0123456789');
    }
  });

  test('neither does one of a resource', async () => {
    const { logger, entries } = recordLog();
    await using server = createServer({
      name: 'a',
      version: '1.0.0',
      logger,
      resources: [
        {
          uri: 'r://a',
          name: 'r',
          contentProvider: ({ context }) => throwValue(new Error(`tok ${String(context.accessToken)}`)),
        },
      ],
    });
    await server.resources?.readResource({ uri: 'r://a', accessToken: TOKEN, principal: { id: 'ada' } });
    expect(entries.filter(({ level }) => level === 'error')).toHaveLength(1);
    expect(JSON.stringify(entries)).not.toContain('0123456789');
  });

  test('an error that does not quote it stays the one that was thrown', async () => {
    const failure = new TypeError('x');
    const seen: unknown[] = [];
    const { logger } = recordLog();
    const own = new ErrorHandler({ logger });
    const registry = new ToolRegistry({
      logger,
      errorHandler: {
        createErrorResult: own.createErrorResult.bind(own),
        createValidationError: own.createValidationError.bind(own),
        handleError: (error, context) => {
          seen.push(error);
          return own.handleError(error, context);
        },
      },
    }).register({
      name: 't',
      description: 'T',
      inputSchema: z.object({}),
      handler: () => throwValue(failure),
    });
    await registry.executeTool({ name: 't', accessToken: TOKEN });
    expect(seen).toEqual([failure]);
    expect(seen[0]).toBe(failure);
  });
});
