// The declarations use AsyncDisposable, which is missing without the types of Node.
/// <reference lib="esnext.disposable" preserve="true" />
import { DefinitionError, ToolwrightError } from '../errors/errors.ts';
import type { ErrorCode } from '../errors/codes.ts';
import { ERROR_META_KEY } from '../errors/error-handler.ts';
import type { ErrorDetails } from '../errors/error-handler.ts';
import type {
  McpCallToolResult,
  McpCompletion,
  McpGetPromptResult,
  McpPrompt,
  McpReadResourceResult,
  McpResource,
  McpResourceTemplate,
  McpTool,
} from '../model/mcp-types.ts';
import type { Principal, ProgressUpdate } from '../middleware/context.ts';
import type { ComponentReply } from '../pipeline/component-reply.ts';
import type { ToolReply } from '../pipeline/reply/tool-reply.ts';
import type { Caller } from '../pipeline/tool/policy.ts';
import type { ToolCall } from '../pipeline/context/call.ts';
import { PromptsManager } from '../prompts/prompts-manager.ts';
import { ResourcesManager } from '../resources/resources-manager.ts';
import type { BuilderFor } from '../registry/registry-unit.ts';
import { ToolwrightServer } from '../server/create-server.ts';
import { findTools } from '../server/to-served.ts';
import type { InferSchemaInput, InferSchemaOutput, Schema } from '../schema/nodes/schema-types.ts';
import type { ToolDefinition } from '../tools/tool-definition.ts';
import { createId } from '../base/random-id.ts';
import { asJson, TestDialogue } from './test-dialogue.ts';
import type { TestAnswerers } from './test-dialogue.ts';

/** Options of {@link connectTestClient}: the caller, the context of its calls, and the answers to requests of handlers. */
export interface TestClientOptions extends TestAnswerers {
  /** The authenticated caller. Default: none (anonymous). */
  readonly principal?: Principal;
  /** The access token of the caller. Default: none. */
  readonly accessToken?: string;
  /** Additional members of the context of handlers. Default: none. */
  readonly context?: object;
}

/** Options of one test call. */
export interface TestCallOptions {
  /** Cancels the call. */
  readonly signal?: AbortSignal;
  /** Whether to minify the result. Default: the setting of the tool. */
  readonly minify?: boolean;
}

/** The result of a tool call. */
export interface TestResult<TStructured = unknown> {
  /** The result as a client receives it. */
  readonly raw: McpCallToolResult;
  /** All text blocks, one per line. */
  readonly text: string;
  /** The structured content. */
  readonly structured: TStructured;
  readonly isError: boolean;
  /** The details of a failed call. */
  readonly error: ErrorDetails | undefined;
  /** Progress updates of the call. */
  readonly progress: readonly ProgressUpdate[];
}

/** The result of `prompts/get`. */
export interface TestPrompt {
  /** The result as a client receives it. */
  readonly raw: McpGetPromptResult;
  readonly messages: McpGetPromptResult['messages'];
  /** The text of all messages, one per line. */
  readonly text: string;
}

/** The result of `resources/read`. */
export interface TestResource {
  /** The result as a client receives it. */
  readonly raw: McpReadResourceResult;
  readonly contents: McpReadResourceResult['contents'];
  /** All text contents, one per line. */
  readonly text: string;
}

/** The owner of a completed argument: the name of a prompt, or the URI template of a resource. */
export type TestReference = { readonly prompt: string } | { readonly resource: string };

/** Thrown where a client would get a JSON-RPC error, for example for an unknown tool. */
export class TestProtocolError extends ToolwrightError {
  static override readonly name: string = 'TestProtocolError';
  readonly jsonRpcCode: number;
  readonly data: unknown;

  constructor(code: ErrorCode, reply: Extract<ComponentReply<never>, { kind: 'protocol-error' }>) {
    super(code, reply.message);
    this.jsonRpcCode = reply.code;
    this.data = reply.data;
  }
}

/** The additional argument of a tool with `confirm: 'preview'`: the token of the preview. */
interface ConfirmationArgument {
  readonly confirmation_token?: string | undefined;
}

/**
 * The arguments of a call. In a schema with an index signature, such as `z.record`, the token is one of its members; `z.object({})` types them
 * as `never`.
 */
type ArgumentsOf<TInput> = string extends keyof TInput
  ? [TInput[keyof TInput]] extends [never]
    ? ConfirmationArgument
    : TInput | (Readonly<Record<string, TInput[keyof TInput] | string>> & Required<ConfirmationArgument>)
  : TInput & ConfirmationArgument;

type OutputOf<TOutput> = TOutput extends Schema ? InferSchemaOutput<TOutput> : unknown;

/** Maximum number of rounds with input requests. */
const MAX_ROUNDS = 50;

