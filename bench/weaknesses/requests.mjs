import { connect } from 'node:net';

const REVISION = '2026-07-28';

/**
 * The text of a call of 2026-07-28. Arguments are passed as text, because some are too deep for `JSON.stringify`.
 *
 * @param {string} name
 * @param {{ args?: string, id?: number }} options
 */
export function toCall(name, { args = '{}', id = 1 } = {}) {
  const meta = JSON.stringify({
    'io.modelcontextprotocol/protocolVersion': REVISION,
    'io.modelcontextprotocol/clientInfo': { name: 'weaknesses', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': {},
    progressToken: id,
  });
  return `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":${JSON.stringify(name)},"arguments":${args},"_meta":${meta}}}`;
}

/** The headers that belong to it. */
export function toHeaders(name) {
  return {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': REVISION,
    'mcp-method': 'tools/call',
    'mcp-name': name,
  };
}

/**
 * The same as raw HTTP; hosts and target can be anything.
 *
 * @param {string} body
 * @param {{ name: string, port: number, hosts?: readonly string[], target?: string }} options
 */
export function toHttp(body, { name, port, hosts = [`127.0.0.1:${port}`], target = '/mcp' }) {
  const lines = [
    `POST ${target} HTTP/1.1`,
    ...hosts.map((host) => `host: ${host}`),
    ...Object.entries(toHeaders(name)).map(([key, value]) => `${key}: ${value}`),
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

/**
 * Sends raw bytes. The status is 0 if the connection is closed without a response, undefined after the timeout.
 *
 * @param {number} port
 * @param {string} text
 * @param {number} limitMs
 * @returns {Promise<{ status: number | undefined, body: string, ms: number }>}
 */
export function sendRaw(port, text, limitMs = 10_000) {
  return new Promise((resolve) => {
    const startedAt = performance.now();
    const socket = connect(port, '127.0.0.1');
    let answer = '';
    const settle = (isLate) => {
      clearTimeout(timer);
      socket.destroy();
      const status = /^HTTP\/1\.1 (\d+)/.exec(answer)?.[1];
      resolve({
        status: status === undefined ? (isLate ? undefined : 0) : Number(status),
        body: answer.slice(answer.indexOf('\r\n\r\n') + 4),
        ms: Math.round(performance.now() - startedAt),
      });
    };
    const timer = setTimeout(() => settle(true), limitMs);
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('error', () => {});
    socket.on('close', () => settle(false));
    socket.write(text);
  });
}

/** Calls a tool on a new connection. */
export function call(port, name, { args, limitMs } = {}) {
  return sendRaw(port, toHttp(toCall(name, { args }), { name, port }), limitMs);
}

/** @param {{ status: number | undefined }} answer */
export function describeStatus({ status }) {
  return status === undefined ? 'no answer' : status === 0 ? 'closed without an answer' : String(status);
}
