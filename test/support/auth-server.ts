import { execFileSync, fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Server as NetServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../src/base/time/clock.ts';
import type { Clock } from '../../src/base/time/clock.ts';
import { toNodeHandler } from '../../src/http.ts';
import type { HttpOptions } from '../../src/http.ts';
import { createServer, defineTool, silentLogger } from '../../src/index.ts';
import type { ToolwrightServer } from '../../src/index.ts';
import * as z from 'zod';

const FOLDER = fileURLToPath(new URL('../auth-server/', import.meta.url));
const NODE = join(FOLDER, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node');

/** Clients that `test/auth-server/server.mjs` has from the start, and their secret. */
export const CLIENT_SECRET = 'a-secret-of-the-tests-with-32-characters';
export const RESOURCE_SERVER = 'resource-server';
export const MACHINE = 'nightly-job';

/** The authorization server of `test/auth-server`, in a process of its own. */
export class AuthServer {
  readonly issuer: string;
  readonly #process: ChildProcess;
  readonly #keys: string;
  #offsetMs = 0;

  private constructor(issuer: string, child: ChildProcess, keys: string) {
    this.issuer = issuer;
    this.#process = child;
    this.#keys = keys;
  }

  static async start(): Promise<AuthServer> {
    if (!existsSync(NODE) || !existsSync(join(FOLDER, 'node_modules/oidc-provider')))
      throw new Error('test/auth-server is not installed. Run "npm ci" in test/auth-server, or "npm test".');
    const keys = mkdtempSync(join(tmpdir(), 'toolwright-auth-server-'));
    const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
    const subject = ['-subj', '/CN=client', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2'];
    const files = ['-keyout', 'tls.key', '-out', 'tls.crt'];
    // Made anew for each run: no key is in the repository.
    execFileSync('openssl', ['req', '-x509', ...curve, ...files, ...subject], { cwd: keys, stdio: 'pipe' });
    const child = fork(join(FOLDER, 'server.mjs'), {
      execPath: NODE,
      execArgv: [],
      env: { NODE_EXTRA_CA_CERTS: join(keys, 'tls.crt'), NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => (output += text));
    const started = await Promise.race([once(child, 'message'), once(child, 'exit')]);
    const [message] = started as [{ readonly issuer?: string } | number | null];
    if (typeof message !== 'object' || message?.issuer === undefined) {
      rmSync(keys, { recursive: true, force: true });
      throw new Error(`The authorization server of the tests did not start:\n${output}`);
    }
    return new AuthServer(message.issuer, child, keys);
  }

  /** A clock that shows the same time as this server. */
  get clock(): Clock {
    return {
      now: () => systemClock.now() + this.#offsetMs,
      wallTime: () => Date.now() + this.#offsetMs,
      schedule: (...args) => systemClock.schedule(...args),
    };
  }

  /** Sets the time of this server and of its clocks, relative to that of the machine. */
  async setTime(offsetMs: number): Promise<void> {
    this.#process.send({ offsetMs });
    await once(this.#process, 'message');
    this.#offsetMs = offsetMs;
  }

  /** Publishes a client metadata document over HTTPS. Returns its URL, which is the id of the client. */
  async publishClient(metadata: Readonly<Record<string, unknown>>): Promise<Served> {
    const [key, cert] = ['tls.key', 'tls.crt'].map((name) => readFileSync(join(this.#keys, name)));
    const served = await listen(
      createHttpsServer({ key, cert }, (_, response) => {
        const document = { ...metadata, client_id: served.url };
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
      }),
      'https',
      '/client.json',
    );
    return served;
  }

  /** Sends a form to an endpoint of this server. */
  post(path: string, form: Readonly<Record<string, string>>, client?: string): Promise<Response> {
    const basic = Buffer.from(`${client}:${CLIENT_SECRET}`).toString('base64');
    return fetch(`${this.issuer}${path}`, {
      method: 'POST',
      headers: client === undefined ? {} : { authorization: `Basic ${basic}` },
      body: new URLSearchParams(form),
    });
  }

  async close(): Promise<void> {
    const ended = once(this.#process, 'exit');
    this.#process.disconnect();
    await ended;
    rmSync(this.#keys, { recursive: true, force: true });
  }
}

/** A server that listens on loopback. */
export interface Served {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves an MCP server whose options need its own URL, which is known once its port is. */
export async function serveProtected(
  server: ToolwrightServer,
  optionsOf: (url: string) => HttpOptions,
  path = '/mcp',
): Promise<Served> {
  const http = createHttpServer();
  const listening = await listen(http, 'http', path);
  const handler = toNodeHandler(server, { path, ...optionsOf(listening.url) });
  http.on('request', (request, response) => handler(request, response));
  return {
    url: listening.url,
    close: async () => {
      await handler.close(0);
      await listening.close();
      await server.close();
    },
  };
}

async function listen(
  server: NetServer & { closeAllConnections(): void },
  scheme: string,
  path: string,
): Promise<Served> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `${scheme}://127.0.0.1:${port}${path}`,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** A server with a tool for everyone, and one with a scope that clients step up to. */
export function createNotes(): ToolwrightServer {
  return createServer({
    name: 'notes',
    version: '1.0.0',
    logger: silentLogger,
    missingScopes: 'challenge',
    tools: [
      defineTool({
        name: 'whoami',
        description: 'Tells the caller',
        inputSchema: z.object({}),
        handler: ({ context: { principal } }) =>
          JSON.stringify(principal ? { id: principal.id, scopes: principal.scopes } : 'anonymous'),
      }),
      defineTool({
        name: 'write',
        description: 'Writes a note',
        scopes: ['notes:write'],
        inputSchema: z.object({}),
        handler: () => 'written',
      }),
    ],
  });
}
