/** The calls of an official client, of any version, as `judge` wants them. */
export function officialCalls(client) {
  return {
    listTools: async () => (await client.listTools()).tools.map((tool) => tool.name),
    call: async (name, args) => {
      const {
        content,
        structuredContent,
        isError = false,
      } = await client.callTool({ name, arguments: args });
      return { text: content[0].text, structured: structuredContent, isError };
    },
    prompt: async (name, args) =>
      (await client.getPrompt({ name, arguments: args })).messages[0].content.text,
    resource: async (uri) => (await client.readResource({ uri })).contents[0].text,
    close: () => client.close(),
  };
}
