import type { ErrorContext } from '../../errors/error-handler.ts';
import type { CompiledTool } from '../tool/compiled-tool.ts';

/** Which call an error belongs to, for the error handler. */
export function errorContextOf({ name, operation, subject }: CompiledTool): ErrorContext {
  return { tool: name, operation, ...(subject.kind === undefined ? {} : { kind: subject.kind }) };
}
