import { createServer } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAuthenticator } from '../../../../src/openapi/auth/authenticator.ts';
import type {
  AppliedCredentials,
  Authenticator,
  CredentialCall,
} from '../../../../src/openapi/auth/authenticator.ts';
import type { AuthOptions } from '../../../../src/openapi/auth/credential.ts';
import { readSecuritySchemes } from '../../../../src/openapi/auth/read-security-schemes.ts';
import type { Operation } from '../../../../src/openapi/model/operation.ts';
import { OutboundClient } from '../../../../src/outbound/outbound-client.ts';
import type { OutboundOptions } from '../../../../src/outbound/outbound-client.ts';
import { FakeClock } from '../../../support/fake-clock.ts';

/** A request as a server received it. */
export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly form: Readonly<Record<string, string>>;
}

/** A response of a server. A string is sent unchanged, everything else as JSON. */
export interface Reply {
  readonly status?: number;
  readonly body: unknown;
}

const closers: (() => void)[] = [];

/** Ends all servers. */
export function closeAll(): void {
  for (const close of closers.splice(0)) close();
}

/** A server that records its requests. */
export async function serve(
  answer: (seen: Seen, count: number) => Reply | Promise<Reply>,
): Promise<{ origin: string; seen: Seen[] }> {
  const all: Seen[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const form = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()));
      const seen = { method, url, headers, form };
      all.push(seen);
      void Promise.resolve(answer(seen, all.length)).then(({ status = 200, body }) =>
        response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body)),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen: all };
}

/** A client that allows local addresses. */
export function clientOf(options: OutboundOptions = {}): OutboundClient {
  const client = new OutboundClient({ allowPrivate: ['127.0.0.1'], maxRetries: 0, ...options });
  closers.push(() => client.close());
  return client;
}

export function operationOf(security: Operation['security']): Operation {
  return {
    key: 'GET /pets',
    method: 'GET',
    path: '/pets',
    operationId: 'listPets',
    summary: undefined,
    description: undefined,
    deprecated: false,
    tags: [],
    parameters: [],
    body: undefined,
    responses: [],
    servers: [],
    security,
    statuses: [],
    extensions: {},
  };
}

export const API = 'https://api.example';

/** A request that needs credentials. */
export interface CredentialRequest extends CredentialCall {
  readonly operation: Operation;
  readonly origin: string;
}

/** An anonymous request to the API. */
export function requestOf(
  security: Operation['security'],
  rest: Partial<CredentialRequest> = {},
): CredentialRequest {
  return {
    operation: operationOf(security),
    origin: API,
    principal: undefined,
    accessToken: undefined,
    signal: new AbortController().signal,
    ...rest,
  };
}

/** An authenticator for one request. */
export interface TestedAuthenticator extends Pick<Authenticator, 'missingFor'> {
  authorize(request: CredentialRequest): Promise<AppliedCredentials>;
}

/** An authenticator for the schemes of OpenAPI 3. */
export function authenticatorOf(
  securitySchemes: object,
  options: AuthOptions,
  rest: { baseUrl?: string; clock?: FakeClock; client?: OutboundClient } = {},
): TestedAuthenticator {
  const { schemes } = readSecuritySchemes({ components: { securitySchemes } }, '3.1', (value) => value);
  const { baseUrl = `${API}/v1`, clock = new FakeClock(), client = clientOf() } = rest;
  const authenticator = createAuthenticator({ schemes, baseUrl, options, client, clock });
  return {
    missingFor: (...args) => authenticator.missingFor(...args),
    authorize: async ({ operation, origin, ...calling }) =>
      (await authenticator.authorizeFor(operation, origin)?.(calling)) ?? withoutAny(origin),
  };
}

function withoutAny(origin: string): AppliedCredentials {
  const nothing = { headers: {}, query: [], cookies: [], secrets: [], hidden: undefined };
  return { origin, ...nothing, refused: () => Promise.resolve(false) };
}

/** The message of the error of a promise or a function; fails if it is not an error of Toolwright. */
export async function errorOf(run: () => unknown): Promise<Error> {
  try {
    await run();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('nothing went wrong');
}
