/** `toolwright/collaborators`: the replaceable parts of servers and registries, except stores. Runs without Node. */

// Around every handler
export { createSecurityWrapper, DEFAULT_RATE_LIMIT } from './pipeline/tool/secure.ts';
export type { RunTool, SecureCall, SecurityWrapper } from './pipeline/tool/secure.ts';
export type { SecurityWrapperOptions, WithSecurityWrapper } from './pipeline/tool/secure.ts';
export type { Outcome } from './pipeline/tool/outcome.ts';
export type { CallEnd } from './pipeline/context/call.ts';
export type { CallRecord } from './pipeline/tool/compiled-tool.ts';
export type { CompiledSchema } from './schema/checks/compile-schema.ts';
export type { Validated } from './schema/issues/validated.ts';

// Results and errors
export { ResponseFormatter, UnserializableError } from './format/response-formatter.ts';
export type { FormatOptions, ResponseFormatterLike } from './format/response-formatter.ts';
export type { ResponseFormatterOptions } from './format/response-formatter.ts';
export type { TextFormat } from './format/tool-response.ts';
export { ErrorHandler } from './errors/error-handler.ts';
export type {
  ErrorContext,
  ErrorHandlerLike,
  ErrorHandlerOptions,
  ErrorsShown,
} from './errors/error-handler.ts';
export type { ErrorParts, ErrorResult, ErrorResultLike } from './errors/error-handler.ts';
export type { OtherKind } from './errors/component-kind.ts';
export type {
  CallRefusedOptions,
  DuplicateClaim,
  ErrorDataOptions,
  ToolErrorOptions,
} from './errors/errors.ts';
export type { SuccessOptions } from './tools/response.ts';
export type { FindingData } from './errors/finding.ts';

// Time, and the client of a call
export { systemClock } from './base/time/clock.ts';
export type { Clock } from './base/time/clock.ts';
export type { Dialogue, Question } from './middleware/dialogue.ts';
