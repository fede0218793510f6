import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { ConfigError, loadConfig } from '../../../src/config.ts';
import type { ConfiguredServer } from '../../../src/config.ts';

/** A request, as the upstream server received it. */
export interface Seen {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A response of the upstream server. */
export interface UpstreamAnswer {
  readonly status?: number;
  readonly type?: string;
  readonly body?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

type Variables = Readonly<Record<string, string>>;

/** A folder for each test of a file, and helpers for it. */
export interface Scratch {
  folder(): string;
  write(name: string, content: string): string;
  load(name: string, content: string, env?: Variables): Promise<ConfiguredServer>;
  /** The mistakes in a file, line by line. */
  complaints(name: string, content: string, env?: Variables): Promise<string[]>;
  /** A server that records its requests, and returns the given response. */
  upstream(answer?: UpstreamAnswer): Promise<{ origin: string; seen: Seen[] }>;
}

/** Call it at the top of a test file. */
export function useScratch(): Scratch {
  let folder = '';
  const closers: (() => unknown)[] = [];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'toolwright-config-'));
  });
  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
    rmSync(folder, { recursive: true });
  });
  const write = (name: string, content: string): string => {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    return file;
  };
  const load = async (name: string, content: string, env: Variables = {}): Promise<ConfiguredServer> => {
    const configured = await loadConfig(write(name, content), { env });
    closers.push(() => configured.close());
    return configured;
  };
  return {
    folder: () => folder,
    write,
    load,
    complaints: async (name, content, env = {}) => {
      try {
        await load(name, content, env);
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error;
        return error.message.split('\n').map((line) => line.trim());
      }
      throw new Error('nothing is wrong with it');
    },
    upstream: async (answer = {}) => {
      const { origin, seen, close } = await listen(answer);
      closers.push(close);
      return { origin, seen };
    },
  };
}

async function listen(answer: UpstreamAnswer): Promise<{ origin: string; seen: Seen[]; close: () => void }> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method, url, headers } = request;
      seen.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
      const { status = 200, type = 'application/json', body = '{"ok":true}' } = answer;
      response.writeHead(status, { 'content-type': type, ...answer.headers }).end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen, close };
}

/** Calls a tool. */
export async function call({ server }: ConfiguredServer, name: string, args: object = {}): Promise<unknown> {
  return server.tools?.executeTool({ name, arguments: args });
}

/** A configuration with one tool, named `ask`: the path of its address and, after a space, more members of `http`. */
export function askConfig(origin: string, http: string, args = '{}'): string {
  const space = http.indexOf(' ');
  const [path, more] = space === -1 ? [http, ''] : [http.slice(0, space), `, ${http.slice(space)}`];
  return `name: demo
outbound: { allowPrivate: ['127.0.0.1'], maxRetries: 0, timeoutMs: 2000 }
tools:
  - { name: ask, description: Asks, http: { url: '${origin}${path}' ${more} }, arguments: ${args} }
`;
}
