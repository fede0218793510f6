import { McpServer } from '@modelcontextprotocol/server';
import { createRegistry } from '../registry.mjs';
import { connect } from '../sdk-connection.mjs';

/** A registry attached to a server of the official SDK, version 2. */
export const toolwrightOnSdkV2 = {
  name: 'toolwright on SDK v2',
  create: (size, catalogue) => {
    const server = new McpServer({ name: 'bench', version: '1.0.0' });
    createRegistry(size, { isAsync: true, catalogue }).attachToServer(server);
    return connect(server);
  },
};
