import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createTestIssuer } from '../../src/testing.ts';
import type { TestIssuer } from '../../src/testing.ts';
import { runCli } from '../unit/cli/run-cli.ts';
import { whileServing } from '../unit/cli/while-serving.ts';

let folder = '';
let identity: Server;
let origin = '';
let issuer: TestIssuer;

/** An identity provider on loopback: its metadata and its keys. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'toolwright-configured-auth-'));
  identity = createServer((request, response) => {
    const bodies: Record<string, object> = {
      '/.well-known/oauth-authorization-server': { issuer: origin, jwks_uri: `${origin}/keys` },
      '/keys': issuer.jwks,
    };
    const body = bodies[request.url ?? ''];
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body ?? {}));
  });
  await new Promise<void>((resolve) => identity.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(identity.address() as AddressInfo).port}`;
  issuer = await createTestIssuer({ issuer: origin, audience: 'https://notes.example.com/mcp' });
  writeFileSync(
    join(folder, 'toolwright.config.yaml'),
    `name: notes
transport: { type: http, port: 0 }
outbound: { allowPrivate: ['127.0.0.1'] }
auth:
  jwt:
    issuer: \${env:ISSUER}
    audience: https://notes.example.com/mcp
    tenantClaim: org
  requiredScopes: [notes]
  scopesSupported: [notes, notes:write]
policy:
  rules:
    - { readOnly: false, scopes: ['notes:write'] }
    - { include: { any: [admin] }, roles: [admin], tenants: [acme] }
tools:
  - { name: read_note, description: Reads a note, http: { url: 'https://a.example/notes' } }
  - { name: write_note, description: Writes a note, http: { url: 'https://a.example/notes', method: PUT } }
  - { name: audit, description: Lists who wrote, tags: [admin], http: { url: 'https://a.example/audit' } }
`,
  );
  vi.stubEnv('ISSUER', origin);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await new Promise((resolve) => identity.close(resolve));
  rmSync(folder, { recursive: true });
});
const clients: Client[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});

async function connect(url: URL, mode: 'auto' | 'legacy', token?: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  clients.push(client);
  return client;
}

const namesOf = async (client: Client): Promise<string[]> =>
  (await client.listTools()).tools.map(({ name }) => name);

describe('toolwright serve with auth and policy in the file', () => {
  test('the official client, in both eras', { timeout: 30_000 }, async () => {
    await whileServing(['serve'], { cwd: folder }, async (url) => {
      const metadata = await fetch(new URL('/.well-known/oauth-protected-resource/mcp', url));
      expect(await metadata.json()).toEqual({
        resource: 'https://notes.example.com/mcp',
        authorization_servers: [origin],
        scopes_supported: ['notes', 'notes:write'],
        bearer_methods_supported: ['header'],
      });
      const reader = await issuer.tokenFor({ sub: 'ada', scopes: ['notes'] });
      const admin = await issuer.tokenFor({
        sub: 'bob',
        scopes: ['notes', 'notes:write'],
        claims: { roles: ['admin'], org: 'acme' },
      });
      const stranger = await issuer.tokenFor({
        sub: 'eve',
        scopes: ['notes'],
        claims: { roles: ['admin'], org: 'umbrella' },
      });
      for (const mode of ['auto', 'legacy'] as const) {
        const expired = await issuer.tokenFor({ sub: 'ada', scopes: ['notes'], expiresIn: -60 });
        for (const token of [undefined, 'wrong', expired])
          await expect(connect(url, mode, token)).rejects.toThrow(
            /HTTP 401|Authentication is required|The token (?:is malformed|has expired)/,
          );
        expect(await namesOf(await connect(url, mode, admin))).toEqual(['read_note', 'write_note', 'audit']);
        expect(await namesOf(await connect(url, mode, stranger))).toEqual(['read_note']);
        const client = await connect(url, mode, reader);
        expect(await namesOf(client)).toEqual(['read_note']);
        const failure = async (name: string): Promise<string> =>
          client.callTool({ name, arguments: {} }).then(
            () => 'no error',
            (error: Error) => error.message.replaceAll(name, 'X'),
          );
        expect(await failure('write_note')).toBe(await failure('no_such_tool'));
        expect(await failure('write_note')).toContain('Unknown tool');
      }
    });
  });
});

test('toolwright serve without a token provider: the client gets a 401 that it can act on', async () => {
  await whileServing(['serve'], { cwd: folder }, async (url) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
    });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe(
      'Bearer scope="notes", resource_metadata="https://notes.example.com/.well-known/oauth-protected-resource/mcp"',
    );
  });
});

test('toolwright list calls the file as a principal with scopes', async () => {
  const { out } = await runCli(['list', '--as', 'ada', '--scopes', 'notes:write'], { cwd: folder });
  expect(out).toContain('write_note');
  expect(out).not.toContain('audit');
});
