import { describe, expect, test } from 'vitest';
import { ResourcesManager, ToolError } from '../../../src/index.ts';
import { ErrorHandler } from '../../../src/collaborators.ts';
import type { Caller, PolicySubject } from '../../../src/index.ts';
import type { Dialogue } from '../../../src/middleware/dialogue.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { recordLog } from '../../support/log-recorder.ts';

const silent = { debug() {}, info() {}, warning() {}, error() {} };
const errorHandler = new ErrorHandler({ logger: silent, createReference: () => 'ref-1' });
const by = (...scopes: string[]): Caller => ({ principal: { id: 'ada', scopes } });
const unknown = (uri: string) => ({
  kind: 'protocol-error',
  code: -32602,
  reason: 'UNKNOWN_RESOURCE',
  message: `Resource not found: ${uri}`,
  data: { uri },
});

async function textOf(resources: ResourcesManager, uri: string, caller: Caller = {}): Promise<unknown> {
  const reply = await resources.readResource({ uri, ...caller });
  const [first] = reply.kind === 'value' ? reply.value.contents : [];
  return first !== undefined && 'text' in first ? first.text : undefined;
}

describe('a template', () => {
  test('gives its provider the URI, the variables and the context', async () => {
    const resources = new ResourcesManager<{ db: string }>({
      createContext: ({ name }) => ({ db: `db for ${name}` }),
    }).addResource({
      uriTemplate: 'notes://{user}/{+path}',
      name: 'note',
      contentProvider: ({ uri, variables, context }) =>
        JSON.stringify([uri, variables, context.db, context.name, context.rawArguments]),
    });
    expect(await resources.readResource({ uri: 'notes://ada/b%20c/d' })).toEqual({
      kind: 'value',
      value: {
        contents: [
          {
            uri: 'notes://ada/b%20c/d',
            mimeType: 'text/plain',
            text: '["notes://ada/b%20c/d",{"user":"ada","path":"b c/d"},"db for notes://ada/b%20c/d","notes://{user}/{+path}",{"uri":"notes://ada/b%20c/d","variables":{"user":"ada","path":"b c/d"}}]',
          },
        ],
      },
    });
  });

  test('loses against a resource of that URI; the first that fits wins over others', async () => {
    const resources = new ResourcesManager()
      .addResource({ uriTemplate: 'a://{x}', name: 'first', contentProvider: () => 'first' })
      .addResource({ uriTemplate: 'a://{+y}', name: 'second', contentProvider: () => 'second' })
      .addResource({ uri: 'a://exact', name: 'exact', text: 'exact' });
    expect(await textOf(resources, 'a://exact')).toBe('exact');
    expect(await textOf(resources, 'a://other')).toBe('first');
    expect(await textOf(resources, 'a://other/deep')).toBe('second');
  });

  test('may have variables named like members of every object', async () => {
    const resources = new ResourcesManager().addResource({
      uriTemplate: 'a://{__proto__}/{constructor}',
      name: 'odd',
      contentProvider: ({ variables }) => JSON.stringify(Object.entries(variables)),
    });
    expect(await textOf(resources, 'a://p/c')).toBe('[["__proto__","p"],["constructor","c"]]');
  });
});

describe('unknown resources', () => {
  const resources = new ResourcesManager()
    .addResource({ uri: 'docs://manual', name: 'manual', text: 'x' })
    .addResource({ uriTemplate: 'notes://{id}', name: 'note', contentProvider: () => 'x' });

  test.each(['docs://other', 'docs://manual/', 'notes://', 'notes://a/b', 'notes://%', '__proto__', ''])(
    '%j is not found',
    async (uri) => {
      expect(await resources.readResource({ uri })).toEqual(unknown(uri));
      expect(resources.has(uri, {})).toBe(false);
    },
  );

  test.each([undefined, null, {}, { uri: 5 }])('a call that is none (%o) is answered', async (call) => {
    expect(await resources.readResource(call as never)).toMatchObject({ reason: 'UNKNOWN_RESOURCE' });
  });

  test('a URI of a megabyte is cut in the error', async () => {
    const reply = await resources.readResource({ uri: `x://${'y'.repeat(1_000_000)}` });
    expect(JSON.stringify(reply).length).toBeLessThan(5000);
  });
});

function guarded(policy?: (subject: PolicySubject, caller: Caller) => boolean): ResourcesManager {
  return new ResourcesManager({ logger: silent, ...(policy === undefined ? {} : { policy }) })
    .addResource({ uri: 'a://open', name: 'open', text: 'open', tags: ['x'] })
    .addResource({ uri: 'a://secret', name: 'secret', text: 'secret', scopes: ['admin'] })
    .addResource({
      uriTemplate: 'b://{id}',
      name: 'staff',
      scopes: ['staff'],
      cacheHint: { ttlMs: 5 },
      complete: { id: ['1'] },
      contentProvider: () => 'staff',
    })
    .addResource({
      uriTemplate: 'b://{+rest}',
      name: 'rest',
      cacheHint: { ttlMs: 9, scope: 'public' },
      contentProvider: () => 'rest',
    });
}

