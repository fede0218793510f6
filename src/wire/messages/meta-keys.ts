/** Keys of `_meta` that the protocol defines (2026-07-28). */
export const META = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  logLevel: 'io.modelcontextprotocol/logLevel',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  subscriptionId: 'io.modelcontextprotocol/subscriptionId',
} as const;

/** The extension for long-running calls. */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

/** The extension for clients that get tokens without a user. */
export const CLIENT_CREDENTIALS_EXTENSION = 'io.modelcontextprotocol/oauth-client-credentials';

/** The extension for Agent Skills. */
export const SKILLS_EXTENSION = 'io.modelcontextprotocol/skills';
