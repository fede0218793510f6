/** The official client 2.x, in the protocol revision that `MATRIX_ERA` names: `auto` takes the newest. */
import process from 'node:process';
import { Client, SSEClientTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { judge } from './judge.mjs';
import { officialCalls } from './official-calls.mjs';

const connect = async (transport) => {
  const client = new Client(
    { name: 'matrix', version: '1.0.0' },
    {
      capabilities: { elicitation: { form: {} } },
      versionNegotiation: { mode: process.env.MATRIX_ERA ?? 'auto' },
    },
  );
  client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { name: 'Ada' } }));
  await client.connect(transport);
  return { ...officialCalls(client), asks: process.env.MATRIX_ASKS !== 'no' };
};

await judge({
  http: (url) => connect(new StreamableHTTPClientTransport(new URL(url))),
  sse: (url) => connect(new SSEClientTransport(new URL(url))),
  stdio: ([command, ...args]) => connect(new StdioClientTransport({ command, args, env: process.env })),
});
