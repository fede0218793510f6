import {
  CallRefusedError,
  DefaultArgumentResolutionError,
  ToolError,
  ToolwrightError,
  ValidationError,
} from './errors.ts';
import type { ErrorCode } from './codes.ts';
import { nounOf } from './component-kind.ts';
import type { OtherKind } from './component-kind.ts';
import { describeThrown } from './describe-thrown.ts';
import { formatIssue } from './issue.ts';
import type { Issue } from './issue.ts';
import { toLoggedFailure } from './log-thrown.ts';
import type { Logger } from './logger.ts';
import { createLogger } from './logger.ts';
import { redactInternals, redactSecrets } from './sanitize.ts';

/** The key under `_meta` where programs find the details of a failed call. */
export const ERROR_META_KEY = 'toolwright/error';

/** The details of a failed call, for programs. People and models read the text. */
export interface ErrorDetails {
  readonly code: ErrorCode;
  readonly issues?: readonly Issue[];
  readonly suggestions?: readonly string[];
  /** Finds the entry in the server's log. */
  readonly reference?: string;
  /** How long to wait before trying again. */
  readonly retryAfterMs?: number;
}

/** A failed call as the protocol wants it: a result with `isError`. */
export interface ErrorResult {
  content: { type: 'text'; text: string }[];
  isError: true;
  _meta: { [ERROR_META_KEY]: ErrorDetails };
}

/** Which call an error belongs to. */
export interface ErrorContext {
  /** What was called: the name of a tool or a prompt, the URI of a resource. */
  readonly tool: string;
  /** Set for what is not a tool. */
  readonly kind?: OtherKind;
  readonly operation?: string;
}

/** What {@link ErrorHandler.createErrorResult} puts together. */
export interface ErrorParts extends ErrorDetails {
  readonly message: string;
}

/** The result of an error handler; one of your own need not give details to programs. */
export type ErrorResultLike = Omit<ErrorResult, '_meta'> & Partial<Pick<ErrorResult, '_meta'>>;

/** The part of {@link ErrorHandler} that a registry needs; inject any object that has it. */
export interface ErrorHandlerLike {
  createValidationError(
    message: string,
    issues?: readonly Issue[],
    suggestions?: readonly string[],
  ): ErrorResultLike;
  /** Default: as {@link ErrorHandler} does it. */
  createErrorResult?(parts: ErrorParts): ErrorResultLike;
  handleError(error: unknown, context: ErrorContext): ErrorResultLike;
}

/** An error handler with all its methods. */
export type WholeErrorHandler = Required<ErrorHandlerLike>;

/** Whether the messages of unexpected errors go to the log alone, or to the caller as well. */
export type ErrorsShown = 'masked' | 'messages';

/** Options of {@link ErrorHandler}. */
export interface ErrorHandlerOptions {
  /** Where the details of unexpected failures go. Default: standard error; a registry's own handler uses the registry's logger. */
  readonly logger?: Logger;
  /** Makes the reference that joins a client's message to the log. Default: eight random characters. */
  readonly createReference?: () => string;
  /**
   * What a caller is told when a handler throws something unexpected: a reference to the log (`masked`, the default), or its message as well,
   * without credentials, stack frames and file paths (`messages`).
   */
  readonly errors?: ErrorsShown;
}

/** Looks over the errors of a server while it is written. `toolwright dev` sets the listener. */
export interface ErrorWatch {
  /** Called with every error that was not written for the caller. */
  onUnexpected?: (error: unknown, context: ErrorContext & { readonly reference?: string }) => void;
}

/** How the handler of a server is watched. */
export interface WatchOptions {
  readonly watch: ErrorWatch;
  /** Whether errors go to the log beside a listener: where the log is the application's own. */
  readonly isLogged: boolean;
}

/**
 * Turns every kind of failure into an answer that helps the caller and gives nothing away.
 *
 * @example
 * const registry = new ToolRegistry({ errorHandler: new ErrorHandler({ createReference: () => traceId() }) });
 */
export class ErrorHandler implements ErrorHandlerLike {
  readonly #logger: Logger;
  readonly #createReference: () => string;
  readonly #errors: ErrorsShown | undefined;
  readonly #watched: WatchOptions | undefined;

  /** `watched`: set for the handlers that a server makes itself. */
  constructor(options: ErrorHandlerOptions = {}, watched?: WatchOptions) {
    this.#logger = options.logger ?? createLogger();
    this.#createReference = options.createReference ?? randomReference;
    this.#errors = options.errors;
    this.#watched = watched;
  }

  /** Bad input: says for each field what is wrong. */
  createValidationError(
    message: string,
    issues: readonly Issue[] = [],
    suggestions: readonly string[] = [],
  ): ErrorResult {
    return this.createErrorResult({
      code: 'INVALID_ARGUMENTS',
      message,
      ...(issues.length > 0 ? { issues } : {}),
      ...(suggestions.length > 0 ? { suggestions } : {}),
    });
  }

