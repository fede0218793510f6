import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, test } from 'vitest';
import { jwt } from '../../../src/auth.ts';
import { serveHttp } from '../../../src/http.ts';
import { createServer, createTool, silentLogger, ToolRegistry } from '../../../src/index.ts';
import type { ServerOptions } from '../../../src/index.ts';
import { createTestIssuer } from '../../../src/testing.ts';
import type { TestIssuer } from '../../../src/testing.ts';
import * as z from 'zod';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const { close } of open.splice(0).toReversed()) await close();
});

function createNotes(ran: string[]) {
  return createTool('notes')
    .description('Notes')
    .scopes('notes')
    .action({ name: 'list', handler: () => ran.push('list') })
    .action({
      name: 'remove',
      scopes: ['notes:delete'],
      schema: z.object({ id: z.int() }),
      handler: () => ran.push('remove'),
    })
    .action({
      name: 'share',
      schema: z.object({ with: z.string() }),
      argumentScopes: (given) => (given['with'] === 'everyone' ? ['notes:publish'] : []),
      handler: () => ran.push('share'),
    });
}

async function serve(
  options: Partial<ServerOptions>,
): Promise<{ url: string; issuer: TestIssuer; ran: string[] }> {
  const issuer = await createTestIssuer();
  const ran: string[] = [];
  const server = createServer({
    name: 'notes',
    version: '1.0.0',
    tools: [createNotes(ran)],
    exposure: 'flat',
    logger: silentLogger,
    ...options,
  });
  const running = await serveHttp(server, { port: 0, auth: jwt(issuer.jwtOptions) });
  open.push({ close: () => running.close() });
  return { url: running.url, issuer, ran };
}

async function connect(
  url: string,
  token: string,
  mode: 'auto' | 'legacy',
): Promise<{ client: Client; seen: { status: number; challenge: string | null }[] }> {
  const seen: { status: number; challenge: string | null }[] = [];
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
  open.push({ close: () => client.close() });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
      fetch: async (input, init) => {
        const response = await fetch(input, init);
        seen.push({ status: response.status, challenge: response.headers.get('www-authenticate') });
        return response;
      },
    }),
  );
  return { client, seen };
}

const METADATA = 'resource_metadata="https://server.test/.well-known/oauth-protected-resource/mcp"';

