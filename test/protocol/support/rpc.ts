/** A JSON-RPC message as received, with the members that tests read. */
export interface RpcMessage {
  readonly jsonrpc?: unknown;
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: RpcResult;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** The members of results that tests read. */
export interface RpcResult {
  readonly resultType?: string;
  readonly requestState?: string;
  readonly inputRequests?: Readonly<Record<string, { method: string; params: Record<string, unknown> }>>;
  readonly taskId?: string;
  readonly status?: string;
  readonly nextCursor?: string;
  readonly tools?: readonly Readonly<Record<string, unknown>>[];
  readonly content?: readonly Readonly<Record<string, unknown>>[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
  readonly protocolVersion?: string;
  readonly capabilities?: Readonly<Record<string, unknown>>;
  readonly ttlMs?: number | null;
  readonly cacheScope?: string;
  readonly _meta?: Readonly<Record<string, unknown>>;
  readonly [member: string]: unknown;
}

/** The tasks extension. */
export const TASKS = { extensions: { 'io.modelcontextprotocol/tasks': {} } };

/** Sender metadata of a request of 2026-07-28. */
export interface ModernOptions {
  readonly id?: string | number;
  readonly capabilities?: object;
  /** Members of `_meta`; undefined removes one. */
  readonly meta?: Readonly<Record<string, unknown>>;
}

let lastId = 0;

/** An id that no other request of this file has. */
export function nextId(): number {
  lastId += 1;
  return lastId;
}

/** A request of 2026-07-28, as an object. */
export function modernMessage(
  method: string,
  params: object = {},
  options: ModernOptions = {},
): { jsonrpc: '2.0'; id: string | number; method: string; params: Record<string, unknown> } {
  const { id = nextId(), capabilities = {}, meta = {} } = options;
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': capabilities,
    ...meta,
  };
  return { jsonrpc: '2.0', id, method, params: { ...params, _meta } };
}

/** A request of an earlier revision. */
export function legacyMessage(
  method: string,
  params?: object,
  id: string | number = nextId(),
): { jsonrpc: '2.0'; id: string | number; method: string; params?: object } {
  return { jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) };
}

export function notification(method: string, params?: object): object {
  return { jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }) };
}

/** The handshake of earlier revisions. */
export function initializeMessage(version: string, capabilities: object = {}): object {
  return legacyMessage('initialize', {
    protocolVersion: version,
    capabilities,
    clientInfo: { name: 'raw', version: '1.0.0' },
  });
}

/** A response of a user who accepts. */
export function accept(content: object): object {
  return { action: 'accept', content };
}

/** The text of the first block of a tool's result. */
export function textOf({ result }: RpcMessage): string {
  return String(result?.content?.[0]?.['text']);
}
