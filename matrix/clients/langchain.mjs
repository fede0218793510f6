import { MultiServerMCPClient } from '@langchain/mcp-adapters';
import { judge } from './judge.mjs';

const connect = async (server) => {
  const client = new MultiServerMCPClient({ mcpServers: { matrix: server }, outputHandling: 'content' });
  const tools = Object.fromEntries((await client.getTools()).map((tool) => [tool.name, tool]));
  const connection = await client.getClient('matrix');
  return {
    listTools: async () => Object.keys(tools),
    call: (name, args) =>
      tools[name].invoke({ type: 'tool_call', id: 'call-1', name, args }).then(
        ({ content, artifact }) => ({ text: content, structured: artifact?.[0]?.data, isError: false }),
        (error) => ({ text: error.message, isError: true }),
      ),
    prompt: async (name, args) =>
      (await connection.getPrompt({ name, arguments: args })).messages[0].content.text,
    resource: async (uri) => (await client.readResource('matrix', uri))[0].text,
    close: () => client.close(),
  };
};

await judge({
  http: (url) => connect({ transport: 'http', url, automaticSSEFallback: false }),
  sse: (url) => connect({ transport: 'sse', url }),
  stdio: ([command, ...args]) => connect({ transport: 'stdio', command, args }),
});
