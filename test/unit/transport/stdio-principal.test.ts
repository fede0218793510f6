import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { loadConfig } from '../../../src/config.ts';
import { createServer, defineTool } from '../../../src/index.ts';
import { serveStdio } from '../../../src/stdio.ts';
import type { ServeStdioOptions } from '../../../src/stdio.ts';
import { runCli } from '../cli/run-cli.ts';

const LIST = `${JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/list',
  params: {
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
})}\n`;

const server = () =>
  createServer({
    name: 'notes',
    version: '1.0.0',
    tools: ['read', 'write'].map((name) =>
      defineTool({ name, description: name, scopes: [name], inputSchema: z.object({}), handler: () => 1 }),
    ),
  });

async function listOver(
  served: Parameters<typeof serveStdio>[0],
  options: ServeStdioOptions,
): Promise<string[]> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const running = serveStdio(served, { ...options, input, output });
  input.write(LIST);
  const [line] = (await once(output, 'data')) as [Buffer];
  await running.close();
  const { result } = JSON.parse(line.toString()) as { result: { tools: { name: string }[] } };
  return result.tools.map(({ name }) => name);
}

describe('serveStdio', () => {
  test('the principal has its scopes; without one the caller is anonymous', async () => {
    expect(await listOver(server(), {})).toEqual([]);
    expect(await listOver(server(), { principal: { id: 'ada', scopes: ['read'] } })).toEqual(['read']);
    expect(await listOver(server(), { caller: { principal: { id: 'ada', scopes: ['write'] } } })).toEqual([
      'write',
    ]);
  });

  test.each([
    [{ principal: { id: '' } }, 'serveStdio: principal must be an object with an id'],
    [{ principal: { id: 7 } }, 'serveStdio: principal must be an object with an id'],
    [{ principal: { id: 'ada', scopes: 'read' } }, 'serveStdio: principal must be an object with an id'],
    [{ principal: 'ada' }, 'serveStdio: principal must be an object with an id'],
    [
      { principal: { id: 'ada' }, caller: { principal: { id: 'bob' } } },
      'serveStdio: use either principal or caller.principal, not both.',
    ],
  ])('rejects %j', (options, message) => {
    expect(() => serveStdio(server(), options as unknown as ServeStdioOptions)).toThrow(message);
  });
});

describe('principal of a configuration', () => {
  let folder = '';
  afterEach(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });
  const write = (): string => {
    folder = mkdtempSync(join(tmpdir(), 'toolwright-principal-'));
    const file = join(folder, 'toolwright.config.yaml');
    writeFileSync(
      file,
      `name: notes
principal: { id: '\${env:NOTES_USER}', scopes: [read], roles: [editor] }
policy: { rules: [{ names: [edit], roles: [editor] }, { names: [audit], roles: [admin] }] }
tools:
  - { name: read, description: Reads, scopes: [read], http: { url: 'https://a.example' } }
  - { name: edit, description: Edits, http: { url: 'https://a.example', method: PUT } }
  - { name: audit, description: Audits, http: { url: 'https://a.example' } }
`,
    );
    return file;
  };

  test('comes from the environment, and is the caller over stdio', async () => {
    await using configured = await loadConfig(write(), { env: { NOTES_USER: 'ada' } });
    expect(configured.principal).toEqual({ id: 'ada', scopes: ['read'], roles: ['editor'] });
    const { principal } = configured;
    expect(await listOver(configured.server, principal === undefined ? {} : { principal })).toEqual([
      'read',
      'edit',
    ]);
  });

  test('a variable that is missing is a mistake: the caller is not anonymous instead', async () => {
    await expect(loadConfig(write(), { env: {} })).rejects.toThrow('NOTES_USER');
  });

  test('is the caller of toolwright list and serve, on standard input and output', async () => {
    write();
    vi.stubEnv('NOTES_USER', 'ada');
    const { out } = await runCli(['list', '--json'], { cwd: folder });
    expect((JSON.parse(out) as { tools: { name: string }[] }).tools.map(({ name }) => name)).toEqual([
      'read',
      'edit',
    ]);
    const [incoming, outlet] = [new PassThrough(), new PassThrough()];
    const ran = runCli(['serve'], { cwd: folder, incoming, outlet });
    incoming.write(LIST);
    const [line] = (await once(outlet, 'data')) as [Buffer];
    incoming.end();
    expect((await ran).code).toBe(0);
    const { result } = JSON.parse(line.toString()) as { result: { tools: { name: string }[] } };
    expect(result.tools.map(({ name }) => name)).toEqual(['read', 'edit']);
  });
});
