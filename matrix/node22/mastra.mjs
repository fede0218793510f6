import { MCPClient } from '@mastra/mcp';
import { judge } from '../clients/judge.mjs';

const connect = async (server) => {
  const inputRequests = async () => ({ action: 'accept', content: { name: 'Ada' } });
  const client = new MCPClient({
    id: JSON.stringify(server),
    servers: { matrix: { ...server, inputRequests } },
  });
  const tools = (await client.listToolsets()).matrix;
  return {
    asks: true,
    listTools: async () => Object.keys(tools),
    call: (name, args) =>
      tools[name].execute(args, {}).then(readResult, (error) => ({ text: error.message, isError: true })),
    prompt: async (name, args) => {
      const { messages } = await client.prompts.get({ serverName: 'matrix', name, args });
      return messages[0].content.text;
    },
    resource: async (uri) => (await client.resources.read('matrix', uri)).contents[0].text,
    close: () => client.disconnect(),
  };
};

/** Of a tool with an output schema, the structured result alone; of others, the whole result. */
const readResult = (result) =>
  result.content === undefined
    ? { structured: result, isError: result.error === true }
    : { text: result.content[0].text, isError: false };

await judge({
  http: (url) => connect({ url: new URL(url) }),
  stdio: ([command, ...args]) => connect({ command, args }),
});
