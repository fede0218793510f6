import { Client as ClientV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { Server as ServerV1 } from '@modelcontextprotocol/sdk/server/index.js';
import { McpServer as McpServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { McpServer as McpServerV2, Server as ServerV2 } from '@modelcontextprotocol/server';
import type {
  AttachOptions,
  DetachFn,
  McpTool,
  ProgressUpdate,
  SurfaceOptions,
  ToolRegistry,
} from '../../src/index.ts';

const INFO = { name: 'under test', version: '1.0.0' };

/** The official servers a registry can be attached to. */
export const SDK_SERVERS: Readonly<Record<string, () => ConnectableServer>> = {
  'v1 Server': () => new ServerV1(INFO),
  'v1 McpServer': () => new McpServerV1(INFO),
  'v2 Server': () => new ServerV2(INFO),
  'v2 McpServer': () => new McpServerV2(INFO),
};

/** Common interface of the four servers. The transports of the two versions differ in type only. */
export interface ConnectableServer {
  connect(transport: InMemoryTransport): Promise<void>;
  close(): Promise<void>;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onprogress?: (update: ProgressUpdate) => void;
}

export interface SdkCallResult {
  readonly content?: readonly unknown[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
  readonly [key: string]: unknown;
}

/** Common interface of the two official clients. */
export interface SdkClient {
  connect(transport: InMemoryTransport): Promise<void>;
  close(): Promise<void>;
  listTools(): Promise<{ tools: McpTool[] }>;
  callTool(name: string, args?: Record<string, unknown>, options?: CallOptions): Promise<SdkCallResult>;
  /** Resolves when the server announces a change of its tools. */
  nextListChange(): Promise<void>;
}

/** The official clients. */
export const SDK_CLIENTS: Readonly<Record<string, () => SdkClient>> = {
  'v1 Client': () => {
    const client = new ClientV1(INFO);
    return {
      connect: (transport) => client.connect(transport),
      close: () => client.close(),
      listTools: async () => (await client.listTools()) as { tools: McpTool[] },
      callTool: async (name, args = {}, options = {}) =>
        (await client.callTool({ name, arguments: args }, undefined, options as never)) as SdkCallResult,
      nextListChange: () =>
        new Promise((resolve) => {
          client.fallbackNotificationHandler = async ({ method }) => {
            if (method === 'notifications/tools/list_changed') resolve();
          };
        }),
    };
  },
  'v2 Client': () => {
    const client = new ClientV2(INFO);
    return {
      connect: (transport) => client.connect(transport),
      close: () => client.close(),
      listTools: async () => (await client.listTools()) as unknown as { tools: McpTool[] },
      callTool: async (name, args = {}, options = {}) =>
        (await client.callTool({ name, arguments: args }, options as never)) as SdkCallResult,
      nextListChange: () =>
        new Promise((resolve) => {
          client.setNotificationHandler('notifications/tools/list_changed', () => resolve());
        }),
    };
  },
};

export interface Connection extends AsyncDisposable {
  readonly client: SdkClient;
  readonly server: ConnectableServer;
  readonly detach: DetachFn;
}

/** A registry attached to an official server, with an official client, in memory. */
export async function connect(
  registry: ToolRegistry,
  names: { readonly server: string; readonly client: string },
  options: AttachOptions & SurfaceOptions = {},
): Promise<Connection> {
  const server = SDK_SERVERS[names.server]?.();
  const client = SDK_CLIENTS[names.client]?.();
  if (server === undefined || client === undefined) throw new Error(`no such pair: ${JSON.stringify(names)}`);
  const detach = registry.attachToServer(server, options);
  await connectPair(server, client);
  return {
    client,
    server,
    detach,
    [Symbol.asyncDispose]: async () => {
      await client.close();
      await server.close();
    },
  };
}

export async function connectPair(server: ConnectableServer, client: SdkClient): Promise<void> {
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(serverSide), client.connect(clientSide)]);
}
