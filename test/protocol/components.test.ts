import { describe, expect } from 'vitest';
import * as z from 'zod';
import { createServer, defineResource, defineTool } from '../../src/index.ts';
import type { AnyToolDefinition } from '../../src/index.ts';
import { requirement } from './requirement.ts';
import { LEGACY_VERSIONS, openSession } from './support/legacy-http.ts';
import { modernRequest } from './support/raw-http.ts';
import { startStdio } from './support/raw-stdio.ts';
import { accept, legacyMessage, modernMessage, textOf } from './support/rpc.ts';
import type { RpcMessage } from './support/rpc.ts';
import { startHttp } from './support/sample.ts';
import type { HttpSample } from './support/sample.ts';
import { unknownTool } from '../support/refused.ts';

/** One request in every revision: over HTTP in 2026-07-28, in a session of each revision with a handshake. */
async function inEveryRevision(
  { http }: HttpSample,
  method: string,
  params: object,
): Promise<readonly (readonly [string, RpcMessage])[]> {
  const answers: [string, RpcMessage][] = [['2026-07-28', (await http.modern(method, params)).json]];
  for (const version of LEGACY_VERSIONS) {
    const session = await openSession(http, { version });
    answers.push([version, await session.request(method, params)]);
  }
  return answers;
}

function plainTool(name: string): AnyToolDefinition {
  return defineTool({ name, description: name, inputSchema: z.object({}), handler: () => name });
}

