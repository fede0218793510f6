import { once } from 'node:events';
import { EventReader } from '../../support/raw-http.ts';
import { JSON_FIELDS, mirrorFields, toBytes } from './canary.ts';
import { ChildServer } from './child-server.ts';
import type { ChildOptions } from './child-server.ts';
import { sendAlone } from './raw-socket.ts';

/** A response as received, if there was one. */
export interface Spoken {
  readonly id?: unknown;
  readonly result?: { readonly content?: readonly { readonly text?: string }[] };
  readonly error?: { readonly code: number; readonly message: string };
}

/** A client that sends raw bytes to the canary over one transport. */
export interface Talker {
  readonly title: string;
  readonly server: ChildServer;
  /** Whether its messages must name their revision. */
  readonly isModern: boolean;
  /** Sends a message with a response; returns the response, and its status over HTTP. */
  ask(bytes: Buffer): Promise<{ readonly status?: number; readonly message: Spoken }>;
  /** Sends a message without a response. */
  tell(bytes: Buffer): Promise<void>;
}

/** A client on every transport, one after another: over stdio, and over HTTP in all its forms. */
export async function* everyTalker(options: ChildOptions): AsyncGenerator<Talker> {
  const process = await ChildServer.start('canary-stdio.mjs', options);
  await process.hear('isReady');
  yield talkStdio(process);
  const server = await ChildServer.listen('canary-http.mjs', options);
  yield talkHttp(server);
  yield await talkInSession(server);
  yield await talkSse(server);
}

/** Over HTTP, one request per message. */
function talkHttp(server: ChildServer): Talker {
  const fields = [['Host', '127.0.0.1'], ...JSON_FIELDS, ...mirrorFields('tools/call', 'canary')] as const;
  const say = (body: Buffer): ReturnType<typeof sendAlone> =>
    sendAlone(server.port, toBytes({ method: 'POST', target: '/mcp', fields, body }));
  return {
    title: 'HTTP',
    server,
    isModern: true,
    ask: async (bytes) => {
      const { status = 0, body = '' } = (await say(bytes)) ?? {};
      return { status, message: JSON.parse(body === '' ? '{}' : body) as Spoken };
    },
    tell: async (bytes) => {
      await say(bytes);
    },
  };
}

/** In a session of 2025-03-26, which has batches. */
async function talkInSession(server: ChildServer): Promise<Talker> {
  const post = (body: Buffer | string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(server.url, { method: 'POST', headers: { ...Object.fromEntries(JSON_FIELDS), ...headers }, body });
  const opened = await post(initialize('2025-03-26'));
  await opened.text();
  const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
  return {
    title: 'a session',
    server,
    isModern: false,
    ask: async (bytes) => {
      const response = await post(bytes, session);
      const text = await response.text();
      return { status: response.status, message: JSON.parse(text === '' ? '{}' : text) as Spoken };
    },
    tell: async (bytes) => {
      await (await post(bytes, session)).text();
    },
  };
}

/** Over the endpoints of 2024-11-05. */
async function talkSse(server: ChildServer): Promise<Talker> {
  const events = new EventReader(await fetch(new URL('/sse', server.url)));
  const endpoint = new URL((await events.next())?.data ?? '', server.url);
  const tell = async (body: Buffer | string): Promise<void> => {
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: Object.fromEntries(JSON_FIELDS),
      body,
    });
    await response.text();
  };
  const ask = async (body: Buffer | string): Promise<{ message: Spoken }> => {
    await tell(body);
    return { message: (await events.nextMessage())?.message ?? {} };
  };
  await ask(initialize('2024-11-05'));
  return { title: 'the endpoints of 2024-11-05', server, isModern: false, ask, tell };
}

/** Over stdio, one line per message. */
function talkStdio(server: ChildServer): Talker {
  const { stdin, stdout } = server.process;
  if (stdin === null || stdout === null) throw new Error('the server has no pipes');
  let text = '';
  stdout.setEncoding('utf8');
  stdout.on('data', (chunk: string) => {
    text += chunk;
  });
  const tell = async (bytes: Buffer): Promise<void> => {
    stdin.write(Buffer.concat([bytes, Buffer.from('\n')]));
  };
  return {
    title: 'stdio',
    server,
    isModern: true,
    tell,
    ask: async (bytes) => {
      await tell(bytes);
      const signal = AbortSignal.timeout(10_000);
      while (!text.includes('\n')) await once(stdout, 'data', { signal });
      const end = text.indexOf('\n');
      const line = text.slice(0, end);
      text = text.slice(end + 1);
      return { message: JSON.parse(line) as Spoken };
    },
  };
}

function initialize(protocolVersion: string): string {
  const clientInfo = { name: 'raw', version: '1' };
  const params = { protocolVersion, capabilities: {}, clientInfo };
  return JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
}
