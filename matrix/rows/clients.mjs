import { join } from 'node:path';
import { inMatrix, NODES } from '../execute.mjs';
import { formatChecks, judgeClient, withServer } from './judge-client.mjs';

const ALL = ['http', 'sse', 'stdio'];

const SERVER = [process.execPath, inMatrix('apps/serve-http.mjs')];

/** The URL of the endpoint of 2024-11-05. */
const sseOf = (url) => new URL('/sse', url).href;

/** One row: a client, the script that drives it, and the transports that it has. */
const client = (name, { folder = '.', of, script, env, transports = ALL }) => ({
  name,
  folder,
  of,
  run: () =>
    withServer(SERVER, async (url) => {
      const stdio = [process.execPath, inMatrix('apps/serve-stdio.mjs')];
      const addresses = { http: url, sse: sseOf(url), stdio };
      const targets = Object.fromEntries(transports.map((transport) => [transport, addresses[transport]]));
      return formatChecks(
        await judgeClient({ node: NODES[folder], script: join(folder, script), targets, env }),
      );
    }),
});

/** mcp-remote makes a server over HTTP one on standard input and output. An official client uses it. */
const mcpRemote = {
  name: 'mcp-remote',
  folder: '.',
  of: 'mcp-remote',
  run: () =>
    withServer(SERVER, async (url) => {
      const proxy = [process.execPath, inMatrix('node_modules/mcp-remote/dist/proxy.js')];
      const passed = [];
      for (const [transport, address] of Object.entries({ http: url, sse: sseOf(url) })) {
        const stdio = [...proxy, address, '--allow-http', '--transport', `${transport}-only`];
        const script = 'clients/official-2.mjs';
        const [result] = await judgeClient({ node: process.execPath, script, targets: { stdio } });
        passed.push({ ...result, transport });
      }
      return formatChecks(passed);
    }),
};

const official1 = (version, transports) =>
  client(`official SDK ${version}`, {
    of: `sdk-${version}`,
    script: 'clients/official-1.mjs',
    env: { MATRIX_CLIENT: `sdk-${version}` },
    transports,
  });

export const CLIENTS = [
  official1('1.0', ['sse', 'stdio']),
  official1('1.10'),
  official1('1.20'),
  official1('1.32'),
  client('official SDK 2', { of: '@modelcontextprotocol/client', script: 'clients/official-2.mjs' }),
  client('@ai-sdk/mcp 1', { of: '@ai-sdk/mcp', script: 'clients/ai-sdk.mjs' }),
  client('@ai-sdk/mcp 2', { folder: 'node22', of: '@ai-sdk/mcp', script: 'ai-sdk.mjs' }),
  client('@langchain/mcp-adapters', { of: '@langchain/mcp-adapters', script: 'clients/langchain.mjs' }),
  client('@mastra/mcp', {
    folder: 'node22',
    of: '@mastra/mcp',
    script: 'mastra.mjs',
    transports: ['http', 'stdio'],
  }),
  client('@openai/agents', { of: '@openai/agents', script: 'clients/openai-agents.mjs' }),
  mcpRemote,
  client('mcporter', {
    folder: 'node24',
    of: 'mcporter',
    script: 'mcporter.mjs',
    transports: ['http', 'stdio'],
  }),
];