describe('tools', () => {
  requirement('tools:list', 'every tool is listed, always in the same order', async () => {
    await using sample = await startHttp();
    const first = await inEveryRevision(sample, 'tools/list', {});
    const second = await inEveryRevision(sample, 'tools/list', {});
    for (const [version, { result }] of [...first, ...second]) {
      const names = result?.tools?.map(({ name }) => name) ?? [];
      expect([version, names.slice(0, 4), names.length]).toEqual([
        version,
        ['add', 'primes', 'route', 'media'],
        18,
      ]);
      for (const tool of result?.tools ?? []) {
        expect(tool['description']).toMatch(/./);
        expect(tool['inputSchema']).toMatchObject({ type: 'object' });
        expect(tool).not.toHaveProperty('execution');
      }
    }
    const { json } = await sample.http.modern('tools/list');
    expect(json.result?.tools?.[0]).toEqual({
      name: 'add',
      description: 'Adds two numbers',
      inputSchema: {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        properties: { a: { type: 'number' }, b: { type: 'number' } },
        required: ['a', 'b'],
      },
      outputSchema: {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        properties: { sum: { type: 'number' } },
        required: ['sum'],
        additionalProperties: false,
      },
    });
  });

  requirement('tools:names', 'names that the protocol does not want are refused at definition', () => {
    const define = (name: string) => () =>
      createServer({ name: 'x', version: '1', tools: [plainTool(name)] });
    for (const name of ['', 'two words', 'a,b', 'ä', 'x'.repeat(129), 'a/b'])
      expect(define(name), name).toThrow(/name/);
    for (const name of ['getUser', 'DATA_EXPORT_v2', 'admin.tools-list', 'x'.repeat(128)])
      expect(define(name), name).not.toThrow();
  });

  requirement('tools:unknown', 'an unknown tool is -32602 in every revision', async () => {
    await using sample = await startHttp();
    for (const [version, { error }] of await inEveryRevision(sample, 'tools/call', {
      name: 'nowhere_at_all',
    }))
      expect([version, error]).toEqual([version, unknownTool('nowhere_at_all')]);
  });

  requirement(
    'tools:invalid-params',
    'a call without a name or with a list of arguments is -32602',
    async () => {
      await using sample = await startHttp();
      for (const [version, { error }] of await inEveryRevision(sample, 'tools/call', { arguments: {} }))
        expect([version, error?.code]).toEqual([version, -32602]);
      for (const params of [
        { name: 7 },
        { name: 'primes', arguments: [1] },
        { name: 'primes', arguments: 'x' },
      ])
        for (const [version, { error }] of await inEveryRevision(sample, 'tools/call', params))
          expect([version, params, error?.code]).toEqual([version, params, -32602]);
    },
  );

  requirement('tools:invalid-arguments', 'arguments that do not fit are a result with isError', async () => {
    await using sample = await startHttp();
    const call = { name: 'add', arguments: { a: 'one', b: 2 } };
    for (const [version, answer] of await inEveryRevision(sample, 'tools/call', call)) {
      expect([version, answer.result?.isError]).toEqual([version, true]);
      expect(textOf(answer)).toContain('a: ');
      expect(answer.result).not.toHaveProperty('structuredContent');
    }
  });

  requirement(
    'tools:handler-fails',
    'a tool that throws is a result with isError and no details',
    async () => {
      await using sample = await startHttp();
      for (const [version, answer] of await inEveryRevision(sample, 'tools/call', { name: 'fail' })) {
        expect([version, answer.result?.isError]).toEqual([version, true]);
        expect(textOf(answer)).toMatch(/^Tool 'fail' failed unexpectedly\./);
        expect(JSON.stringify(answer)).not.toContain('internal detail');
      }
    },
  );

  requirement('tools:structured', 'structured content comes with the same as text', async () => {
    await using sample = await startHttp();
    const call = { name: 'add', arguments: { a: 2, b: 3 } };
    for (const [version, { result }] of await inEveryRevision(sample, 'tools/call', call)) {
      expect([version, result?.content, result?.structuredContent]).toEqual([
        version,
        [{ type: 'text', text: '{"sum":5}' }],
        { sum: 5 },
      ]);
    }
  });

  requirement(
    ['tools:structured:any-root', 'tools:structured:wrapped'],
    'an output that is no object is wrapped for earlier revisions only, in list and result alike',
    async () => {
      await using sample = await startHttp();
      const array = { type: 'array', items: { type: 'number' } };
      const lists = await inEveryRevision(sample, 'tools/list', {});
      const calls = await inEveryRevision(sample, 'tools/call', { name: 'primes' });
      for (const [index, [version, { result }]] of lists.entries()) {
        const schema = result?.tools?.[1]?.['outputSchema'];
        const isModern = version === '2026-07-28';
        expect([version, schema]).toEqual([
          version,
          isModern
            ? { $schema: 'https://json-schema.org/draft/2020-12/schema', ...array }
            : {
                $schema: 'https://json-schema.org/draft/2020-12/schema',
                type: 'object',
                properties: { result: array },
                required: ['result'],
              },
        ]);
        const structured = calls[index]?.[1].result?.structuredContent;
        expect([version, structured]).toEqual([version, isModern ? [2, 3, 5] : { result: [2, 3, 5] }]);
      }
    },
  );

  requirement(
    'tools:content:downgrade',
    'sounds and links are said in other words where a revision does not know them',
    async () => {
      await using sample = await startHttp();
      const audio = { type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav' };
      const link = { type: 'resource_link', uri: 'docs://manual', name: 'manual' };
      const linkAsText = { type: 'text', text: 'manual: docs://manual' };
      const audioAsResource = {
        type: 'resource',
        resource: { uri: 'data:audio/wav', mimeType: 'audio/wav', blob: 'UklGRg==' },
      };
      const expected = {
        '2026-07-28': [audio, link],
        '2025-11-25': [audio, link],
        '2025-06-18': [audio, link],
        '2025-03-26': [audio, linkAsText],
        '2024-11-05': [audioAsResource, linkAsText],
      };
      const answers = await inEveryRevision(sample, 'tools/call', { name: 'media' });
      expect(Object.fromEntries(answers.map(([version, { result }]) => [version, result?.content]))).toEqual(
        expected,
      );
    },
  );
});

describe('prompts and resources', () => {
  requirement('prompts:get', 'a prompt is filled in', async () => {
    await using sample = await startHttp();
    const params = { name: 'review', arguments: { code: 'let x' } };
    for (const [version, { result }] of await inEveryRevision(sample, 'prompts/get', params))
      expect([version, result?.['messages']]).toEqual([
        version,
        [{ role: 'user', content: { type: 'text', text: 'Review let x.' } }],
      ]);
  });

  requirement(
    'prompts:errors',
    'unknown names and missing arguments are -32602, failures -32603',
    async () => {
      await using sample = await startHttp();
      for (const params of [
        { name: 'no_such' },
        { name: 'review' },
        { name: 'review', arguments: { code: 7 } },
        {},
      ])
        for (const [version, { error }] of await inEveryRevision(sample, 'prompts/get', params))
          expect([version, params, error?.code]).toEqual([version, params, -32602]);
      for (const [version, answer] of await inEveryRevision(sample, 'prompts/get', { name: 'broken' })) {
        expect([version, answer.error?.code]).toEqual([version, -32603]);
        expect(JSON.stringify(answer)).not.toContain('internal detail');
      }
    },
  );

  requirement('resources:read', 'text, bytes and templates are read', async () => {
    await using sample = await startHttp();
    const contents = {
      'docs://manual': [{ uri: 'docs://manual', mimeType: 'text/plain', text: 'Turn it off and on again.' }],
      'docs://logo': [{ uri: 'docs://logo', mimeType: 'image/png', blob: 'iVBORw0KGgo=' }],
      'notes://7': [{ uri: 'notes://7', mimeType: 'text/plain', text: 'Note 7' }],
    };
    for (const [uri, expected] of Object.entries(contents))
      for (const [version, { result }] of await inEveryRevision(sample, 'resources/read', { uri }))
        expect([version, result?.['contents']]).toEqual([version, expected]);
  });

  requirement(
    ['resources:not-found', 'resources:not-found:earlier'],
    'an unknown URI is -32602, and -32002 before 2026-07-28, with the URI',
    async () => {
      await using sample = await startHttp();
      for (const uri of ['docs://none', 'notes://none', 'not a uri'])
        for (const [version, { error }] of await inEveryRevision(sample, 'resources/read', { uri }))
          expect([version, error]).toEqual([
            version,
            {
              code: version === '2026-07-28' ? -32602 : -32002,
              message: `Resource not found: ${uri}`,
              data: { uri },
            },
          ]);
      for (const [version, { error }] of await inEveryRevision(sample, 'resources/read', {}))
        expect([version, error?.code]).toEqual([version, -32602]);
    },
  );
});

describe('completion', () => {
  const review = { type: 'ref/prompt', name: 'review' };

  requirement('completion:values', 'values are found for prompts and templates', async () => {
    await using sample = await startHttp();
    const prompt = { ref: review, argument: { name: 'style', value: 's' } };
    const template = {
      ref: { type: 'ref/resource', uri: 'notes://{id}' },
      argument: { name: 'id', value: '1' },
    };
    for (const [version, { result }] of await inEveryRevision(sample, 'completion/complete', prompt))
      expect([version, result?.['completion']]).toEqual([
        version,
        { values: ['short', 'strict'], total: 2, hasMore: false },
      ]);
    for (const [version, { result }] of await inEveryRevision(sample, 'completion/complete', template))
      expect([version, result?.['completion']]).toEqual([
        version,
        { values: ['1', '12'], total: 2, hasMore: false },
      ]);
  });

  requirement('completion:context', 'what was chosen for other arguments counts', async () => {
    await using sample = await startHttp();
    const { json } = await sample.http.modern('completion/complete', {
      ref: review,
      argument: { name: 'style', value: 'for' },
      context: { arguments: { code: 'let x' } },
    });
    expect(json.result?.['completion']).toEqual({ values: ['for let x'], total: 1, hasMore: false });
  });

  requirement('completion:at-most-100', 'no more than 100 values are given', async () => {
    await using sample = await startHttp();
    const { json } = await sample.http.modern('completion/complete', {
      ref: review,
      argument: { name: 'code', value: '' },
    });
    const { values, ...rest } = (json.result ?? {})['completion'] as { values: string[] };
    expect([values.length, values[99], rest]).toEqual([100, 'line 99', { total: 150, hasMore: true }]);
  });

  requirement('completion:errors', 'a reference to nothing or of a wrong form is -32602', async () => {
    await using sample = await startHttp();
    const argument = { name: 'style', value: '' };
    for (const params of [
      { ref: { type: 'ref/prompt', name: 'no_such' }, argument },
      { ref: { type: 'ref/resource', uri: 'none://x' }, argument },
      { ref: { type: 'ref/tool', name: 'add' }, argument },
      { ref: review, argument: { name: 'style' } },
      { ref: null, argument },
      {},
    ])
      for (const [version, { error }] of await inEveryRevision(sample, 'completion/complete', params))
        expect([version, params, error?.code]).toEqual([version, params, -32602]);
  });
});

describe('pages', () => {
  const LISTS = {
    'tools/list': 'tools',
    'prompts/list': 'prompts',
    'resources/list': 'resources',
    'resources/templates/list': 'resourceTemplates',
  };

  requirement(
    ['pages:cursor', 'pages:every-list', 'cache:pages'],
    'every list has pages, all with the same scope',
    async () => {
      const hint = { ttlMs: 1000, scope: 'public' } as const;
      const cacheHints = Object.fromEntries(Object.keys(LISTS).map((method) => [method, hint]));
      await using sample = await startHttp({ limits: { maxPageItems: 2 }, cacheHints });
      const expected = {
        'tools/list': 9,
        'prompts/list': 2,
        'resources/list': 2,
        'resources/templates/list': 1,
      };
      for (const [method, member] of Object.entries(LISTS)) {
        const whole = new Set<unknown>();
        let pages = 0;
        let cursor: string | undefined;
        do {
          const { json } = await sample.http.modern(method, cursor === undefined ? {} : { cursor });
          const entries = json.result?.[member] as object[];
          expect(entries.length).toBeGreaterThan(0);
          expect(json.result).toMatchObject({ ttlMs: 1000, cacheScope: 'public' });
          for (const entry of entries) whole.add(JSON.stringify(entry));
          pages += 1;
          cursor = json.result?.nextCursor;
        } while (cursor !== undefined);
        expect([method, pages]).toEqual([method, expected[method as keyof typeof expected]]);
        expect(whole.size).toBeGreaterThan((pages - 1) * 2);
      }
    },
  );

  requirement('pages:invalid-cursor', 'a cursor that was not given out is -32602', async () => {
    await using sample = await startHttp({ limits: { maxPageItems: 2 } });
    for (const method of Object.keys(LISTS))
      for (const cursor of ['nonsense', '!', 7, null, 'W10', 'WyJhIiwxXQ'])
        for (const [version, { error }] of await inEveryRevision(sample, method, { cursor }))
          expect([version, method, cursor, error?.code]).toEqual([version, method, cursor, -32602]);
  });

  requirement('pages:stable-cursor', 'a cursor keeps its place when the list changes', async () => {
    const tools = ['a', 'b', 'c', 'd'].map(plainTool);
    await using sample = await startHttp({ tools, limits: { maxPageItems: 2 } });
    const names = ({ result }: RpcMessage): unknown => result?.tools?.map(({ name }) => name);
    const first = (await sample.http.modern('tools/list')).json;
    expect(names(first)).toEqual(['a', 'b']);
    const cursor = first.result?.nextCursor;
    sample.server.tools?.unregister('a');
    sample.server.tools?.registerAll([plainTool('e')]);
    expect(names((await sample.http.modern('tools/list', { cursor })).json)).toEqual(['c', 'd']);
    await using other = await startHttp({ tools, limits: { maxPageItems: 2 } });
    other.server.tools?.unregister('b');
    expect(names((await other.http.modern('tools/list', { cursor })).json)).toEqual(['c', 'd']);
  });
});

describe('caching', () => {
  requirement('cache:hints', 'all six cacheable results have hints, as configured or none', async () => {
    const requests: [string, object][] = [
      ['server/discover', {}],
      ['tools/list', {}],
      ['prompts/list', {}],
      ['resources/list', {}],
      ['resources/templates/list', {}],
      ['resources/read', { uri: 'docs://manual' }],
    ];
    await using plain = await startHttp();
    for (const [method, params] of requests)
      expect((await plain.http.modern(method, params)).json.result).toMatchObject({
        ttlMs: 0,
        cacheScope: 'private',
      });
    const hints = requests.map(
      ([method], index) => [method, { ttlMs: 100 + index, scope: 'public' }] as const,
    );
    await using hinted = await startHttp({ cacheHints: Object.fromEntries(hints) });
    for (const [index, [method, params]] of requests.entries())
      expect((await hinted.http.modern(method, params)).json.result).toMatchObject({
        ttlMs: 100 + index,
        cacheScope: 'public',
      });
  });

  requirement('cache:resource', 'a resource is read with its own hint, by whoever may see it', async () => {
    const secret = defineResource({
      uri: 'docs://secret',
      name: 'secret',
      text: 'psst',
      scopes: ['admin'],
      cacheHint: { ttlMs: 5000 },
    });
    await using sample = await startHttp(
      { resources: [secret] },
      { authenticate: () => ({ id: 'alice', scopes: ['admin'] }) },
    );
    const { json } = await sample.http.modern('resources/read', { uri: 'docs://secret' });
    expect(json.result).toMatchObject({ ttlMs: 5000, cacheScope: 'private' });
    await using open = await startHttp();
    const logo = await open.http.modern('resources/read', { uri: 'docs://logo' });
    expect(logo.json.result).toMatchObject({ ttlMs: 60_000, cacheScope: 'public' });
  });

  requirement('cache:rounds', 'questions have no hints, and what came of answers is not kept', async () => {
    await using sample = await startHttp();
    const capabilities = { elicitation: {} };
    const uri = 'docs://personal';
    const asked = (await sample.http.modern('resources/read', { uri }, { capabilities })).json.result;
    expect(asked?.resultType).toBe('input_required');
    expect(asked).not.toHaveProperty('ttlMs');
    expect(asked).not.toHaveProperty('cacheScope');
    const inputResponses = { user_name: accept({ name: 'Ann' }) };
    const retry = { uri, inputResponses, requestState: asked?.requestState };
    const { json } = await sample.http.modern('resources/read', retry, { capabilities });
    expect(json.result).toMatchObject({
      contents: [{ text: 'For Ann.' }],
      ttlMs: 0,
      cacheScope: 'private',
    });
  });
});

describe('progress and logging', () => {
  const TOKEN = { progressToken: 'token' };

  requirement(
    ['progress:token', 'progress:increases'],
    'progress goes to who asked for it, before the answer, and only increases',
    async () => {
      await using sample = startStdio();
      const { stdio } = sample;
      const expected = [1, 3, 4].map((step) => ({
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken: 'token', progress: step, total: 4, message: `step ${step}` },
      }));
      await stdio.initialize('2025-11-25');
      const calls = [
        modernMessage('tools/call', { name: 'count' }, { id: 1, meta: TOKEN }),
        legacyMessage('tools/call', { name: 'count', _meta: TOKEN }, 1),
      ];
      for (const call of calls) {
        stdio.write(call);
        const messages = [await stdio.next(), await stdio.next(), await stdio.next()];
        expect(messages).toEqual(expected);
        expect((await stdio.next()).id).toBe(1);
      }
      expect((await stdio.modern('tools/call', { name: 'count' }, { id: 2 })).id).toBe(2);
      expect((await stdio.ask(legacyMessage('tools/call', { name: 'count' }, 3))).id).toBe(3);
    },
  );

  requirement('log:opt-in', 'log messages go only to requests that ask for them', async () => {
    await using sample = startStdio();
    const silent = await sample.stdio.modern('tools/call', { name: 'log' }, { id: 1 });
    expect(silent.id).toBe(1);
    const levels = { debug: 3, info: 2, notice: 1, error: 1, emergency: 0 };
    for (const [level, count] of Object.entries(levels)) {
      const meta = { 'io.modelcontextprotocol/logLevel': level };
      sample.stdio.write(modernMessage('tools/call', { name: 'log' }, { id: level, meta }));
      const messages: RpcMessage[] = [];
      while (messages.at(-1)?.id !== level) messages.push(await sample.stdio.next());
      expect([level, messages.length - 1]).toEqual([level, count]);
      if (level === 'info')
        expect(messages[0]).toEqual({
          jsonrpc: '2.0',
          method: 'notifications/message',
          params: { level: 'info', logger: 'sample', data: { at: 'start' } },
        });
    }
    const meta = { 'io.modelcontextprotocol/logLevel': 'loud' };
    expect((await sample.stdio.modern('tools/call', { name: 'log' }, { id: 'x', meta })).id).toBe('x');
  });

  requirement('log:set-level', 'logging/setLevel chooses the messages of a session', async () => {
    await using sample = startStdio();
    const { stdio } = sample;
    await stdio.initialize('2025-06-18');
    const countLogs = async (): Promise<number> => {
      stdio.write(legacyMessage('tools/call', { name: 'log' }, 'call'));
      let count = 0;
      while ((await stdio.next()).id !== 'call') count += 1;
      return count;
    };
    expect(await countLogs()).toBe(2);
    for (const [level, count] of [
      ['debug', 3],
      ['error', 1],
      ['alert', 0],
    ] as const) {
      const answer = await stdio.ask(legacyMessage('logging/setLevel', { level }));
      expect(answer.result).toEqual({});
      expect([level, await countLogs()]).toEqual([level, count]);
    }
    for (const level of ['loud', undefined, 7]) {
      const answer = await stdio.ask(legacyMessage('logging/setLevel', { level }));
      expect([level, answer.error?.code]).toEqual([level, -32602]);
    }
    expect(await countLogs()).toBe(0);
  });

  requirement('log:request-stream', 'log messages go where the request is answered, once', async () => {
    await using sample = await startHttp();
    const meta = { 'io.modelcontextprotocol/logLevel': 'error' };
    const modern = await sample.http.open(
      modernRequest(modernMessage('tools/call', { name: 'log' }, { id: 1, meta })),
    );
    expect((await modern.nextMessage()).params).toEqual({ level: 'error', data: 'oops' });
    expect((await modern.nextMessage()).id).toBe(1);

    const session = await openSession(sample.http, { version: '2025-06-18' });
    await session.request('logging/setLevel', { level: 'error' });
    const listening = await session.listen();
    const legacy = await session.open(legacyMessage('tools/call', { name: 'log' }, 2));
    expect((await legacy.nextMessage()).params).toEqual({ level: 'error', data: 'oops' });
    expect((await legacy.nextMessage()).id).toBe(2);
    sample.server.tools?.registerAll([plainTool('news')]);
    expect((await listening.nextMessage()).method).toBe('notifications/tools/list_changed');
  });
});
