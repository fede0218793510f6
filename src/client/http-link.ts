import { systemClock } from '../base/time/clock.ts';
import type { Clock } from '../base/time/clock.ts';
import { LinkError, parseMessage } from './link.ts';
import type { Link, RpcMessage, SendOptions } from './link.ts';

/** The parameter that `Mcp-Name` repeats, by method. */
const NAMED: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
};

/** How long a server may take to forget a session; whoever leaves does not wait for more. */
const GOODBYE_MS = 2000;

/** Options of {@link linkToUrl}. */
export interface UrlLinkOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly clock?: Clock;
}

/** A server over HTTP. */
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
        // Elsewhere nobody knows the session, and the headers are for this server alone.
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
      throw new LinkError(`${showUrl(url)} cannot be reached${why}.`, { cause: error });
    }
  };
  return link;
}

/** Without what may be a secret: people send what they see here to others. */
function showUrl({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}

function versionHeader(version: string | undefined): Record<string, string> {
  return version === undefined ? {} : { 'mcp-protocol-version': version };
}

/** As the protocol has it: what a header cannot carry goes as base64. */
function toHeaderValue(name: string): string {
  const isPlain =
    /^[\u0021-\u007E](?:[\u0020-\u007E]*[\u0021-\u007E])?$/.test(name) && !/^=\?base64\?/i.test(name);
  return isPlain ? name : `=?base64?${Buffer.from(name).toString('base64')}?=`;
}

/** Whose answer is read, and who gets it. */
interface Reader {
  readonly url: URL;
  readonly link: Link;
}

/** Gives on what a server answers. Nothing else will bring the answer to a request: when it was not there, that is an error. */
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
    // One that has no id, since the server could not read that far, is about this request all the same.
    const answer = { ...received, id: received.id ?? id };
    isAnswered ||= answer.id === id;
    link.onMessage(answer);
  };
  try {
    await read(response, url, deliver);
  } catch (error) {
    if (error instanceof LinkError) throw error;
    throw new LinkError(`${showUrl(url)}: the connection broke in the middle of an answer. Try again.`, {
      cause: error,
    });
  }
  if (isRequest && !isAnswered)
    throw new LinkError(
      `${showUrl(url)} ended its answer to ${method} (status ${response.status}) without a result. Look into its log.`,
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
  deliver(message);
}

function refused({ status, headers }: Response, text: string, url: URL): LinkError {
  const moved = headers.get('location');
  if (moved !== null) {
    const target = URL.canParse(moved, url.href) ? showUrl(new URL(moved, url)) : 'another address';
    return new LinkError(`The server answered ${status}: it has moved to ${target}. Use that address.`);
  }
  if (status === 401)
    return new LinkError(
      'The server answered 401: it wants to know who you are. Use --header "Authorization: Bearer …".',
    );
  if (status === 404)
    return new LinkError(
      'The server answered 404: there is nothing at this path. Servers are often at /mcp.',
    );
  return new LinkError(
    `The server answered ${status} with something that is not a message: ${text.trim().slice(0, 200)}`,
    { mayBeOld: status >= 400 && status < 500 },
  );
}

/** The events of a stream, as they come. */
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
        throw new LinkError(`The server sent an event that is not a message: ${text.trim().slice(0, 200)}`);
      deliver(message);
    }
  }
}
