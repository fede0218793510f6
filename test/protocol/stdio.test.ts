import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROOT } from '../support/dist.ts';
import { requirement } from './requirement.ts';
import { within } from './support/inbox.ts';
import { startStdio } from './support/raw-stdio.ts';
import { initializeMessage, legacyMessage, modernMessage, notification, textOf } from './support/rpc.ts';
import type { RpcMessage } from './support/rpc.ts';

const PRIMES = { name: 'primes' };

describe('lines', () => {
  requirement('stdio:lines', 'a message is one line, and blank lines do no harm', async () => {
    await using sample = startStdio();
    const { stdio } = sample;
    stdio.write(`\n  \r\n${JSON.stringify(modernMessage('tools/call', PRIMES, { id: 1 }))}\r\n\n`);
    stdio.write(`${JSON.stringify(modernMessage('tools/call', PRIMES, { id: 2 }))}\n`);
    const lines = [await stdio.lines.next(), await stdio.lines.next()];
    expect(lines.map((line) => (JSON.parse(line) as RpcMessage).id)).toEqual([1, 2]);
    const meta = { 'io.modelcontextprotocol/clientInfo': { name: 'two\nlines\u2028', version: '1' } };
    const answer = await stdio.modern('tools/call', { name: 'whoami' }, { meta });
    expect(textOf(answer)).toBe('undefined two\nlines\u2028 undefined');
  });

  requirement(
    'stdio:chunks',
    'lines and characters may come in pieces, the last without an end',
    async () => {
      await using sample = startStdio();
      const { stdio } = sample;
      const meta = { 'io.modelcontextprotocol/clientInfo': { name: 'größer 世界', version: '1' } };
      const text = JSON.stringify(modernMessage('tools/call', { name: 'whoami' }, { id: 1, meta }));
      for (const byte of Buffer.from(`${text}\n`)) stdio.write(Buffer.from([byte]));
      expect(textOf(await stdio.next())).toBe('undefined größer 世界 undefined');
      const two = [
        modernMessage('tools/call', PRIMES, { id: 2 }),
        modernMessage('tools/call', PRIMES, { id: 3 }),
      ];
      stdio.write(two.map((message) => JSON.stringify(message)).join('\n'));
      expect((await stdio.next()).id).toBe(2);
      stdio.end();
      expect((await stdio.next()).id).toBe(3);
      await stdio.closed();
    },
  );

  requirement(
    'stdio:too-long',
    'a line that is too long is refused once, and the next one is read',
    async () => {
      await using sample = startStdio({ limits: { maxMessageBytes: 1000 } });
      const { stdio } = sample;
      for (let part = 0; part < 5; part += 1) stdio.write('x'.repeat(900));
      expect(await stdio.next()).toEqual({
        jsonrpc: '2.0',
        error: { code: -32600, message: 'The message is longer than 1000 bytes.' },
      });
      stdio.write(`${'x'.repeat(900)}\n`);
      expect((await stdio.modern('tools/call', PRIMES, { id: 'next' })).id).toBe('next');
    },
  );

  requirement('stdio:not-utf8', 'a line that is not UTF-8 is refused, and the next one is read', async () => {
    await using sample = startStdio();
    const { stdio } = sample;
    stdio.write(Buffer.from([0x22, 0xc3, 0x28, 0x22, 0x0a]));
    const refused = await stdio.next();
    expect([refused.error?.code, 'id' in refused]).toEqual([-32700, false]);
    expect((await stdio.modern('tools/call', PRIMES, { id: 'next' })).id).toBe('next');
  });

  requirement(
    'stdio:parse-error',
    'a line that is no JSON is refused, and the next one is read',
    async () => {
      await using sample = startStdio();
      const { stdio } = sample;
      for (const line of ['{', 'hello', '{"jsonrpc":"2.0","id":1,"method":"ping"} trailing']) {
        stdio.write(`${line}\n`);
        const refused = await stdio.next();
        expect([line, refused.error?.code, 'id' in refused]).toEqual([line, -32700, false]);
      }
      expect((await stdio.modern('tools/call', PRIMES, { id: 'next' })).id).toBe('next');
    },
  );
});