describe.each(['auto', 'legacy'] as const)('tools with scopes, %s', (mode) => {
  test('hide: a tool without its scopes is not listed, and unknown', async () => {
    const { url, issuer, ran } = await serve({});
    const { client, seen } = await connect(
      url,
      await issuer.tokenFor({ sub: 'ada', scopes: ['notes'] }),
      mode,
    );
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['notes_list', 'notes_share']);
    await expect(client.callTool({ name: 'notes_remove', arguments: {} })).rejects.toThrow(
      'Unknown tool: notes_remove',
    );
    expect(seen.at(-1)).toEqual({ status: 200, challenge: null });
    expect(ran).toEqual([]);
  });

  test('challenge: it is listed, and its call is a 403 that names all scopes, before validation', async () => {
    const { url, issuer, ran } = await serve({ missingScopes: 'challenge' });
    const { client, seen } = await connect(
      url,
      await issuer.tokenFor({ sub: 'ada', scopes: ['notes'] }),
      mode,
    );
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([
      'notes_list',
      'notes_remove',
      'notes_share',
    ]);
    await expect(client.callTool({ name: 'notes_remove', arguments: { id: 'seven' } })).rejects.toThrow();
    expect(seen.at(-1)).toEqual({
      status: 403,
      challenge: `Bearer error="insufficient_scope", error_description="The call requires further scopes.", scope="notes notes:delete", ${METADATA}`,
    });
    expect(ran).toEqual([]);
    await client.callTool({ name: 'notes_list', arguments: {} });
    expect(ran).toEqual(['list']);
  });

  test('challenge of a grouped tool alone: it is listed, and its call is a 403 before validation', async () => {
    const ran: string[] = [];
    const { url, issuer } = await serve({
      tools: [
        createNotes(ran).missingScopes('challenge'),
        createTool('hidden')
          .scopes('hidden')
          .action({
            name: 'list',
            handler: () => ran.push('hidden'),
          }),
      ],
    });
    const { client, seen } = await connect(url, await issuer.tokenFor({ sub: 'ada', scopes: [] }), mode);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([
      'notes_list',
      'notes_remove',
      'notes_share',
    ]);
    await expect(client.callTool({ name: 'notes_remove', arguments: { id: 'seven' } })).rejects.toThrow();
    expect(seen.at(-1)).toEqual({
      status: 403,
      challenge: `Bearer error="insufficient_scope", error_description="The call requires further scopes.", scope="notes notes:delete", ${METADATA}`,
    });
    await expect(client.callTool({ name: 'hidden_list', arguments: {} })).rejects.toThrow('Unknown tool');
    expect(ran).toEqual([]);
  });

  test('scopes of arguments challenge only the calls with them, also where missing scopes hide', async () => {
    const { url, issuer, ran } = await serve({});
    const { client, seen } = await connect(
      url,
      await issuer.tokenFor({ sub: 'ada', scopes: ['notes'] }),
      mode,
    );
    await client.callTool({ name: 'notes_share', arguments: { with: 'bob' } });
    expect(ran).toEqual(['share']);
    await expect(client.callTool({ name: 'notes_share', arguments: { with: 'everyone' } })).rejects.toThrow();
    expect(seen.at(-1)).toMatchObject({
      status: 403,
      challenge: expect.stringContaining('scope="notes notes:publish"'),
    });
    expect(ran).toEqual(['share']);
  });

  test('a policy hides also where missing scopes are challenged', async () => {
    const { url, issuer } = await serve({
      missingScopes: 'challenge',
      policy: ({ action }) => action !== 'remove',
    });
    const { client } = await connect(url, await issuer.tokenFor({ sub: 'ada', scopes: [] }), mode);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['notes_list', 'notes_share']);
    await expect(client.callTool({ name: 'notes_remove', arguments: { id: 1 } })).rejects.toThrow(
      'Unknown tool',
    );
  });
});

