import * as z from 'zod';
import { ToolRegistry } from '../../../src/index.ts';
import { ErrorHandler } from '../../../src/collaborators.ts';
import type { McpCallToolResult, Middleware } from '../../../src/index.ts';
import { recordLog } from '../../support/log-recorder.ts';

/** The text of a result. */
export const textOf = ({ content }: McpCallToolResult): unknown => (content[0] as { text?: unknown }).text;

/** A middleware that does nothing. */
export const pass: Middleware = ({ next }) => next();

export const throwValue = (value: unknown): never => {
  throw value;
};

/** Result of a run. */
export interface Ran {
  readonly result: McpCallToolResult;
  /** Logged errors. */
  readonly logged: readonly { readonly name: string; readonly message: string }[];
}

/** The message for the caller of `run` when an error is masked. */
export const HIDDEN =
  "Tool 't' failed unexpectedly. The details are in the server's log under the reference ref.";

/** Runs a handler inside middlewares, as the tool `t` of a registry. */
export async function run(
  middleware: readonly Middleware[],
  handler: (call: never) => unknown,
): Promise<Ran> {
  const { logger, entries } = recordLog();
  const registry = new ToolRegistry({
    logger,
    errorHandler: new ErrorHandler({ logger, createReference: () => 'ref' }),
  });
  registry.registerAll([
    {
      name: 't',
      description: 'T',
      inputSchema: z.object({ n: z.number().default(1) }),
      middleware,
      handler: handler as never,
    },
  ]);
  const result = await registry.executeTool({ name: 't', arguments: { stray: true } });
  const logged = entries.flatMap(({ fields }) => (fields?.['error'] === undefined ? [] : [fields['error']]));
  return { result, logged: logged as unknown as Ran['logged'] };
}

/** The error code of a run. */
export const codeOf = ({ result }: Ran): unknown =>
  (result._meta?.['toolwright/error'] as { code?: unknown })?.code;
