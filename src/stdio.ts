/** `toolwright/stdio`: serves MCP over standard input and output. */
export { serveStdio } from './transport/stdio/serve-stdio.ts';
export type { RunningStdio, ServeStdioOptions } from './transport/stdio/serve-stdio.ts';
export type { StrayErrorPolicy } from './transport/stray-errors.ts';

// Settings of clients
export { formatClientConfig } from './transport/client-config.ts';
export type { ClientConfig, ReachableServer } from './transport/client-config.ts';
