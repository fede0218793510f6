import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { ErrorHandler } from '../../../src/errors/error-handler.ts';
import {
  DefaultArgumentResolutionError,
  SchemaError,
  ToolError,
  ValidationError,
} from '../../../src/errors/errors.ts';
import { createLogger, silentLogger } from '../../../src/errors/logger.ts';
import { createServer, ToolRegistry } from '../../../src/index.ts';
import { recordLog } from '../../support/log-recorder.ts';
import type { LogEntry } from '../../support/log-recorder.ts';
import { refused } from '../../support/refused.ts';

const CONTEXT = { tool: 'add', operation: 'math.add' };

function createHandler(): { handler: ErrorHandler; entries: LogEntry[] } {
  const { logger, entries } = recordLog();
  return { handler: new ErrorHandler({ logger, createReference: () => 'ref-1' }), entries };
}

/** The result of every unexpected failure. */
const UNEXPECTED = {
  content: [
    {
      type: 'text',
      text: "Tool 'add' failed unexpectedly. The details are in the server's log under the reference ref-1.",
    },
  ],
  isError: true,
  _meta: { 'toolwright/error': { code: 'TOOL_FAILED', reference: 'ref-1' } },
};

describe('results', () => {
  test('invalid input is reported issue by issue, followed by suggestions', () => {
    const { handler } = createHandler();
    const issue = { path: ['a'], message: 'is required', expected: 'number', received: 'nothing' };
    expect(handler.createValidationError('Invalid arguments.', [issue], ['Read the schema.'])).toEqual({
      content: [
        {
          type: 'text',
          text: 'Invalid arguments.\n- a: is required (expected: number; received: nothing)\nSuggestion: Read the schema.',
        },
      ],
      isError: true,
      _meta: {
        'toolwright/error': { code: 'INVALID_ARGUMENTS', issues: [issue], suggestions: ['Read the schema.'] },
      },
    });
  });

  test('empty lists are left out', () => {
    expect(createHandler().handler.createValidationError('Invalid.')).toEqual({
      content: [{ type: 'text', text: 'Invalid.' }],
      isError: true,
      _meta: { 'toolwright/error': { code: 'INVALID_ARGUMENTS' } },
    });
  });

  test('details for programs stay out of the text', () => {
    const result = createHandler().handler.createErrorResult({
      code: 'RATE_LIMITED',
      message: 'Too many calls.',
      retryAfterMs: 500,
    });
    expect(result.content).toEqual([{ type: 'text', text: 'Too many calls.' }]);
    expect(result._meta).toEqual({ 'toolwright/error': { code: 'RATE_LIMITED', retryAfterMs: 500 } });
  });
});

describe('errors written for the caller', () => {
  test('a ToolError reaches the client with its suggestions, and nothing is logged', () => {
    const { handler, entries } = createHandler();
    const error = new ToolError('No note 7.', { suggestions: ['Call list_notes.'] });
    expect(handler.handleError(error, CONTEXT)).toEqual({
      content: [{ type: 'text', text: 'No note 7.\nSuggestion: Call list_notes.' }],
      isError: true,
      _meta: { 'toolwright/error': { code: 'TOOL_ERROR', suggestions: ['Call list_notes.'] } },
    });
    expect(entries).toEqual([]);
  });

  test('a DefaultArgumentResolutionError reaches the client', () => {
    const result = createHandler().handler.handleError(
      new DefaultArgumentResolutionError('No user.'),
      CONTEXT,
    );
    expect(result.content[0]?.text).toBe('No user.');
    expect(result._meta).toEqual({ 'toolwright/error': { code: 'DEFAULTS_FAILED' } });
  });

  test('a ValidationError is reported like invalid input', () => {
    const issues = [{ path: ['a', 0], message: 'is wrong' }];
    const result = createHandler().handler.handleError(new ValidationError(issues), CONTEXT);
    expect(result.content[0]?.text).toBe("Invalid arguments for tool 'add'.\n- a[0]: is wrong");
    expect(result._meta).toEqual({ 'toolwright/error': { code: 'INVALID_ARGUMENTS', issues } });
  });

  test('credentials are taken out of what the caller reads', () => {
    const error = new ToolError('Denied for Bearer abc123.', { suggestions: ['Use token=xyz'] });
    const text = createHandler().handler.handleError(error, CONTEXT).content[0]?.text;
    expect(text).toBe('Denied for Bearer [redacted]\nSuggestion: Use token=[redacted]');
  });
});