describe('scopes of arguments that validation makes', () => {
  const argumentScopes = (given: Readonly<Record<string, unknown>>): string[] =>
    given['with'] === 'everyone' ? ['notes:publish'] : [];
  const normalized = z.object({ with: z.string().trim().toLowerCase() });

  test.each<[string, object, object]>([
    ['a conversion', { inputSchema: normalized }, { with: ' Everyone ' }],
    ['a default of the schema', { inputSchema: z.object({ with: z.string().default('everyone') }) }, {}],
    [
      'a default argument',
      {
        inputSchema: z.object({ with: z.string() }),
        resolvedArguments: ['with'],
        defaultArgumentResolver: () => ({ with: 'everyone' }),
      },
      {},
    ],
    [
      'a call that needs confirmation',
      { inputSchema: normalized, confirm: 'preview', preview: () => 'shown' },
      { with: 'EVERYONE' },
    ],
  ])('%s', async (_name, definition, given) => {
    const ran: string[] = [];
    const handler = (): string => (ran.push('share'), 'shared');
    const registry = new ToolRegistry({ logger: silentLogger }).register({
      name: 'share',
      description: 'Shares',
      argumentScopes,
      handler,
      ...definition,
    } as never);
    const call = { name: 'share', arguments: given };
    expect(await registry.handleCall({ ...call, principal: { id: 'ada', scopes: [] } })).toEqual({
      kind: 'protocol-error',
      code: -32_600,
      reason: 'INSUFFICIENT_SCOPE',
      message: 'Insufficient scope: "share" requires notes:publish.',
      data: { requiredScopes: ['notes:publish'] },
    });
    expect(ran).toEqual([]);
    const allowed = await registry.handleCall({
      ...call,
      principal: { id: 'ada', scopes: ['notes:publish'] },
    });
    expect(allowed.kind).toBe('result');
  });

  test('one challenge names the scopes of both: a token for it is enough', async () => {
    const registry = new ToolRegistry({ logger: silentLogger }).register({
      name: 'deploy',
      description: 'Deploys',
      scopes: ['deploy'],
      missingScopes: 'challenge',
      inputSchema: z.object({
        stage: z.enum(['p', 't']).transform((stage) => (stage === 'p' ? 'production' : 'test')),
      }),
      argumentScopes: ({ stage }) => (stage === 't' ? [] : [`deploy:${String(stage)}`]),
      handler: () => 'deployed',
    });
    const call = { name: 'deploy', arguments: { stage: 'p' } };
    const scopes = ['deploy', 'deploy:p'];
    expect(await registry.handleCall({ ...call, principal: { id: 'ada', scopes } })).toMatchObject({
      reason: 'INSUFFICIENT_SCOPE',
      data: { requiredScopes: ['deploy', 'deploy:p', 'deploy:production'] },
    });
    const all = [...scopes, 'deploy:production'];
    expect(await registry.handleCall({ ...call, principal: { id: 'ada', scopes: all } })).toMatchObject({
      kind: 'result',
    });
  });

  test('one that cannot read the validated arguments fails the call', async () => {
    const ran: string[] = [];
    const registry = new ToolRegistry({ logger: silentLogger }).register({
      name: 'share',
      description: 'Shares',
      inputSchema: z.object({ with: z.string().transform((names) => names.split(',')) }),
      argumentScopes: (given) => ((given['with'] as string).startsWith('every') ? ['notes:publish'] : []),
      handler: () => ran.push('share'),
    });
    const { isError } = await registry.executeTool({ name: 'share', arguments: { with: 'bob' } });
    expect([isError, ran]).toEqual([true, []]);
  });
});

describe('argumentScopes that misbehaves', () => {
  test.each([
    [
      'throws',
      () => {
        throw new Error('secret detail');
      },
    ],
    ['returns a promise', () => Promise.resolve(['notes'])],
    ['returns a string', () => 'notes'],
    ['returns nothing', () => undefined],
  ])('%s: the call fails, and the handler does not run', async (_name, argumentScopes) => {
    const ran: string[] = [];
    const registry = new ToolRegistry({ logger: silentLogger }).register({
      name: 'share',
      description: 'Shares',
      inputSchema: z.object({}),
      argumentScopes: argumentScopes as never,
      handler: () => ran.push('share'),
    });
    const { isError, content } = await registry.executeTool({
      name: 'share',
      principal: { id: 'ada', scopes: ['notes'] },
    });
    expect(isError).toBe(true);
    expect(JSON.stringify(content)).not.toContain('secret detail');
    expect(ran).toEqual([]);
  });
});

test('a scope made of an argument cannot break the challenge out of its quotes, or the response', async () => {
  const server = createServer({
    name: 'notes',
    version: '1.0.0',
    logger: silentLogger,
    tools: [
      {
        name: 'share',
        description: 'Shares',
        inputSchema: z.object({ project: z.string() }),
        argumentScopes: (given: Readonly<Record<string, unknown>>) => [`project:${String(given['project'])}`],
        handler: () => 'shared',
      },
    ],
  });
  const running = await serveHttp(server, { port: 0, authenticate: () => ({ id: 'ada', scopes: [] }) });
  open.push({ close: () => running.close() });
  const { client, seen } = await connect(running.url, 'any', 'auto');
  await expect(
    client.callTool({ name: 'share', arguments: { project: 'a"\r\nx-evil: 1' } }),
  ).rejects.toThrow();
  expect(seen.at(-1)).toEqual({
    status: 403,
    challenge: `Bearer error="insufficient_scope", scope="project:a'''x-evil: 1"`,
  });
});