/**
 * Calls tools, gets prompts and reads resources as a client would, without a transport: arguments and results go through JSON, and calls are
 * cancelled when the client is closed.
 *
 * @example
 * await using client = connectTestClient(server, { onElicitation: () => ({ action: 'accept', content: { name: 'Ada' } }) });
 * const { structured } = await client.call(add, { a: 1, b: 2 });
 * const { text } = await client.getPrompt('greet', { who: 'Ada' });
 */
export class TestClient implements AsyncDisposable {
  readonly #parts: TestedParts;
  readonly #options: TestClientOptions;
  readonly #closing = new AbortController();
  readonly #pending = new Set<Promise<unknown>>();
  readonly #connection = createId();

  constructor(parts: TestedParts, options: TestClientOptions) {
    this.#parts = parts;
    this.#options = options;
  }

  /** Returns the tools that `tools/list` lists for this client. */
  async listTools(): Promise<McpTool[]> {
    const { tools } = JSON.parse(this.#open('tools').listToolsJson(this.#caller)) as { tools: McpTool[] };
    return tools;
  }

  /** Calls a tool by its name. Throws {@link TestProtocolError} where a client would get a JSON-RPC error. */
  async callTool(name: string, args: object = {}, options: TestCallOptions = {}): Promise<TestResult> {
    const tools = this.#open('tools');
    const progress: ProgressUpdate[] = [];
    const given = asJson(args);
    const reply = await this.#complete(options, (call) =>
      tools.handleCall({
        ...call,
        name,
        arguments: given,
        context: this.#options.context as never,
        minifyOverride: options.minify,
        onProgress: (update) => void progress.push(update),
      }),
    );
    return toTestResult(reply.result, progress);
  }

  /** Calls a tool by its definition: arguments and structured result are typed. */
  async call<TInput extends Schema, TOutput extends Schema | undefined, TContext extends object>(
    definition: ToolDefinition<TInput, TOutput, TContext>,
    args: ArgumentsOf<InferSchemaInput<TInput>>,
    options: TestCallOptions = {},
  ): Promise<TestResult<OutputOf<TOutput>>> {
    assertNotGrouped(definition);
    return (await this.callTool(definition.name, args as object, options)) as TestResult<OutputOf<TOutput>>;
  }

  /** Returns the prompts that `prompts/list` lists for this client. */
  async listPrompts(): Promise<McpPrompt[]> {
    return asJson(this.#open('prompts').getAllPrompts(this.#caller)) as McpPrompt[];
  }

  /** Gets a prompt. Throws {@link TestProtocolError} where a client would get a JSON-RPC error. */
  async getPrompt(
    name: string,
    args: Readonly<Record<string, string>> = {},
    options: Pick<TestCallOptions, 'signal'> = {},
  ): Promise<TestPrompt> {
    const prompts = this.#open('prompts');
    const given = asJson(args);
    const { context } = this.#options;
    const reply = await this.#complete(options, (call) =>
      prompts.getPrompt({ ...call, name, arguments: given, context }),
    );
    const raw = asJson(reply.value) as McpGetPromptResult;
    const { messages } = raw;
    return { raw, messages, text: textOf(messages.map(({ content }) => content)) };
  }

