/** The official client 1.x, of the version that `MATRIX_CLIENT` names (an alias of `package.json`). */
import process from 'node:process';
import { EventSource } from 'eventsource';
import { judge } from './judge.mjs';
import { officialCalls } from './official-calls.mjs';

// The first clients expect the class of browsers, which applications had to put there.
globalThis.EventSource ??= EventSource;
const name = process.env.MATRIX_CLIENT;
const { Client } = await import(`${name}/client/index.js`);
const { StdioClientTransport } = await import(`${name}/client/stdio.js`);
const { SSEClientTransport } = await import(`${name}/client/sse.js`);
const { ElicitRequestSchema } = await import(`${name}/types.js`);

const connect = async (transport) => {
  const asks = ElicitRequestSchema !== undefined; // since 1.14
  const client = new Client(
    { name: 'matrix', version: '1.0.0' },
    { capabilities: asks ? { elicitation: {} } : {} },
  );
  if (asks)
    client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { name: 'Ada' } }));
  await client.connect(transport);
  return { ...officialCalls(client), asks };
};

await judge({
  http: async (url) => {
    const { StreamableHTTPClientTransport } = await import(`${name}/client/streamableHttp.js`);
    return connect(new StreamableHTTPClientTransport(new URL(url)));
  },
  sse: (url) => connect(new SSEClientTransport(new URL(url))),
  stdio: ([command, ...args]) => connect(new StdioClientTransport({ command, args, env: process.env })),
});
