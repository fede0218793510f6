// The declarations name AsyncDisposable, which programs without the types of Node do not have.
/// <reference lib="esnext.disposable" preserve="true" />
import type { ErrorCode } from '../errors/codes.ts';
import { ERROR_META_KEY } from '../errors/error-handler.ts';
import type { ErrorDetails } from '../errors/error-handler.ts';
import { ToolwrightError } from '../errors/errors.ts';
import type { McpCallToolResult, McpTool } from '../model/mcp-types.ts';
import type { Principal, ProgressUpdate } from '../middleware/context.ts';
import type { ToolReply } from '../pipeline/reply/tool-reply.ts';
import type { Caller } from '../pipeline/tool/policy.ts';
import type { ToolCall } from '../pipeline/context/call.ts';
import { ToolwrightServer } from '../server/create-server.ts';
import { toolsOf } from '../server/to-served.ts';
import type { InferSchemaInput, InferSchemaOutput, Schema } from '../schema/nodes/schema-types.ts';
import type { ToolDefinition } from '../tools/tool-definition.ts';

/** Who the client is, and what its calls carry. */
export interface TestClientOptions {
  readonly principal?: Principal;
  readonly accessToken?: string;
  /** What handlers find in their context beyond the standard members. */
  readonly context?: object;
}

/** Options of one call. */
export interface TestCallOptions {
  readonly signal?: AbortSignal;
  readonly minify?: boolean;
}

/** The answer to a call, with the parts tests ask for. */
export interface TestResult<TStructured = unknown> {
  /** The result as it came over the wire. */
  readonly raw: McpCallToolResult;
  /** All text blocks, one per line. */
  readonly text: string;
  readonly structured: TStructured;
  readonly isError: boolean;
  /** The details of a failed call. */
  readonly error: ErrorDetails | undefined;
  /** The progress reported until the answer. */
  readonly progress: readonly ProgressUpdate[];
}

/** The server answered with an error of the protocol, for example because the tool is unknown. */
export class TestProtocolError extends ToolwrightError {
  readonly jsonRpcCode: number;
  readonly data: unknown;

  constructor(code: ErrorCode, reply: Extract<ToolReply, { kind: 'protocol-error' }>) {
    super(code, reply.message);
    this.jsonRpcCode = reply.code;
    this.data = reply.data;
  }
}

type OutputOf<TOutput> = TOutput extends Schema ? InferSchemaOutput<TOutput> : unknown;

/**
 * Calls the tools of a registry as a client would, without a transport: arguments and results go through JSON, and calls are
 * cancelled when the client is closed.
 *
 * @example
 * await using client = connectTestClient(registry);
 * const { structured } = await client.call(add, { a: 1, b: 2 });
 */
export class TestClient implements AsyncDisposable {
  readonly #registry: TestedTools;
  readonly #options: TestClientOptions;
  readonly #closing = new AbortController();
  readonly #pending = new Set<Promise<unknown>>();

  constructor(registry: TestedTools, options: TestClientOptions) {
    this.#registry = registry;
    this.#options = options;
  }

  /** What `tools/list` answers to this client. */
  async listTools(): Promise<McpTool[]> {
    this.#assertOpen();
    const { tools } = JSON.parse(this.#registry.listToolsJson(this.#options)) as { tools: McpTool[] };
    return tools;
  }

  /** Calls a tool by its name. Throws {@link TestProtocolError} where a client would get a JSON-RPC error. */
  async callTool(name: string, args: object = {}, options: TestCallOptions = {}): Promise<TestResult> {
    this.#assertOpen();
    const progress: ProgressUpdate[] = [];
    const { signal } = this.#closing;
    const work = this.#registry.handleCall({
      name,
      arguments: JSON.parse(JSON.stringify(args)) as unknown,
      principal: this.#options.principal,
      accessToken: this.#options.accessToken,
      context: this.#options.context as never,
      minifyOverride: options.minify,
      signal: options.signal === undefined ? signal : AbortSignal.any([signal, options.signal]),
      onProgress: (update) => void progress.push(update),
    });
    this.#pending.add(work);
    try {
      return toTestResult(await work, progress);
    } finally {
      this.#pending.delete(work);
    }
  }

  /** Calls a tool by its definition: arguments and structured result are typed. */
  async call<TInput extends Schema, TOutput extends Schema | undefined, TContext extends object>(
    definition: ToolDefinition<TInput, TOutput, TContext>,
    args: InferSchemaInput<TInput>,
    options: TestCallOptions = {},
  ): Promise<TestResult<OutputOf<TOutput>>> {
    return (await this.callTool(definition.name, args as object, options)) as TestResult<OutputOf<TOutput>>;
  }

  /** Cancels what is under way and waits for it. */
  async close(): Promise<void> {
    this.#closing.abort(new Error('The test client was closed.'));
    await Promise.allSettled(this.#pending);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #assertOpen(): void {
    if (this.#closing.signal.aborted) throw new Error('This test client is closed. Connect a new one.');
  }
}

/** What a test client needs of a `ToolRegistry`, or of a surface of one. */
export interface TestedTools<TContext extends object = never> {
  listToolsJson(caller: Caller): string;
  handleCall(call: ToolCall & { readonly context?: Partial<TContext> | undefined }): Promise<ToolReply>;
}

/** A client for tests of the tools of a server, of a registry, or of a surface of one. */
export function connectTestClient<TContext extends object>(
  tested: ToolwrightServer<TContext> | TestedTools<TContext>,
  options: TestClientOptions & { readonly context?: Partial<TContext> } = {},
): TestClient {
  return new TestClient(tested instanceof ToolwrightServer ? toolsOf(tested) : tested, options);
}

function toTestResult(reply: ToolReply, progress: readonly ProgressUpdate[]): TestResult {
  if (reply.kind === 'protocol-error') throw new TestProtocolError(reply.reason, reply);
  if (reply.kind !== 'result') throw new Error('The tool asks for input, and a test client cannot be asked.');
  const raw = JSON.parse(JSON.stringify(reply.result)) as McpCallToolResult;
  const texts = raw.content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  return {
    raw,
    text: texts.join('\n'),
    structured: raw.structuredContent,
    isError: raw.isError === true,
    error: raw._meta?.[ERROR_META_KEY] as ErrorDetails | undefined,
    progress,
  };
}
