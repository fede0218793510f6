import type { ErrorContext } from '../../errors/error-handler.ts';
import type { CompiledTool } from '../tool/compiled-tool.ts';

/** The call of an error, for the error handler. */
export function errorContextOf({ name, operation, subject }: CompiledTool): ErrorContext {
  return { tool: name, operation, ...(subject.kind === undefined ? {} : { kind: subject.kind }) };
}
