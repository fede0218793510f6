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

/** The key under `_meta` with the details of a failed call. */
export const ERROR_META_KEY = 'toolwright/error';

/** Machine-readable details of a failed call. People and models read the text. */
export interface ErrorDetails {
  readonly code: ErrorCode;
  /** Issues of invalid arguments. */
  readonly issues?: readonly Issue[];
  /** Suggestions for the caller. */
  readonly suggestions?: readonly string[];
  /** Identifies the entry in the server's log. */
  readonly reference?: string;
  /** Milliseconds to wait before retrying. */
  readonly retryAfterMs?: number;
}

/** A failed call in the form of the protocol: a result with `isError`. */
export interface ErrorResult {
  content: { type: 'text'; text: string }[];
  isError: true;
  _meta: { [ERROR_META_KEY]: ErrorDetails };
}

/** The call that an error belongs to. */
export interface ErrorContext {
  /** Name of the tool or prompt, or URI of the resource. */
  readonly tool: string;
  /** Set for prompts and resources. */
  readonly kind?: OtherKind;
  readonly operation?: string;
}

/** Input of {@link ErrorHandler.createErrorResult}. */
export interface ErrorParts extends ErrorDetails {
  readonly message: string;
}

/** The result of an error handler. `_meta` is optional. */
export type ErrorResultLike = Omit<ErrorResult, '_meta'> & Partial<Pick<ErrorResult, '_meta'>>;

/** The interface of an error handler. Inject any object with these methods. */
export interface ErrorHandlerLike {
  /** Creates the result for invalid arguments. */
  createValidationError(
    message: string,
    issues?: readonly Issue[],
    suggestions?: readonly string[],
  ): ErrorResultLike;
  /** Default: the implementation of {@link ErrorHandler}. */
  createErrorResult?(parts: ErrorParts): ErrorResultLike;
  /** Converts a thrown value to a result. */
  handleError(error: unknown, context: ErrorContext): ErrorResultLike;
}

export type WholeErrorHandler = Required<ErrorHandlerLike>;

/** Whether the caller sees the messages of unexpected errors, or only a reference to the log. */
export type ErrorsShown = 'masked' | 'messages';

/** Options of {@link ErrorHandler}. */
export interface ErrorHandlerOptions {
  /** Receives the details of unexpected errors. Default: standard error; the built-in handler of a registry uses the registry's logger. */
  readonly logger?: Logger;
  /** Creates the reference that links a message to the log entry. Default: eight random characters. */
  readonly createReference?: () => string;
  /**
   * The response to an unexpected error: a reference to the log (`'masked'`), or also its message, without credentials, stack frames and
   * file paths (`'messages'`). Default: `'masked'`.
   */
  readonly errors?: ErrorsShown;
}

/** Observes the errors of a server during development. `toolwright dev` sets the listener. */
export interface ErrorWatch {
  /** Called with every error that was not written for the caller. */
  onUnexpected?: (error: unknown, context: ErrorContext & { readonly reference?: string }) => void;
}

/** Options for observing the errors of a server. */
export interface WatchOptions {
  readonly watch: ErrorWatch;
  /** Whether errors are also logged when a listener is set: if the application has its own logger. */
  readonly isLogged: boolean;
}

/**
 * Converts every failure into a result that helps the caller and reveals no internals.
 *
 * @example
 * const registry = new ToolRegistry({ errorHandler: new ErrorHandler({ createReference: () => traceId() }) });
 */
export class ErrorHandler implements ErrorHandlerLike {
  readonly #logger: Logger;
  readonly #createReference: () => string;
  readonly #errors: ErrorsShown | undefined;
  readonly #watched: WatchOptions | undefined;

  /** `watched`: set for the error handlers that a server creates itself. */
  constructor(options: ErrorHandlerOptions = {}, watched?: WatchOptions) {
    this.#logger = options.logger ?? createLogger();
    this.#createReference = options.createReference ?? randomReference;
    this.#errors = options.errors;
    this.#watched = watched;
  }

  /** The result for invalid arguments: one line per issue. */
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

  /** The result for a failure with code and message. */
  createErrorResult(parts: ErrorParts): ErrorResult {
    return describeFailure(parts);
  }

  /** The result for a thrown value. Only messages written for the caller are sent. */
  handleError(error: unknown, context: ErrorContext): ErrorResult {
    try {
      return this.#forCaller(error, context) ?? this.#unexpected(error, context, codeOf(error));
    } catch {
      // Inspecting a thrown value may throw, for example if it is a proxy or has a getter.
      return this.#unexpected(error, context, 'TOOL_FAILED');
    }
  }

  /** The result for an error that was written for the caller. */
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
    // The observer is the author of the server, so messages are shown unless `errors` says otherwise.
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
      // A failing logger must not lose the response to the caller.
    }
  }
}

/** The result for a failure with code and message. */
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

/** Wraps an error handler of the application so that unexpected errors also reach the observer. */
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

/** Maximum number of suggestions in a result. */
const MAX_SUGGESTIONS = 20;

/** A message written for the caller, without credentials and without quoted stack frames. */
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
