import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { createRegistry } from '../registry.mjs';
import { connect } from '../sdk-connection.mjs';

/** A registry attached to a server of the official SDK, version 1. */
export const toolwrightOnSdkV1 = {
  name: 'toolwright on SDK v1',
  create: (size, catalogue) => {
    const server = new McpServer({ name: 'bench', version: '1.0.0' });
    createRegistry(size, { isAsync: true, catalogue }).attachToServer(server);
    return connect(server);
  },
};
