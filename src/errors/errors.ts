import { ERROR_CODES } from './codes.ts';
import type { ErrorCode, ErrorFate } from './codes.ts';
import type { Finding, FindingData, FindingReason } from './finding.ts';
import { formatIssue } from './issue.ts';
import type { Issue } from './issue.ts';

/** Options of an error: its cause, and machine-readable data of the message. */
export interface ErrorDataOptions extends ErrorOptions, Partial<FindingData> {
  /** The findings that the message summarizes. */
  readonly findings?: readonly Finding[];
}

/**
 * The base class of all errors of Toolwright. Switch on {@link ToolwrightError.code}, never on the message. An error about an option has
 * `option` and `reason`, and may have `path`, `expected` and `received`.
 */
export class ToolwrightError extends Error {
  /** A literal, because bundlers rename classes. */
  static override readonly name: string = 'ToolwrightError';
  readonly code: ErrorCode;
  // Declared only: an error without an option must not have these members, because logs would show them.
  declare readonly option?: string;
  declare readonly reason?: FindingReason;
  declare readonly path?: readonly (string | number)[];
  declare readonly expected?: string | readonly string[];
  declare readonly received?: string | readonly string[];
  /** The findings that the message summarizes. */
  readonly #summed: readonly Finding[];

  constructor(code: ErrorCode, message: string, options: ErrorDataOptions = {}) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
    Object.assign(this, dataOf(options));
    this.#summed = options.findings ?? [];
  }

  /** All findings: that of the error itself, those that it summarizes, and those of its cause. */
  get findings(): readonly Finding[] {
    const own = dataOf(this);
    return [
      ...(own === undefined ? [] : [{ ...own, message: this.message }]),
      ...this.#summed,
      ...(this.cause instanceof ToolwrightError ? this.cause.findings : []),
    ];
  }

  /** The party that has to act on this error. */
  get fate(): ErrorFate {
    return ERROR_CODES[this.code].fate;
  }
}

/** The option that an error is about, and further data. */
export type ErrorPlace = Pick<FindingData, 'option'> & Partial<FindingData>;

/** Runs a function. A developer error that names no option gets this place. */
export function about<TResult>(place: ErrorPlace, run: () => TResult): TResult {
  try {
    return run();
  } catch (error) {
    throw withPlace(error, place);
  }
}

/** The same error. A developer error that names no option gets this place. */
export function withPlace<TError>(error: TError, place: ErrorPlace): TError {
  const isPlaced =
    !(error instanceof ToolwrightError) || error.option !== undefined || error.fate !== 'developer';
  return isPlaced ? error : Object.assign(error, dataOf(place));
}

function dataOf(given: Partial<FindingData>): FindingData | undefined {
  const { option, reason = 'invalid-option', path, expected, received } = given;
  if (option === undefined) return undefined;
  return {
    reason,
    option,
    ...(path === undefined ? {} : { path }),
    ...(expected === undefined ? {} : { expected }),
    ...(received === undefined ? {} : { received }),
  };
}

/** A definition or an option is invalid. Thrown at start-up, never during a call. */
export class DefinitionError extends ToolwrightError {
  static override readonly name: string = 'DefinitionError';
  constructor(message: string, options?: ErrorDataOptions) {
    super('INVALID_DEFINITION', message, options);
  }
}

/** A schema is not supported. Thrown at start-up, never during a call. */
export class SchemaError extends ToolwrightError {
  static override readonly name: string = 'SchemaError';
  constructor(message: string, options?: ErrorDataOptions) {
    super('UNSUPPORTED_SCHEMA', message, options);
  }
}

/** Two definitions have the same name. Thrown at start-up, never during a call. */
export class DuplicateNameError extends ToolwrightError {
  static override readonly name: string = 'DuplicateNameError';
  /** The kind of component that already has the name or URI `received`. */
  readonly kind: 'Tool' | 'Prompt' | 'Resource';
  /** Descriptions of both definitions, if known: first the existing one, then the new one. */
  readonly claimants: readonly [string, string] | undefined;

  /** `name`: the name of a tool or prompt, or the URI or URI template of a resource. */
  constructor(kind: 'Tool' | 'Prompt' | 'Resource', name: string, claim: DuplicateClaim = {}) {
    const { claimants, advice = ADVICE[kind] } = claim;
    const who = claimants ? ` (claimed by ${claimants[0]} and by ${claimants[1]})` : '';
    const what = kind === 'Resource' ? 'URI' : 'name';
    super('DUPLICATE_NAME', `${kind} with ${what} '${name}' already exists${who}. ${advice}`, {
      reason: 'duplicate-name',
      option: kind === 'Resource' ? 'uri' : 'name',
      received: name,
    });
    this.kind = kind;
    this.claimants = claimants;
  }
}