const keys = (resources: ResourcesManager, caller: Caller): string[] =>
  [...resources.list(caller), ...resources.listTemplates(caller)].map(({ key }) => key);

describe('visible is the same as readable', () => {
  test.each([
    ['nobody in particular', {}, ['a://open', 'b://{+rest}'], 'rest'],
    ['an admin', by('admin'), ['a://open', 'a://secret', 'b://{+rest}'], 'rest'],
    ['staff', by('staff'), ['a://open', 'b://{id}', 'b://{+rest}'], 'staff'],
  ])('for %s', async (_, caller, expected, through) => {
    const resources = guarded();
    expect(keys(resources, caller)).toEqual(expected);
    expect(
      [...resources.getAllResources(caller), ...resources.getAllResourceTemplates(caller)].map((listed) =>
        'uri' in listed ? listed.uri : listed.uriTemplate,
      ),
    ).toEqual(expected);
    expect(resources.has('a://secret', caller)).toBe(expected.includes('a://secret'));
    expect(await textOf(resources, 'a://secret', caller)).toBe(
      expected.includes('a://secret') ? 'secret' : undefined,
    );
    expect(await textOf(resources, 'b://1', caller)).toBe(through);
  });

  test('a hidden resource responds byte for byte like an unknown one', async () => {
    const [all, without] = [guarded(), guarded()];
    without.removeResource('a://secret');
    without.removeResource('b://{id}');
    for (const uri of ['a://secret', 'b://1', 'b://{id}']) {
      const hidden = await all.readResource({ uri });
      expect(JSON.stringify(hidden)).toBe(JSON.stringify(await without.readResource({ uri })));
      const request = { ref: uri, argument: 'id', value: '', arguments: {} };
      expect(await all.complete(request)).toEqual(await without.complete(request));
      expect(all.cacheHintOf(uri)).toEqual(without.cacheHintOf(uri));
    }
    expect(await all.readResource({ uri: 'a://secret' })).toEqual(unknown('a://secret'));
  });

  test('a policy learns what it decides on, by URI and by name', () => {
    const asked: PolicySubject[] = [];
    const resources = guarded((subject) => {
      asked.push(subject);
      return subject.tool === 'open';
    });
    expect(keys(resources, by('admin', 'staff'))).toEqual(['a://open']);
    expect(asked[0]).toMatchObject({
      kind: 'resource',
      name: 'a://open',
      tool: 'open',
      tags: ['x'],
      isReadOnly: true,
    });
    const rules = { logger: silent, policy: { names: ['a://b'] } };
    const named = new ResourcesManager(rules)
      .addResource({ uri: 'a://b', name: 'b', text: '' })
      .addResource({ uri: 'a://c', name: 'c', text: '' });
    expect(keys(named, {})).toEqual(['a://b']);
  });

  test('lists are one array for all callers who see the same, until something changes', () => {
    const resources = guarded();
    const [list, templates] = [resources.list({}), resources.listTemplates({})];
    expect(resources.list(by('staff'))).toBe(list);
    expect(resources.list(by('admin'))).not.toBe(list);
    expect(resources.listTemplates(by('admin'))).toBe(templates);
    resources.addResource({ uri: 'a://new', name: 'new', text: '' });
    expect(resources.list({})).not.toBe(list);
    expect(resources.listTemplates({})).toBe(templates);
  });
});

test('a cache hint is that of what the caller would read', () => {
  const resources = guarded();
  expect(resources.cacheHintOf('a://open')).toBeUndefined();
  expect(resources.cacheHintOf('b://1')).toEqual({ ttlMs: 9, scope: 'public' });
  expect(resources.cacheHintOf('b://1', by('staff'))).toEqual({ ttlMs: 5, scope: 'private' });
  expect(resources.cacheHintOf('c://1')).toBeUndefined();
});