  /** Returns the resources that `resources/list` lists for this client. */
  async listResources(): Promise<McpResource[]> {
    return asJson(this.#open('resources').getAllResources(this.#caller)) as McpResource[];
  }

  /** Returns the templates that `resources/templates/list` lists for this client. */
  async listResourceTemplates(): Promise<McpResourceTemplate[]> {
    return asJson(this.#open('resources').getAllResourceTemplates(this.#caller)) as McpResourceTemplate[];
  }

  /** Reads a resource by its URI. Throws {@link TestProtocolError} where a client would get a JSON-RPC error. */
  async readResource(uri: string, options: Pick<TestCallOptions, 'signal'> = {}): Promise<TestResource> {
    const resources = this.#open('resources');
    const { context } = this.#options;
    const reply = await this.#complete(options, (call) => resources.readResource({ ...call, uri, context }));
    const raw = asJson(reply.value) as McpReadResourceResult;
    return { raw, contents: raw.contents, text: textOf(raw.contents) };
  }

  /**
   * Completes the value of an argument with `completion/complete`. `chosen` contains the arguments that are already set.
   *
   * @example
   * const { values } = await client.complete({ prompt: 'greet' }, { name: 'who', value: 'A' });
   */
  async complete(
    reference: TestReference,
    argument: { readonly name: string; readonly value: string },
    chosen: Readonly<Record<string, string>> = {},
  ): Promise<McpCompletion> {
    const isPrompt = 'prompt' in reference;
    const part = this.#open(isPrompt ? 'prompts' : 'resources');
    const ref = isPrompt ? reference.prompt : reference.resource;
    const { context } = this.#options;
    const asked = { ref, argument: argument.name, value: argument.value, arguments: chosen, context };
    const reply = await this.#complete({}, ({ signal }) =>
      part.complete({ ...this.#caller, ...asked, signal }),
    );
    return asJson(reply.value) as McpCompletion;
  }

  /** Cancels running calls and waits until they have ended. */
  async close(): Promise<void> {
    this.#closing.abort(new Error('The test client was closed.'));
    await Promise.allSettled(this.#pending);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  get #caller(): Caller {
    const { principal, accessToken } = this.#options;
    return { principal, accessToken, connection: this.#connection };
  }

  #open<TKind extends keyof TestedParts>(kind: TKind): NonNullable<TestedParts[TKind]> {
    if (this.#closing.signal.aborted) throw new Error('This test client is closed. Connect a new one.');
    const part = this.#parts[kind];
    if (part === undefined)
      throw new DefinitionError(
        `Missing ${kind}: the connected server has none. Add them: createServer({ …, ${kind}: […] }).`,
        { option: kind },
      );
    return part;
  }

  /** Repeats a call with the answers to its input requests until there is a result. */
  async #complete<TReply extends ToolReply | ComponentReply<unknown>>(
    { signal }: TestCallOptions,
    start: (call: Omit<ToolCall, 'name'>) => Promise<TReply>,
  ): Promise<Extract<TReply, { kind: 'result' | 'value' }>> {
    const closing = this.#closing.signal;
    const dialogue = new TestDialogue(this.#options);
    const call = {
      ...this.#caller,
      dialogue,
      signal: signal === undefined ? closing : AbortSignal.any([closing, signal]),
    };
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const reply = await this.#track(start(call));
      if (dialogue.failure !== undefined) throw dialogue.failure.error;
      if (reply.kind === 'protocol-error') throw new TestProtocolError(reply.reason, reply);
      if (reply.kind !== 'input-required') return reply as Extract<TReply, { kind: 'result' | 'value' }>;
      await dialogue.answerPending();
    }
    throw new Error(`The handler requested input in more than ${MAX_ROUNDS} rounds.`);
  }

  async #track<TValue>(work: Promise<TValue>): Promise<TValue> {
    this.#pending.add(work);
    try {
      return await work;
    } finally {
      this.#pending.delete(work);
    }
  }
}

/** The part of a `ToolRegistry`, or of one of its surfaces, that a test client uses. */
export interface TestedTools<TContext extends object = never> {
  listToolsJson(caller: Caller): string;
  handleCall(call: ToolCall & { readonly context?: Partial<TContext> | undefined }): Promise<ToolReply>;
}

/** The tested registries. Those of a server are read at each call, because they may be added later. */
interface TestedParts {
  readonly tools?: TestedTools | undefined;
  readonly prompts?: Pick<PromptsManager<never>, 'getAllPrompts' | 'getPrompt' | 'complete'> | undefined;
  readonly resources?:
    | Pick<
        ResourcesManager<never>,
        'getAllResources' | 'getAllResourceTemplates' | 'readResource' | 'complete'
      >
    | undefined;
}

/** Connects a test client to a server, a registry, a surface, or a manager of prompts or resources. */
export function connectTestClient<TContext extends object>(
  tested:
    | ToolwrightServer<TContext>
    | TestedTools<TContext>
    | PromptsManager<TContext>
    | ResourcesManager<TContext>,
  options: TestClientOptions & { readonly context?: Partial<TContext> } = {},
): TestClient {
  return new TestClient(partsOf(tested), options);
}

function partsOf<TContext extends object>(
  tested: Parameters<typeof connectTestClient<TContext>>[0],
): TestedParts {
  if (tested instanceof PromptsManager) return { prompts: tested };
  if (tested instanceof ResourcesManager) return { resources: tested };
  if (!(tested instanceof ToolwrightServer)) return { tools: tested };
  return {
    get tools() {
      return findTools(tested);
    },
    get prompts() {
      return tested.prompts;
    },
    get resources() {
      return tested.resources;
    },
  };
}

/** Rejects grouped tools, for JavaScript; in TypeScript the types do. */
function assertNotGrouped(definition: object): void {
  if (!('plan' in definition)) return;
  const { name, discriminator, actions } = (definition as BuilderFor<never>).plan();
  throw new DefinitionError(
    `Tool "${name}" is grouped: use client.callTool('${name}', { ${discriminator}: '${actions[0]?.key}', … }).`,
    { option: 'definition', reason: 'wrong-value', expected: 'a tool', received: 'a grouped tool' },
  );
}

function textOf(blocks: readonly object[]): string {
  const texts = blocks.flatMap((block) =>
    'text' in block && typeof block.text === 'string' ? [block.text] : [],
  );
  return texts.join('\n');
}

function toTestResult(result: McpCallToolResult, progress: readonly ProgressUpdate[]): TestResult {
  const raw = asJson(result) as McpCallToolResult;
  return {
    raw,
    text: textOf(raw.content),
    structured: raw.structuredContent,
    isError: raw.isError === true,
    error: raw._meta?.[ERROR_META_KEY] as ErrorDetails | undefined,
    progress,
  };
}
