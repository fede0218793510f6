import { createServer } from 'node:http';
import type { Server } from 'node:http';
import {
  localhostHostValidation,
  localhostOriginValidation,
  toNodeHandler,
} from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import type { ToolRegistry } from 'toolwright';

/** A running server. */
export interface RunningServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves a registry over HTTP on the loopback interface, through the official SDK's own handler. */
export async function serve(registry: ToolRegistry, port: number): Promise<RunningServer> {
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'toolwright-notes', version: '0.1.0' });
    registry.attachToServer(server);
    return server;
  });
  const stopAnnouncing = registry.onChange(() => handler.notify.toolsChanged());
  const handle = toNodeHandler(handler);
  const [isHostAllowed, isOriginAllowed] = [localhostHostValidation(), localhostOriginValidation()];
  const http = createServer((request, response) => {
    if (!isHostAllowed(request, response) || !isOriginAllowed(request, response)) return;
    if (request.url?.split('?')[0] !== '/mcp') {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('The MCP endpoint is /mcp.\n');
      return;
    }
    // The SDK's type says `method` and `url` are never undefined; on a request that a server received they are not.
    void handle(request as Parameters<typeof handle>[0], response);
  });
  const actualPort = await listen(http, port);
  return {
    url: `http://127.0.0.1:${actualPort}/mcp`,
    close: async () => {
      stopAnnouncing();
      await handler.close();
      http.closeAllConnections();
      await new Promise<void>((resolve) => http.close(() => resolve()));
    },
  };
}

function listen(http: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    http.once('error', (error: NodeJS.ErrnoException) => {
      const isTaken = error.code === 'EADDRINUSE';
      reject(
        isTaken
          ? new Error(`Port ${port} is taken. Choose another one: PORT=3001 npm start (0 picks a free one).`)
          : error,
      );
    });
    http.listen(port, '127.0.0.1', () => {
      const address = http.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}