describe('failures', () => {
  const failing = (contentProvider: () => never) =>
    new ResourcesManager({ logger: silent, errorHandler })
      .addResource({ uriTemplate: 'a://{x}', name: 'a', contentProvider })
      .readResource({ uri: 'a://b' });

  test('errors of a provider are masked', async () => {
    const reply = await failing(() => {
      throw new Error('ENOENT /srv/data/b');
    });
    expect(reply).toEqual({
      kind: 'protocol-error',
      code: -32603,
      reason: 'TOOL_FAILED',
      message:
        "Resource 'a://{x}' failed unexpectedly. The details are in the server's log under the reference ref-1.",
      data: { code: 'TOOL_FAILED', reference: 'ref-1' },
    });
  });

  test('an error that was written for the caller reaches the caller', async () => {
    const reply = await failing(() => {
      throw new ToolError('The archive is closed.');
    });
    expect(reply).toMatchObject({ code: -32603, reason: 'TOOL_ERROR', message: 'The archive is closed.' });
  });

  test('a provider that hangs is stopped, and a cancelled one is told', async () => {
    const clock = new FakeClock();
    let signal: AbortSignal | undefined;
    const resources = new ResourcesManager({ clock, logger: silent }).addResource({
      uri: 'a://b',
      name: 'b',
      timeoutMs: 30,
      contentProvider: ({ context }) => {
        ({ signal } = context);
        return new Promise<string>(() => {});
      },
    });
    const late = resources.readResource({ uri: 'a://b' });
    clock.advance(30);
    expect(await late).toMatchObject({
      reason: 'TIMED_OUT',
      message: "Resource 'a://b' did not finish within 30 ms and was stopped.",
    });
    const controller = new AbortController();
    const cancelled = resources.readResource({ uri: 'a://b', signal: controller.signal });
    controller.abort();
    expect(await cancelled).toMatchObject({ reason: 'CANCELLED' });
    expect(signal?.aborted).toBe(true);
  });

  test('reading is limited, also where the content never changes', async () => {
    const clock = new FakeClock();
    const resources = new ResourcesManager({ clock, logger: silent, rateLimit: { limit: 1, perMs: 1000 } });
    resources.addResource({ uri: 'a://b', name: 'b', text: 'x' });
    expect(await resources.readResource({ uri: 'a://b' })).toMatchObject({ kind: 'value' });
    expect(await resources.readResource({ uri: 'a://b' })).toMatchObject({
      code: -32603,
      data: { code: 'RATE_LIMITED', retryAfterMs: 1000 },
    });
  });

  test('a question that only another request can answer becomes a request for input', async () => {
    const pending = { isPending: true, client: {}, put: () => Promise.reject(new Error('pending')) };
    const resources = new ResourcesManager({ logger: silent }).addResource({
      uri: 'a://b',
      name: 'b',
      contentProvider: async ({ context }) => {
        await context.askRoots('roots');
        return 'x';
      },
    });
    const dialogue = pending as unknown as Dialogue;
    expect(await resources.readResource({ uri: 'a://b', dialogue })).toEqual({ kind: 'input-required' });
  });

  test('the log says which resource was read, and as what', async () => {
    const { logger, entries } = recordLog();
    const resources = new ResourcesManager({ logger }).addResource({
      uriTemplate: 'a://{x}',
      name: 'a',
      contentProvider: ({ context }) => {
        context.log.info('reading');
        return 'x';
      },
    });
    await resources.readResource({ uri: 'a://b' });
    expect(entries.map(({ message, fields }) => [message, fields?.['resource']])).toEqual([
      ['reading', 'a://{x}'],
      ['resource call', 'a://{x}'],
    ]);
  });
});

describe('completion', () => {
  const resources = new ResourcesManager()
    .addResource({ uri: 'docs://manual', name: 'manual', text: 'x' })
    .addResource({
      uriTemplate: 'repo://{owner}/{name}',
      name: 'repo',
      complete: {
        owner: ['ada', 'Alan', 'bob'],
        name: (value, { arguments: chosen }) => [`${chosen['owner']}-${value}`],
      },
      contentProvider: () => 'x',
    });
  const ask = (ref: string, argument: string, value = '') =>
    resources.complete({ ref, argument, value, arguments: { owner: 'ada' } });

  test('of a variable of a template, by the template or by a URI that fits it', async () => {
    const found = { kind: 'value', value: { values: ['ada', 'Alan'], total: 2, hasMore: false } };
    expect(await ask('repo://{owner}/{name}', 'owner', 'a')).toEqual(found);
    expect(await ask('repo://x/y', 'owner', 'a')).toEqual(found);
    expect(await ask('repo://{owner}/{name}', 'name', 'z')).toMatchObject({ value: { values: ['ada-z'] } });
  });

  test('of a resource that has no variables finds nothing', async () => {
    expect(await ask('docs://manual', 'owner')).toEqual({
      kind: 'value',
      value: { values: [], total: 0, hasMore: false },
    });
  });

  test('of an unknown variable finds nothing', async () => {
    expect(await ask('repo://{owner}/{name}', 'branch')).toEqual({
      kind: 'value',
      value: { values: [], total: 0, hasMore: false },
    });
  });

  test('of an unknown resource is refused', async () => {
    expect(await ask('repo://{x}/y/z', 'x')).toEqual(unknown('repo://{x}/y/z'));
    expect(await resources.complete(undefined as never)).toMatchObject({ reason: 'UNKNOWN_RESOURCE' });
  });
});

test('readResource(uri) resolves to the contents, and rejects where there are none', async () => {
  const resources = new ResourcesManager({ resources: [{ uri: 'a://b', name: 'b', text: 'B' }] });
  expect(await resources.readResource('a://b')).toEqual({
    contents: [{ uri: 'a://b', mimeType: 'text/plain', text: 'B' }],
  });
  await expect(resources.readResource('a://c')).rejects.toMatchObject({
    code: 'UNKNOWN_RESOURCE',
    message: 'Resource not found: a://c',
  });
});
