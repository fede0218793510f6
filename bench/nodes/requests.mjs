const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
};

/** The text of a request of 2026-07-28. */
export function modernText(method, params = {}) {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: META } });
}

/** The headers of a request of 2026-07-28. */
export function modernHeaders(method, name) {
  return {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(name === undefined ? {} : { 'mcp-name': name }),
  };
}

/** A call as it goes over a socket. */
export function modernCall(port, tool) {
  return toBytes(
    port,
    modernHeaders('tools/call', tool),
    modernText('tools/call', { name: tool, arguments: {} }),
  );
}

/** A subscription to changes of the tools, as it goes over a socket. */
export function modernListen(port) {
  return toBytes(port, modernHeaders('subscriptions/listen'), LISTEN);
}

/** The body of a subscription to changes of the tools. */
export const LISTEN = modernText('subscriptions/listen', { notifications: { toolsListChanged: true } });

function toBytes(port, headers, body) {
  const lines = Object.entries({
    host: `127.0.0.1:${port}`,
    ...headers,
    'content-length': Buffer.byteLength(body),
  });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return Buffer.from(`POST /mcp HTTP/1.1\r\n${head}\r\n${body}`);
}