describe('both eras', () => {
  requirement('stdio:both-eras', 'requests of both eras are served as they come', async () => {
    await using sample = startStdio();
    const { stdio, gate, server } = sample;
    expect((await stdio.modern('tools/call', PRIMES)).result?.resultType).toBe('complete');
    await stdio.initialize('2025-06-18');
    stdio.write(modernMessage('tools/call', { name: 'wait', arguments: { name: 'm' } }, { id: 1 }));
    stdio.write(legacyMessage('tools/call', { name: 'wait', arguments: { name: 'l' } }, 1));
    expect([await gate.started.next(), await gate.started.next()].sort()).toEqual(['l', 'm']);
    gate.open();
    const answers = [await stdio.next(), await stdio.next()];
    expect(answers.map(({ id }) => id)).toEqual([1, 1]);
    expect(answers.map(({ result }) => String(result?.resultType)).sort()).toEqual(['complete', 'undefined']);
    const uri = 'docs://manual';
    await stdio.ask(legacyMessage('resources/subscribe', { uri }));
    await stdio.modern(
      'subscriptions/listen',
      { notifications: { resourceSubscriptions: [uri] } },
      { id: 's' },
    );
    server.resources?.notifyUpdated(uri);
    const told = [await stdio.next(), await stdio.next()];
    expect(told.map(({ params }) => Object.keys(params ?? {}).length).sort((a, b) => a - b)).toEqual([1, 2]);
  });

  requirement('stdio:probe', 'a probe finds a modern server, or learns what it speaks', async () => {
    await using sample = startStdio();
    const found = await sample.stdio.modern('server/discover');
    expect(found.result?.['supportedVersions']).toEqual(['2026-07-28']);
    await using other = startStdio();
    const meta = { 'io.modelcontextprotocol/protocolVersion': '2027-01-01' };
    const refused = await other.stdio.modern('server/discover', {}, { meta });
    expect(refused.error).toMatchObject({ code: -32022, data: { supported: ['2026-07-28'] } });
    expect((await other.stdio.initialize('2025-11-25')).result?.protocolVersion).toBe('2025-11-25');
  });

  requirement('stdio:no-requests', 'a modern client is never sent a request', async () => {
    await using sample = startStdio();
    const { stdio } = sample;
    const capabilities = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };
    // Not even if the other era could be used on the same connection.
    await stdio.initialize('2025-11-25', capabilities);
    for (const name of ['greet', 'ask_all', 'two_rounds', 'visit']) {
      const { method, result } = await stdio.modern('tools/call', { name }, { capabilities });
      expect([name, method, result?.resultType]).toEqual([name, undefined, 'input_required']);
    }
  });
});

describe('a process', () => {
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'stdio-'));
    await build({
      root: ROOT,
      configFile: false,
      logLevel: 'silent',
      build: {
        ssr: fileURLToPath(new URL('./support/noisy-server.ts', import.meta.url)),
        outDir: folder,
        emptyOutDir: false,
        target: 'node20',
        rollupOptions: { output: { entryFileNames: 'server.mjs' } },
      },
      ssr: { noExternal: true },
    });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  interface Ended {
    readonly code: number | null;
    readonly signal: string | null;
    readonly lines: readonly string[];
    readonly errors: string;
  }

  /** Starts the server, sends the lines, closes its input, and waits for its end. */
  async function run(input: string, env: Readonly<Record<string, string>> = {}): Promise<Ended> {
    const child = spawn(process.execPath, [join(folder, 'server.mjs')], {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
    });
    let output = '';
    let errors = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
    const closed = new Promise<[number | null, string | null]>((resolve) => {
      child.on('close', (code, signal) => resolve([code, signal]));
    });
    child.stdin.end(input);
    try {
      const [code, signal] = await within(closed, 'the server to leave');
      return { code, signal, lines: output.split('\n'), errors };
    } finally {
      child.kill('SIGKILL');
    }
  }

  const lines = (...messages: unknown[]): string =>
    messages.map((message) => `${JSON.stringify(message)}\n`).join('');

  requirement('stdio:eof', 'when its input ends, the process answers and leaves', async () => {
    const {
      code,
      signal,
      lines: written,
    } = await run(
      lines(
        initializeMessage('2025-11-25'),
        notification('notifications/initialized'),
        modernMessage('subscriptions/listen', { notifications: { toolsListChanged: true } }, { id: 'sub' }),
        legacyMessage('tools/call', { name: 'noisy' }, 'last'),
      ),
    );
    expect([code, signal]).toEqual([0, null]);
    const ids = written.filter((line) => line !== '').map((line) => (JSON.parse(line) as RpcMessage).id);
    expect(ids).toContain('last');
    expect(ids).toContain('sub');
    expect(await run('')).toMatchObject({ code: 0, lines: [''] });
  });

  requirement('stdio:only-messages', 'whatever tools print, only messages are written', async () => {
    const { lines: written, errors } = await run(
      lines(modernMessage('tools/call', { name: 'noisy' }, { id: 1 })),
    );
    expect(written.at(-1)).toBe('');
    expect(written.slice(0, -1).map((line) => JSON.parse(line) as RpcMessage)).toMatchObject([
      { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: 'quiet' }] } },
    ]);
    expect(errors).toContain('printed by a tool');
    expect(errors).toContain('written by a tool');
  });

  test('a replaced process.stdout.write does not make the server wait for a reader', async () => {
    const input = lines(
      initializeMessage('2025-11-25'),
      notification('notifications/initialized'),
      legacyMessage('tools/call', { name: 'counting', _meta: { progressToken: 7 } }, 'counted'),
    );
    const { code, lines: written } = await run(input, { WRAPPED: '1' });
    const messages = written.filter((line) => line !== '').map((line) => JSON.parse(line) as RpcMessage);
    expect(code).toBe(0);
    expect(messages.slice(1).map(({ id, params }) => id ?? params?.['progress'])).toEqual([
      1,
      2,
      3,
      'counted',
    ]);
  });
});
