import { OpenAPIServer } from '../../../src/openapi.ts';
import type { OpenApiServerOptions } from '../../../src/openapi.ts';
import type { McpCallToolResult } from '../../../src/index.ts';
import { connectDirectly } from '../../support/served-clients.ts';
import type { ServedClient } from '../../support/served-clients.ts';
import { RecordingServer } from './recording-server.ts';
import type { RecordedRequest } from './recording-server.ts';

/** A server for one document, called by the official client, in front of an API that records requests. */
export class ConnectedApi {
  readonly api: RecordingServer;
  readonly server: OpenAPIServer;
  readonly client: ServedClient;

  private constructor(api: RecordingServer, server: OpenAPIServer, client: ServedClient) {
    this.api = api;
    this.server = server;
    this.client = client;
  }

  /** `toOptions` gets the origin of the API. */
  static async open(toOptions: (origin: string) => OpenApiServerOptions): Promise<ConnectedApi> {
    const api = await RecordingServer.start();
    try {
      const { openapi, ...options } = toOptions(api.origin);
      const server = await OpenAPIServer.load({
        ...options,
        openapi: { outbound: { allowPrivate: ['127.0.0.1'] }, ...openapi },
      });
      return new ConnectedApi(api, server, await connectDirectly('v2 auto', server));
    } catch (error) {
      api.close();
      throw error;
    }
  }

  /** The name of the tool of an operation: `GET /pets/{id}`. */
  nameOf(key: string): string {
    const found = this.server.reports
      .flatMap(({ operations }) => operations)
      .find((each) => each.key === key);
    if (found?.name === undefined)
      throw new Error(`${key}: ${found?.reason ?? 'there is no such operation'}`);
    return found.name;
  }

  /** Calls a tool; returns its result, and the requests that arrived. */
  async call(
    name: string,
    args: object = {},
  ): Promise<{ readonly result: McpCallToolResult; readonly requests: readonly RecordedRequest[] }> {
    this.api.take();
    const result = await this.client.callTool(name, args);
    return { result, requests: this.api.take() };
  }

  /** Calls a tool that has to send exactly one request, and to succeed. */
  async send(name: string, args: object = {}): Promise<RecordedRequest> {
    const { result, requests } = await this.call(name, args);
    const [request] = requests;
    if (result.isError === true || request === undefined || requests.length > 1)
      throw new Error(
        `${requests.length} requests arrived, and the tool said ${JSON.stringify(result.content)}`,
      );
    return request;
  }

  async close(): Promise<void> {
    await this.client.close();
    await this.server.close();
    this.api.close();
  }
}
