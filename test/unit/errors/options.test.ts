import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import {
  createServer,
  createTool,
  PromptsManager,
  ResourcesManager,
  ToolRegistry,
  ToolwrightError,
} from '../../../src/index.ts';
import {
  audit,
  concurrency,
  exclusive,
  logging,
  rateLimit,
  redaction,
  resultBudget,
  resultCache,
  retry,
  timeout,
  timing,
} from '../../../src/middleware.ts';
import { directoryResources } from '../../../src/files.ts';
import { serveHttp } from '../../../src/http.ts';
import { serveStdio } from '../../../src/stdio.ts';
import { fromOpenAPI, tokenExchange } from '../../../src/openapi.ts';
import { OutboundClient } from '../../../src/outbound/outbound-client.ts';
import {
  assertOptions,
  oneOf,
  required,
  secret,
  STRING,
  wholeNumber,
} from '../../../src/errors/options/rules.ts';
import { MemoryCacheStore } from '../../../src/stores/cache-store.ts';
import { MemoryConfirmationStore } from '../../../src/stores/confirmation-store.ts';
import { MemoryEventStore } from '../../../src/stores/event-store.ts';
import { MemoryRateLimitStore } from '../../../src/stores/rate-limit-store.ts';
import { MemoryTaskStore } from '../../../src/stores/task-store.ts';
import { refused } from '../../support/refused.ts';

type Make = (options: never) => unknown;

/** A function that takes options; its required options; and options that accept any value. */
type Taker = [name: string, make: Make, base?: object, any?: readonly string[]];

const server = createServer({ name: 's', version: '1', tools: [] });
const handler = (): string => 'done';
const API = {
  openapi: '3.1.0',
  info: { title: 'a', version: '1' },
  paths: { '/a': { get: { responses: {} } } },
};

const TAKERS: Taker[] = [
  ['createServer', createServer, { name: 's', version: '1' }],
  ['ToolRegistry', (options) => new ToolRegistry(options)],
  ['a surface', (options) => new ToolRegistry().surface(options)],
  ['PromptsManager', (options) => new PromptsManager(options)],
  ['ResourcesManager', (options) => new ResourcesManager(options)],
  ['serveHttp', (options) => serveHttp(server, options)],
  ['serveStdio', (options) => serveStdio(server, options)],
  ['audit', audit, { write: () => {} }],
  ['concurrency', concurrency, { limit: 1 }],
  ['exclusive', exclusive],
  ['logging', logging],
  ['rateLimit', rateLimit, { limit: 1, perMs: 1 }],
  ['redaction', redaction, { paths: [] }],
  ['resultBudget', resultBudget, { maxBytes: 1024 }],
  ['resultCache', resultCache],
  ['retry', retry],
  ['timeout', timeout, { ms: 1 }],
  ['timing', timing, { onTimed: () => {} }],
  ['MemoryCacheStore', (options) => new MemoryCacheStore(options)],
  ['MemoryConfirmationStore', (options) => new MemoryConfirmationStore(options)],
  ['MemoryEventStore', (options) => new MemoryEventStore(options)],
  ['MemoryRateLimitStore', (options) => new MemoryRateLimitStore(options)],
  ['MemoryTaskStore', (options) => new MemoryTaskStore(options)],
  ['OutboundClient', (options) => new OutboundClient(options)],
  [
    'tokenExchange',
    tokenExchange,
    { tokenUrl: 'https://id.example.com/token', clientId: 'a', client: new OutboundClient() },
  ],
  [
    'directoryResources',
    (options) => new ResourcesManager({ resources: directoryResources(options) }),
    { root: '.', uri: 'docs://a/', name: 'a' },
  ],
  ['fromOpenAPI', (options) => fromOpenAPI(API, options), { baseUrl: 'https://a.example' }],
  [
    'a tool',
    (tool) => new ToolRegistry().register(tool),
    { name: 'a', description: 'b', inputSchema: z.object({}), handler },
  ],
  ['a prompt', (prompt) => new PromptsManager().addPrompt(prompt), { name: 'a', template: 'b' }],
  [
    'a resource',
    (resource) => new ResourcesManager().addResource(resource),
    { uri: 'a://b', name: 'a', text: 'b' },
  ],
  [
    'an action',
    (action) => new ToolRegistry().register(createTool('t').action(action)),
    { name: 'a', handler },
  ],
];

/** The thrown error; undefined if there is none. */
async function thrownBy(make: Make, options: object): Promise<unknown> {
  try {
    await make(options as never);
  } catch (error) {
    return error;
  }
  return undefined;
}

describe.each<Taker>(TAKERS)('%s', (_name, make, base = {}, any = []) => {
  test('says which options there are, and rejects a wrong value of each with its name', async () => {
    const unknown = await thrownBy(make, { ...base, nonsense: 1 });
    expect(unknown).toEqual(refused('nonsense', { reason: 'unknown-option' }));
    const known = (unknown as ToolwrightError).expected as readonly string[];
    expect(known.length).toBeGreaterThan(0);
    const silent: string[] = [];
    for (const option of known) {
      const error = await thrownBy(make, { ...base, [option]: Symbol('wrong') });
      const isSaid = error instanceof ToolwrightError && error.option === option;
      if (!isSaid) silent.push(option);
    }
    expect(silent).toEqual(any);
  });
});

describe('the sentence of an option', () => {
  const check =
    (options: object, ...within: readonly [] | readonly [string]): (() => void) =>
    () =>
      assertOptions(
        'makeServer',
        options,
        {
          name: required(STRING),
          port: wholeNumber(0, 65_535),
          mode: oneOf('a', 'b', 'c'),
          key: secret(STRING),
        },
        ...within,
      );

  test.each<[object, string | Error]>([
    [{}, 'makeServer: name is required; expected a string.'],
    [{ name: 5 }, 'makeServer: name must be a string; received 5.'],
    [{ name: 'a', port: -1 }, 'makeServer: port must be an integer from 0 to 65535; received -1.'],
    [{ name: 'a', mode: 'd' }, 'makeServer: mode must be "a", "b" or "c"; received "d".'],
    [{ name: 'a', key: 5 }, 'makeServer: key must be a string.'],
    [{ name: [] }, 'makeServer: name must be a string; received an array.'],
    [{ name: null }, 'makeServer: name must be a string; received null.'],
    [
      { nam: 'a' },
      'Unknown option "nam" of makeServer. Did you mean "name"? Options: name, port, mode, key.',
    ],
  ])('%j', (options, message) => {
    expect(check(options)).toThrow(message);
  });

  test('names the option that it is within, in the sentence and in the data', () => {
    expect(check({ name: 5 }, 'limits')).toThrow('makeServer: limits.name must be a string; received 5.');
    expect(check({ name: 5 }, 'limits')).toThrow(
      refused('limits', { path: ['name'], reason: 'wrong-value', expected: 'a string', received: '5' }),
    );
    expect(check({ no: 5 }, 'limits')).toThrow(
      refused('limits', { path: ['no'], expected: ['name', 'port', 'mode', 'key'] }),
    );
    expect(check([], 'limits')).toThrow(refused('limits', { expected: 'an object' }));
  });

  test('a secret is neither in the sentence nor in the data', () => {
    expect(check({ name: 'a', key: 12_345 })).toThrow(
      expect.not.objectContaining({ received: expect.anything() as unknown }) as Error,
    );
  });
});
