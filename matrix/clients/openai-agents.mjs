import { MCPServerSSE, MCPServerStdio, MCPServerStreamableHttp } from '@openai/agents';
import { judge } from './judge.mjs';

const connect = async (server) => {
  await server.connect();
  return {
    listTools: async () => (await server.listTools()).map((tool) => tool.name),
    call: async (name, args) => {
      const { content, structuredContent, isError = false } = await server.callToolResult(name, args);
      return { text: content[0].text, structured: structuredContent, isError };
    },
    resource: async (uri) => (await server.readResource(uri)).contents[0].text,
    close: () => server.close(),
  };
};

await judge({
  http: (url) => connect(new MCPServerStreamableHttp({ url })),
  sse: (url) => connect(new MCPServerSSE({ url })),
  stdio: ([command, ...args]) => connect(new MCPServerStdio({ command, args })),
});
