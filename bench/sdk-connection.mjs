/** A minimal transport for a server of the official SDK, version 1 or 2: text in, text out, no client. */
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1.0.0' },
  },
};

/**
 * Connects the server and runs the handshake.
 *
 * @param {{ connect(transport: object): Promise<void>, close(): Promise<void> }} server
 */
export async function connect(server) {
  let answer;
  const transport = {
    start: async () => {},
    send: async (message) => answer(JSON.stringify(message)),
    close: async () => transport.onclose?.(),
  };
  await server.connect(transport);
  const request = (text) =>
    new Promise((resolve) => {
      // Requests are sequential, so the next message is the response.
      answer = resolve;
      transport.onmessage(JSON.parse(text));
    });
  await request(JSON.stringify(INITIALIZE));
  transport.onmessage({ jsonrpc: '2.0', method: 'notifications/initialized' });
  return { call: request, list: request, close: () => server.close() };
}