describe('unexpected failures', () => {
  test('the client gets a reference, the log gets the details without credentials', () => {
    const { handler, entries } = createHandler();
    const cause = new Error('connect postgres://user:hunter2@db failed');
    const error = new TypeError('password=hunter2 is wrong at /srv/app/db.ts', { cause });
    expect(handler.handleError(error, CONTEXT)).toEqual(UNEXPECTED);
    expect(entries).toHaveLength(1);
    expect(entries[0]).toMatchObject({
      level: 'error',
      message: 'tool call failed',
      fields: {
        reference: 'ref-1',
        tool: 'add',
        operation: 'math.add',
        error: { name: 'TypeError', message: 'password=[redacted] is wrong at /srv/app/db.ts' },
      },
    });
    const logged = JSON.stringify(entries);
    expect(logged).toContain('Caused by: Error: connect postgres://[redacted]@db failed');
    expect(logged).not.toContain('hunter2');
  });

  test("an error of Toolwright's own keeps its code and hides its message", () => {
    const result = createHandler().handler.handleError(new SchemaError('/etc/secret'), CONTEXT);
    expect(result.content[0]?.text).toBe(UNEXPECTED.content[0]?.text);
    expect(result._meta).toEqual({ 'toolwright/error': { code: 'UNSUPPORTED_SCHEMA', reference: 'ref-1' } });
  });

  test.each([
    ['null', null, 'null'],
    ['undefined', undefined, 'undefined'],
    ['a string', 'boom', 'boom'],
    ['a number', 7, '7'],
    ['a symbol', Symbol('boom'), 'Symbol(boom)'],
    ['a function', Math.max, 'function max() { [native code] }'],
    ['an object', { status: 500, token: 'abc' }, '{"status":500,"token":[redacted]}'],
    ['an object without a prototype', Object.create(null), '{}'],
  ])('%s is answered, and named in the log', (_, thrown, message) => {
    const { handler, entries } = createHandler();
    expect(handler.handleError(thrown, CONTEXT)).toEqual(UNEXPECTED);
    expect(entries[0]?.fields).toMatchObject({ error: { message } });
  });

  const throwing = (): never => {
    throw new Error('trap');
  };
  const cyclic: Record<string, unknown> = {};
  cyclic['self'] = cyclic;
  test.each([
    ['an object with throwing conversions', { toString: throwing, toJSON: throwing }],
    ['an object that contains itself', cyclic],
    [
      'a proxy that throws at every look',
      new Proxy({}, { get: throwing, getPrototypeOf: throwing, ownKeys: throwing }),
    ],
    ['a revoked proxy', revoked()],
    ['an error whose message throws', Object.defineProperty(new Error('x'), 'message', { get: throwing })],
    ['an error whose stack throws', Object.defineProperty(new Error('x'), 'stack', { get: throwing })],
  ])('%s is answered, and the log says that it cannot be read', (_, thrown) => {
    const { handler, entries } = createHandler();
    expect(handler.handleError(thrown, CONTEXT)).toEqual(UNEXPECTED);
    expect(entries[0]?.fields).toMatchObject({
      error: { message: 'a value that cannot be read was thrown' },
    });
  });

  test.each([
    ['message', Object.defineProperty(new ToolError('x'), 'message', { get: throwing })],
    ['suggestions', Object.defineProperty(new ToolError('x'), 'suggestions', { value: undefined })],
  ])('a ToolError with a broken %s is an unexpected failure', (_, thrown) => {
    expect(createHandler().handler.handleError(thrown, CONTEXT)).toEqual(UNEXPECTED);
  });

  test('a chain of causes is followed for five levels, also when it is a circle', () => {
    const { handler, entries } = createHandler();
    const first = new Error('first');
    const second = new Error('second', { cause: first });
    first.cause = second;
    // Real stacks are as long as the paths of this checkout, and the log is cut.
    first.stack = 'Error: first';
    second.stack = 'Error: second';
    handler.handleError(first, CONTEXT);
    expect(stackIn(entries)).toBe(
      'Error: first\nCaused by: Error: second\nCaused by: Error: first\nCaused by: Error: second\nCaused by: Error: first\nCaused by: Error: second',
    );
  });

  test('a cause that cannot be read does not take the error with it', () => {
    const { handler, entries } = createHandler();
    const cause = Object.defineProperty(new Error('x'), 'stack', { get: throwing });
    handler.handleError(new Error('outer', { cause }), CONTEXT);
    const error = entries[0]?.fields?.['error'] as { message: string; stack: string };
    expect(error.message).toBe('outer');
    expect(error.stack).toContain('Caused by: a value that cannot be read was thrown');
  });

  test('a cause of another kind is named', () => {
    const { handler, entries } = createHandler();
    handler.handleError(new Error('outer', { cause: { code: 'E1' } }), CONTEXT);
    expect(stackIn(entries)).toMatch(/\nCaused by: \{"code":"E1"\}$/);
  });

  test('a logger that throws does not cost the caller its answer', () => {
    const { logger } = recordLog();
    const handler = new ErrorHandler({
      logger: { ...logger, error: throwing },
      createReference: () => 'ref-1',
    });
    expect(handler.handleError(new Error('x'), CONTEXT)).toEqual(UNEXPECTED);
  });

  test('references are eight characters of their own', () => {
    const handler = new ErrorHandler({ logger: silentLogger });
    const references = [1, 2].map(
      (value) => handler.handleError(value, CONTEXT)._meta['toolwright/error'].reference,
    );
    expect(references[0]).toMatch(/^[0-9a-f]{8}$/);
    expect(references[0]).not.toBe(references[1]);
  });

  test('the log line of a failure is one line of JSON', () => {
    const lines: string[] = [];
    const handler = new ErrorHandler({
      logger: createLogger({ write: (line) => lines.push(line) }),
      createReference: () => 'ref-1',
    });
    handler.handleError(new Error('two\nlines'), CONTEXT);
    expect(lines).toHaveLength(1);
    expect(lines[0]).not.toContain('\n');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'error', tool: 'add', reference: 'ref-1' });
  });
});

