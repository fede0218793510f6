import { systemClock } from '../base/time/clock.ts';
import type { Clock } from '../base/time/clock.ts';
import { LinkError, parseMessage } from './link.ts';
import type { Link, RpcMessage, SendOptions } from './link.ts';

/** The parameter in the `Mcp-Name` header, by method. */
const NAMED: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
};

/** Timeout for deleting the session when the client closes. */
const GOODBYE_MS = 2000;

/** Options of {@link linkToUrl}. */
export interface UrlLinkOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly clock?: Clock;
}

/** Creates a link to a server over HTTP. */
export function linkToUrl(url: URL, { headers = {}, clock = systemClock }: UrlLinkOptions = {}): Link {
  let session: string | undefined;
  let version: string | undefined;
  const open = new AbortController();
  const link: Link = {
    send: async (message, options = {}) => {
      const response = await post(message, options);
      session ??= response.headers.get('mcp-session-id') ?? undefined;
      await readAnswer(response, message, { url, link });
    },
    onMessage: () => {},
    onEnd: () => {},
    agree: (agreed) => {
      version = agreed;
    },
    close: async () => {
      open.abort();
      if (session === undefined) return;
      const tooLong = new AbortController();
      const cancel = clock.schedule(() => tooLong.abort(), GOODBYE_MS);
      await fetch(url, {
        method: 'DELETE',
        // The session and the headers are only for this server.
        redirect: 'manual',
        signal: tooLong.signal,
        headers: { ...headers, ...versionHeader(version), 'mcp-session-id': session },
      }).catch(() => {});
      cancel();
    },
  };
  const post = async (message: RpcMessage, { signal, isModern = false }: SendOptions): Promise<Response> => {
    const name = message.params?.[NAMED[message.method ?? ''] ?? ''];
    try {
      return await fetch(url, {
        method: 'POST',
        redirect: 'manual',
        signal: signal === undefined ? open.signal : AbortSignal.any([open.signal, signal]),
        body: JSON.stringify({ jsonrpc: '2.0', ...message }),
        headers: {
          ...headers,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...(isModern ? { 'mcp-protocol-version': '2026-07-28', 'mcp-method': message.method ?? '' } : {}),
          ...(isModern && typeof name === 'string' ? { 'mcp-name': toHeaderValue(name) } : {}),
          ...(isModern ? {} : versionHeader(version)),
          ...(session === undefined ? {} : { 'mcp-session-id': session }),
        },
      });
    } catch (error) {
      const { cause } = error as { cause?: { code?: string } };
      const why = cause?.code === undefined ? '' : ` (${cause.code})`;
      throw new LinkError(
        `Cannot connect to ${showUrl(url)}${why}. Check the URL, and that the server is running.`,
        { cause: error },
      );
    }
  };
  return link;
}

/** The URL without its query, which may contain a secret. */
function showUrl({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}

function versionHeader(version: string | undefined): Record<string, string> {
  return version === undefined ? {} : { 'mcp-protocol-version': version };
}

/** Encodes a header value as the protocol defines it: base64 if it has characters that headers do not allow. */
function toHeaderValue(name: string): string {
  const isPlain =
    /^[\u0021-\u007E](?:[\u0020-\u007E]*[\u0021-\u007E])?$/.test(name) && !/^=\?base64\?/i.test(name);
  return isPlain ? name : `=?base64?${Buffer.from(name).toString('base64')}?=`;
}

/** The server and the receiver of its messages. */
interface Reader {
  readonly url: URL;
  readonly link: Link;
}

/** Delivers the messages of a response. A request without a response in it fails, because no other message can contain it. */
async function readAnswer(
  response: Response,
  { id = null, method }: RpcMessage,
  { url, link }: Reader,
): Promise<void> {
  const isRequest = id !== null && method !== undefined;
  let isAnswered = false;
  const deliver = (received: RpcMessage): void => {
    if (received.method !== undefined) return link.onMessage(received);
    if (!isRequest) return;
    // An error without an id, for a request that the server could not parse, belongs to this request.
    const answer = { ...received, id: received.id ?? id };
    isAnswered ||= answer.id === id;
    link.onMessage(answer);
  };
  try {
    await read(response, url, deliver);
  } catch (error) {
    if (error instanceof LinkError) throw error;
    throw new LinkError(`${showUrl(url)}: the connection was lost during a response. Try again.`, {
      cause: error,
    });
  }
  if (isRequest && !isAnswered)
    throw new LinkError(
      `${showUrl(url)} responded to ${method} without a result (status ${response.status}). Check the log of the server.`,
      { mayBeOld: true },
    );
}

type Deliver = (message: RpcMessage) => void;

async function read(response: Response, url: URL, deliver: Deliver): Promise<void> {
  const type = (response.headers.get('content-type') ?? '').split(';')[0]?.trim();
  if (type === 'text/event-stream') return readEvents(response, deliver);
  const text = await response.text();
  if (response.status === 202 || (response.ok && text === '')) return;
  const message = parseMessage(text);
  if (message === undefined || !('jsonrpc' in message)) throw refused(response, text, url);
  deliver(response.status === 401 ? withTokenHint(message) : message);
}

/** Adds the option that sends a token to the error of a 401. */
function withTokenHint(message: RpcMessage): RpcMessage {
  const { error } = message;
  if (typeof error?.message !== 'string') return message;
  const hint =
    'Send valid credentials: --header "Authorization: Bearer …", or the header of API keys that this server expects.';
  return { ...message, error: { ...error, message: `${error.message} ${hint}` } };
}

function refused({ status, headers }: Response, text: string, url: URL): LinkError {
  const moved = headers.get('location');
  if (moved !== null) {
    const target = URL.canParse(moved, url.href) ? showUrl(new URL(moved, url)) : 'another address';
    return new LinkError(
      `The server responded with status ${status}: it has moved to ${target}. Use that URL.`,
    );
  }
  if (status === 401)
    return new LinkError(
      'The server responded with status 401: authentication is required. Use --header "Authorization: Bearer …".',
    );
  if (status === 404)
    return new LinkError(
      'The server responded with status 404: nothing is served at this path. Most servers use /mcp.',
    );
  return new LinkError(
    `The server responded with status ${status} without a JSON-RPC message. Check that the URL is an MCP endpoint. The response: ${text.trim().slice(0, 200)}`,
    { mayBeOld: status >= 400 && status < 500 },
  );
}

/** Delivers the events of an SSE stream as they arrive. */
async function readEvents(response: Response, deliver: Deliver): Promise<void> {
  const decoder = new TextDecoder();
  let rest = '';
  let data: string[] = [];
  for await (const chunk of response.body ?? []) {
    const lines = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split(/\r\n|\n|\r/);
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line.startsWith('data:')) data.push(line.slice(line.startsWith('data: ') ? 6 : 5));
      if (line !== '' || data.length === 0) continue;
      const text = data.join('\n');
      data = [];
      if (text.trim() === '') continue;
      const message = parseMessage(text);
      if (message === undefined)
        throw new LinkError(
          `The server sent an event that is not a JSON-RPC message: ${text.trim().slice(0, 200)}`,
        );
      deliver(message);
    }
  }
}