  /** Any failure that is already described. */
  createErrorResult(parts: ErrorParts): ErrorResult {
    return describeFailure(parts);
  }

  /** Anything a handler or a collaborator threw. Only messages meant for the caller go out. */
  handleError(error: unknown, context: ErrorContext): ErrorResult {
    try {
      return this.#forCaller(error, context) ?? this.#unexpected(error, context, codeOf(error));
    } catch {
      // A thrown value may throw itself when it is looked at: a proxy, a getter.
      return this.#unexpected(error, context, 'TOOL_FAILED');
    }
  }

  /** The answer to an error that was written for the caller. */
  #forCaller(error: unknown, context: ErrorContext): ErrorResult | undefined {
    if (error instanceof ValidationError) {
      return this.createValidationError(
        `Invalid arguments for ${context.kind ?? 'tool'} '${context.tool}'.`,
        error.issues,
      );
    }
    if (!isForCaller(error)) return undefined;
    const suggestions = error.suggestions
      .slice(0, MAX_SUGGESTIONS)
      .map((suggestion) => forCaller(String(suggestion)));
    return this.createErrorResult({
      code: error.code,
      message: forCaller(String(error.message)),
      ...(suggestions.length > 0 ? { suggestions } : {}),
      ...(error instanceof CallRefusedError && error.retryAfterMs !== undefined
        ? { retryAfterMs: error.retryAfterMs }
        : {}),
    });
  }

  #unexpected(error: unknown, context: ErrorContext, code: ErrorCode): ErrorResult {
    const onUnexpected = this.#watched?.watch.onUnexpected;
    const reference = this.#createReference();
    onUnexpected?.(error, { ...context, reference });
    if (onUnexpected === undefined || this.#watched?.isLogged === true) this.#log(error, context, reference);
    const what = `${nounOf(context.kind)} '${context.tool}' failed`;
    // Whoever watches is the author: nothing is hidden from them unless they say so.
    const errors = this.#errors ?? (onUnexpected === undefined ? 'masked' : 'messages');
    const message =
      errors === 'messages'
        ? `${what}: ${redactInternals(describeThrown(error).message)} (reference ${reference})`
        : `${what} unexpectedly. The details are in the server's log under the reference ${reference}.`;
    return this.createErrorResult({ code, message, reference });
  }

  /** The text without credentials, stack frames and file paths. */
  sanitize(text: string): string {
    return redactInternals(text);
  }

  #log(error: unknown, context: ErrorContext, reference: string): void {
    try {
      this.#logger.error(`${context.kind ?? 'tool'} call failed`, {
        reference,
        ...context,
        error: toLoggedFailure(error),
      });
    } catch {
      // A log that cannot be written must not cost the caller its answer.
    }
  }
}

/** A failure that is already described, as a result. */
export function describeFailure(parts: ErrorParts): ErrorResult {
  const { message, ...details } = parts;
  const lines = [message];
  for (const issue of parts.issues ?? []) lines.push(`- ${formatIssue(issue)}`);
  for (const suggestion of parts.suggestions ?? []) lines.push(`Suggestion: ${suggestion}`);
  return {
    content: [{ type: 'text', text: lines.join('\n') }],
    isError: true,
    _meta: { [ERROR_META_KEY]: details },
  };
}

/** A handler of the application, with what is passed to whoever watches. */
export function watchErrors(handler: ErrorHandlerLike, watch: ErrorWatch): WholeErrorHandler {
  return {
    createValidationError: (...given) => handler.createValidationError(...given),
    createErrorResult: (parts) =>
      handler.createErrorResult === undefined ? describeFailure(parts) : handler.createErrorResult(parts),
    handleError: (error, context) => {
      if (watch.onUnexpected !== undefined && isUnexpected(error)) watch.onUnexpected(error, context);
      return handler.handleError(error, context);
    },
  };
}

function isUnexpected(error: unknown): boolean {
  try {
    return !(error instanceof ValidationError) && !isForCaller(error);
  } catch {
    return true;
  }
}

type ForCaller = ToolError | CallRefusedError | DefaultArgumentResolutionError;

function isForCaller(error: unknown): error is ForCaller {
  return (
    error instanceof ToolError ||
    error instanceof CallRefusedError ||
    error instanceof DefaultArgumentResolutionError
  );
}

/** More than anyone tries. */
const MAX_SUGGESTIONS = 20;

/** What an author wrote for the caller, without credentials and without the stack of an error it may quote. */
function forCaller(text: string): string {
  return redactSecrets(text).replaceAll(/\n[ \t]+at .+/g, '');
}

function codeOf(error: unknown): ErrorCode {
  return error instanceof ToolwrightError ? error.code : 'TOOL_FAILED';
}

/** Eight random characters. */
export function randomReference(): string {
  return globalThis.crypto.randomUUID().slice(0, 8);
}
