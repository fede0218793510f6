/** The official SDK, version 1, on Express as in its stateless example. JSON responses are the cheaper of its two modes. */
import { createServer } from 'node:http';
import { createMcpExpressApp } from '@modelcontextprotocol/sdk/server/express.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { listen } from './bare-http.mjs';
import { createSdkServer } from './sdk-v1.mjs';

const app = createMcpExpressApp();
app.post('/mcp', (request, response) => void handle(request, response));
listen(createServer(app));

async function handle(request, response) {
  const server = createSdkServer();
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: undefined,
    enableJsonResponse: true,
  });
  await server.connect(transport);
  await transport.handleRequest(request, response, request.body);
  response.on('close', () => {
    void transport.close();
    void server.close();
  });
}
