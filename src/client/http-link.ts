import { LinkError } from './link.ts';
import type { Link, RpcMessage, SendOptions } from './link.ts';

/** The parameter that `Mcp-Name` repeats, by method. */
const NAMED: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};

/** A server over HTTP. */
export function linkToUrl(url: URL, headers: Readonly<Record<string, string>> = {}): Link {
  let session: string | undefined;
  let version: string | undefined;
  const open = new AbortController();
  const link: Link = {
    send: async (message, options = {}) => {
      const response = await request(message, options);
      session ??= response.headers.get('mcp-session-id') ?? undefined;
      await read(response, link);
    },
    onMessage: () => {},
    onEnd: () => {},
    agree: (agreed) => {
      version = agreed;
    },
    close: async () => {
      open.abort();
      if (session === undefined) return;
      await fetch(url, { method: 'DELETE', headers: { ...headers, 'mcp-session-id': session } }).catch(
        () => {},
      );
    },
  };
  const request = async (
    message: RpcMessage,
    { signal, isModern = false }: SendOptions,
  ): Promise<Response> => {
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
          ...(!isModern && version !== undefined ? { 'mcp-protocol-version': version } : {}),
          ...(session === undefined ? {} : { 'mcp-session-id': session }),
        },
      });
    } catch (error) {
      const { cause } = error as { cause?: { code?: string } };
      throw new LinkError(
        `${url.href} cannot be reached${cause?.code === undefined ? '' : ` (${cause.code})`}.`,
        { cause: error },
      );
    }
  };
  return link;
}

/** As the protocol has it: what a header cannot carry goes as base64. */
function toHeaderValue(name: string): string {
  const isPlain =
    /^[\u0021-\u007E](?:[\u0020-\u007E]*[\u0021-\u007E])?$/.test(name) && !/^=\?base64\?/i.test(name);
  return isPlain ? name : `=?base64?${Buffer.from(name).toString('base64')}?=`;
}

async function read(response: Response, link: Link): Promise<void> {
  const type = (response.headers.get('content-type') ?? '').split(';')[0]?.trim();
  if (type === 'text/event-stream') return readEvents(response, link);
  const text = await response.text();
  if (response.status === 202 || (response.ok && text === '')) return;
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    throw refused(response, text);
  }
  if (typeof message !== 'object' || message === null || !('jsonrpc' in message))
    throw refused(response, text);
  link.onMessage(message as RpcMessage);
}

function refused({ status, headers }: Response, text: string): LinkError {
  const moved = headers.get('location');
  if (moved !== null)
    return new LinkError(`The server answered ${status}: it has moved to ${moved}. Use that address.`);
  if (status === 401)
    return new LinkError(
      'The server answered 401: it wants to know who you are. Use --header "Authorization: Bearer …".',
    );
  if (status === 404)
    return new LinkError(
      'The server answered 404: there is nothing at this path. Servers are often at /mcp.',
    );
  return new LinkError(
    `The server answered ${status} with something that is no message: ${text.trim().slice(0, 200)}`,
    { mayBeOld: status >= 400 && status < 500 },
  );
}

/** The events of a stream, as they come. */
async function readEvents(response: Response, link: Link): Promise<void> {
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
      if (text.trim() !== '') link.onMessage(JSON.parse(text) as RpcMessage);
    }
  }
}