describe('errors: messages', () => {
  test('tells what was thrown, without credentials, frames and paths', () => {
    const handler = new ErrorHandler({
      logger: silentLogger,
      createReference: () => 'ref-1',
      errors: 'messages',
    });
    const error = new Error('cannot read /srv/app/data.json with token=abc\n    at run (/srv/app/x.ts:1:2)');
    expect(handler.handleError(error, CONTEXT).content[0]?.text).toBe(
      "Tool 'add' failed: cannot read [path] with token=[redacted] (reference ref-1)",
    );
    expect(handler.handleError(revoked(), CONTEXT).content[0]?.text).toBe(
      "Tool 'add' failed: a value that cannot be read was thrown (reference ref-1)",
    );
  });

  test('holds for a server, its prompts included, and hides secret arguments and the token of the caller', async () => {
    const fail = (said: string) => (): never => {
      throw new Error(said);
    };
    await using server = createServer({
      name: 's',
      version: '1',
      logger: silentLogger,
      errors: 'messages',
      tools: [
        {
          name: 'open',
          description: 'Opens',
          inputSchema: z.object({ pin: z.string() }),
          secrets: ['pin'],
          handler: fail('pin 482913 is wrong for tok-1234567890'),
        },
      ],
      prompts: [{ name: 'greet', handler: fail('no greeting today') }],
    });
    const call = { name: 'open', arguments: { pin: '482913' }, accessToken: 'tok-1234567890' };
    expect((await server.tools?.executeTool(call))?.content).toEqual([
      {
        type: 'text',
        text: expect.stringMatching(
          /^Tool 'open' failed: pin \[redacted\] is wrong for \[redacted\] \(reference [0-9a-f]{8}\)$/,
        ),
      },
    ]);
    expect(await server.prompts?.getPrompt({ name: 'greet' })).toMatchObject({
      message: expect.stringMatching(/^Prompt 'greet' failed: no greeting today \(reference [0-9a-f]{8}\)$/),
    });
  });

  test('is a choice, and cannot stand beside an error handler of your own', () => {
    expect(() => new ToolRegistry({ errors: 'all' as never })).toThrow(refused('errors'));
    expect(() => new ToolRegistry({ errors: 'messages', errorHandler: new ErrorHandler() })).toThrow(
      'ToolRegistry: use either errors or errorHandler, not both. To combine them, pass errorHandler: new ErrorHandler({ errors }).',
    );
  });
});

test('sanitize takes out credentials, stack frames and paths', () => {
  const text = 'token=abc at /srv/app/x.ts\n    at run (/srv/app/x.ts:1:2)\nend';
  expect(new ErrorHandler().sanitize(text)).toBe('token=[redacted] at [path]\n\nend');
});

/** The first logged stack. */
function stackIn(entries: readonly LogEntry[]): string {
  const error = entries[0]?.fields?.['error'] as { stack?: string } | undefined;
  return error?.stack ?? '';
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}
