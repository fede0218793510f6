/** Raw HTTP for attackers: requests in parts over their own connections, with or without reading the response. */
import { connect } from 'node:net';

/** Filler just below the maximum message size (4 MiB). All requests share the buffer, to save memory of the attackers. */
export const FILLER = Buffer.alloc(4_000_000, 'x');
/** Placeholder for {@link FILLER} in a message. */
export const FILLED = '@filler@';

/** Maximum number of bytes kept of a response. */
const MAX_HEAD = 16_384;

const MODERN = '2026-07-28';

/** The parts of a message, with the filler inserted. */
function partsOf(message) {
  const texts = JSON.stringify(message).split(FILLED);
  return texts.flatMap((text, index) => (index === 0 ? [Buffer.from(text)] : [FILLER, Buffer.from(text)]));
}

/** A message as the body of a request. */
function bodyOf(message) {
  const body = partsOf(message);
  return { body, length: body.reduce((sum, { length }) => sum + length, 0) };
}

/** A request as bytes. `length` is its Content-Length; undefined for other framing. */
export function request(target, { method = 'POST', path = '/mcp', headers = [], body = [], length }) {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Accept: application/json, text/event-stream',
    ...(method === 'POST' ? ['Content-Type: application/json'] : []),
    ...target.headers,
    ...headers,
  ];
  const framed = length === undefined ? lines : [...lines, `Content-Length: ${length}`];
  return [Buffer.from(`${framed.join('\r\n')}\r\n\r\n`), ...body];
}

/** A request of 2026-07-28. `name` is the value of `Mcp-Name`; it is omitted if it is as long as the filler. */
export function modern(target, { method, params, name, id = 1, meta = {}, headers = ['Connection: close'] }) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': MODERN,
    'io.modelcontextprotocol/clientCapabilities': { extensions: { 'io.modelcontextprotocol/tasks': {} } },
    ...meta,
  };
  const named = name === undefined ? [] : [`Mcp-Name: ${name}`];
  return request(target, {
    headers: [`MCP-Protocol-Version: ${MODERN}`, `Mcp-Method: ${method}`, ...named, ...headers],
    ...bodyOf({ jsonrpc: '2.0', id, method, params: { ...params, _meta } }),
  });
}

export function call(target, name, args) {
  return modern(target, { method: 'tools/call', name, params: { name, arguments: args } });
}

/** A request, a notification or a batch of an earlier revision, in a session or without one. */
export function legacy(target, message, { session, version = '2025-11-25', path } = {}) {
  const headers = ['Connection: close'];
  if (session !== undefined) headers.push(`MCP-Protocol-Version: ${version}`, `Mcp-Session-Id: ${session}`);
  return request(target, { ...(path === undefined ? {} : { path }), headers, ...bodyOf(message) });
}

/** The handshake of an earlier revision. */
export function initialize(target, { clientInfo, capabilities = {}, version = '2025-11-25', path } = {}) {
  const params = {
    protocolVersion: version,
    capabilities,
    clientInfo: clientInfo ?? { name: 'attacker', version: '1' },
  };
  return legacy(target, { jsonrpc: '2.0', id: 0, method: 'initialize', params }, { path });
}

/** The notification that completes the handshake. */
export function initialized(target, where) {
  return legacy(target, { jsonrpc: '2.0', method: 'notifications/initialized' }, where);
}

export function sessionOf(head) {
  return /^mcp-session-id: (\S+)/im.exec(head)?.[1];
}

/** One connection of an attacker. */
export class Connection {
  #socket;
  #heads = '';
  #isOurs = false;
  /** Number of bytes read. */
  received = 0;
  /** Resolves when the connection has ended. */
  closed;

  constructor(port, { isRead = true } = {}) {
    this.#socket = connect(port, '127.0.0.1');
    if (isRead) this.#socket.on('data', (chunk) => this.#hear(chunk));
    // Paused before the connection exists: later, the first bytes would already be read.
    else this.#socket.pause();
    this.#socket.on('error', () => {});
    this.closed = new Promise((resolve) => {
      this.#socket.once('close', () => resolve());
    });
  }

  get head() {
    return this.#heads;
  }

  get sent() {
    // Undefined until the connection exists.
    return (this.#socket.bytesWritten ?? 0) - this.#socket.writableLength;
  }

  /** The status of the response, and whether the connection was held until the end. */
  get outcome() {
    const status = /^HTTP\/1\.1 (?<status>\d{3})/.exec(this.#heads)?.groups?.status;
    if (this.#isOurs) return status === undefined ? 'held' : `${status} held`;
    return status ?? 'cut';
  }

  send(parts) {
    for (const part of parts) this.#socket.write(part);
  }

  stopReading() {
    this.#socket.removeAllListeners('data').pause();
  }

  hangUp() {
    this.#isOurs ||= !this.#socket.destroyed;
    this.#socket.destroy();
  }

  /** Resolves when the response matches, or the connection has ended. */
  heard(what) {
    return new Promise((resolve) => {
      const look = () => {
        if (!this.#socket.destroyed && !what.test(this.#heads)) return;
        this.#socket.off('data', look).off('close', look);
        resolve();
      };
      this.#socket.on('data', look).on('close', look);
      look();
    });
  }

  #hear(chunk) {
    this.received += chunk.length;
    if (this.#heads.length < MAX_HEAD)
      this.#heads += chunk.subarray(0, MAX_HEAD - this.#heads.length).toString('latin1');
  }
}
