const HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2025-11-25',
};
const INITIALIZE = {
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'weaknesses', version: '1.0.0' },
  },
};
const CALL = { id: 2, method: 'tools/call', params: { name: 'fine', arguments: {} } };

export const foreignSession = [
  {
    title: "mallory with alice's session id",
    on: 'signedIn',
    run: async (server) => {
      const begun = await post(server, 'alice', INITIALIZE);
      const session = { 'mcp-session-id': begun.headers.get('mcp-session-id') };
      await post(server, 'alice', { method: 'notifications/initialized', session });
      const own = await post(server, 'alice', { ...CALL, session });
      const foreign = await post(server, 'mallory', { ...CALL, session });
      return {
        isWeak: own.status !== 200 || foreign.status < 400,
        measured: `alice ${own.status}, mallory ${foreign.status}`,
      };
    },
  },
];

async function post({ port }, user, { session = {}, ...message }) {
  const response = await fetch(`http://127.0.0.1:${port}/mcp`, {
    method: 'POST',
    headers: { ...HEADERS, ...session, authorization: `Bearer token-of-${user}` },
    body: JSON.stringify({ jsonrpc: '2.0', ...message }),
  });
  await response.text();
  return response;
}
