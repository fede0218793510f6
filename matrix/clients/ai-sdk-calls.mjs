/** Connects with `createMCPClient` of `@ai-sdk/mcp` 1 or 2; returns the calls that `judge` wants. */
export async function connectAiSdk({ createMCPClient, ElicitationRequestSchema }, transport) {
  const client = await createMCPClient({ transport, capabilities: { elicitation: {} } });
  client.onElicitationRequest(ElicitationRequestSchema, () => ({
    action: 'accept',
    content: { name: 'Ada' },
  }));
  const tools = await client.tools();
  return {
    asks: true,
    listTools: async () => Object.keys(tools),
    call: async (name, args) => {
      const result = await tools[name].execute(args, { toolCallId: 'call-1', messages: [] });
      const { content, structuredContent, isError = false } = result;
      return { text: content[0].text, structured: structuredContent, isError };
    },
    prompt: async (name, args) => {
      const { messages } = await client.experimental_getPrompt({ name, arguments: args });
      return messages[0].content.text;
    },
    resource: async (uri) => (await client.readResource({ uri })).contents[0].text,
    close: () => client.close(),
  };
}