const ADVICE = {
  Tool: 'Rename one of them, or mount one under a prefix.',
  Prompt: 'Rename one of them, or remove the first with removePrompt.',
  Resource: 'Give one of them another URI, or remove the first with removeResource.',
} as const;

/** The two definitions with the same name, and advice. */
export interface DuplicateClaim {
  readonly claimants?: readonly [string, string];
  readonly advice?: string;
}

/** A required optional package is not installed. */
export class MissingPeerError extends ToolwrightError {
  static override readonly name: string = 'MissingPeerError';
  constructor(feature: string, packages: readonly string[], options?: ErrorOptions) {
    super(
      'MISSING_PEER',
      `${feature} needs ${packages.map((name) => `"${name}"`).join(' and ')}. Install with: npm install ${packages.join(' ')}`,
      options,
    );
  }
}

/** Options of {@link ToolError}. */
export interface ToolErrorOptions extends ErrorOptions {
  /** Suggestions for the next step of the caller; shown to the model. */
  readonly suggestions?: readonly string[];
}

/**
 * A failure whose message the caller should read. Throw it in a handler: its message reaches the client, unlike that of other errors.
 *
 * @example
 * throw new ToolError('No note has the id 7.', { suggestions: ['Call list_notes to see the ids.'] });
 */
export class ToolError extends ToolwrightError {
  static override readonly name: string = 'ToolError';
  readonly suggestions: readonly string[];

  constructor(message: string, options?: ToolErrorOptions) {
    super('TOOL_ERROR', message, options);
    this.suggestions = options?.suggestions ?? [];
  }
}

/** Options of {@link CallRefusedError}. */
export interface CallRefusedOptions extends ToolErrorOptions, ErrorDataOptions {
  /** Milliseconds to wait before retrying. */
  readonly retryAfterMs?: number;
}

/**
 * A call is rejected or stopped for a reason with its own code: too many calls, a timeout, a result that is too large. For middleware; its
 * message reaches the client.
 *
 * @example
 * throw new CallRefusedError('BUSY', 'Another import is running.', { retryAfterMs: 5000 });
 */
export class CallRefusedError extends ToolwrightError {
  static override readonly name: string = 'CallRefusedError';
  readonly suggestions: readonly string[];
  readonly retryAfterMs: number | undefined;

  constructor(code: ErrorCode, message: string, options?: CallRefusedOptions) {
    super(code, message, options);
    this.suggestions = options?.suggestions ?? [];
    this.retryAfterMs = options?.retryAfterMs;
  }
}

/** Invalid arguments, as an error for code that throws. The pipeline itself passes issues as values. */
export class ValidationError extends ToolwrightError {
  static override readonly name: string = 'ValidationError';
  readonly issues: readonly Issue[];

  constructor(issues: readonly Issue[], message: string = issues.map(formatIssue).join('; ')) {
    super('INVALID_ARGUMENTS', message);
    this.issues = issues;
  }
}

/** Thrown by a default argument resolver that fails; its message reaches the caller. */
export class DefaultArgumentResolutionError extends ToolwrightError {
  static override readonly name: string = 'DefaultArgumentResolutionError';
  readonly suggestions: readonly string[];

  constructor(message: string, options?: ToolErrorOptions) {
    super('DEFAULTS_FAILED', message, options);
    this.suggestions = options?.suggestions ?? [];
  }
}

/**
 * Ends a run of a handler that waits for input from another request. Thrown by `context.ask…`; do not throw or catch it yourself. If a
 * handler catches it, the client is still asked.
 */
export class InputPendingError extends ToolwrightError {
  static override readonly name: string = 'InputPendingError';
  constructor(question: string) {
    super('INPUT_PENDING', `The response to "${question}" comes with another request.`);
  }
}

/** The required client capabilities, as the protocol declares them: `{ elicitation: {} }`. */
export type RequiredCapabilities = Readonly<Record<string, unknown>>;

/** Elicitation without further members means forms. */
function nameCapability([name, parts]: [string, unknown]): string {
  const part = Object.keys(parts ?? {}).find((key) => key !== 'form');
  return part === undefined ? name : `${name}.${part}`;
}

/** A handler needs a capability that the client did not declare. Catch it to continue without it, or check `context.client` first. */
export class MissingCapabilityError extends ToolwrightError {
  static override readonly name: string = 'MissingCapabilityError';
  readonly requiredCapabilities: RequiredCapabilities;

  constructor(requiredCapabilities: RequiredCapabilities, message?: string) {
    const names = Object.entries(requiredCapabilities).map(nameCapability).join(', ');
    super('MISSING_CLIENT_CAPABILITY', message ?? `Missing client capability: ${names}.`);
    this.requiredCapabilities = requiredCapabilities;
  }
}
