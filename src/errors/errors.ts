import { ERROR_CODES } from './codes.ts';
import type { ErrorCode, ErrorFate } from './codes.ts';
import type { Finding, FindingData, FindingReason } from './finding.ts';
import { formatIssue } from './issue.ts';
import type { Issue } from './issue.ts';

/** What errors take beside their message: the cause, and what the message says, for programs. */
export interface ErrorDataOptions extends ErrorOptions, Partial<FindingData> {
  /** What the message sums up. */
  readonly findings?: readonly Finding[];
}

/**
 * The base of every error Toolwright throws. Switch on {@link ToolwrightError.code}, never on the message. An error about an option has
 * `option`, `reason` and, where there is something to say, `path`, `expected` and `received`.
 */
export class ToolwrightError extends Error {
  /** Written out: bundlers rename classes. */
  static override readonly name: string = 'ToolwrightError';
  readonly code: ErrorCode;
  // Only declared: an error that is about no option has no such members, which logs would show.
  declare readonly option?: string;
  declare readonly reason?: FindingReason;
  declare readonly path?: readonly (string | number)[];
  declare readonly expected?: string | readonly string[];
  declare readonly received?: string | readonly string[];
  /** What the message sums up. */
  readonly #summed: readonly Finding[];

  constructor(code: ErrorCode, message: string, options: ErrorDataOptions = {}) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
    Object.assign(this, dataOf(options));
    this.#summed = options.findings ?? [];
  }

  /** Everything that the message says of options: of its own, of what it sums up, and of its cause. */
  get findings(): readonly Finding[] {
    const own = dataOf(this);
    return [
      ...(own === undefined ? [] : [{ ...own, message: this.message }]),
      ...this.#summed,
      ...(this.cause instanceof ToolwrightError ? this.cause.findings : []),
    ];
  }

  /** Who has to act on this error. */
  get fate(): ErrorFate {
    return ERROR_CODES[this.code].fate;
  }
}

/** The place that an error is about, and what else is known of it. */
export type ErrorPlace = Pick<FindingData, 'option'> & Partial<FindingData>;

/** Runs a part of something. A mistake that does not say which option it is about gets this place. */
export function about<TResult>(place: ErrorPlace, run: () => TResult): TResult {
  try {
    return run();
  } catch (error) {
    throw withPlace(error, place);
  }
}

/** The same error; a mistake of a developer that does not say which option it is about has this place. */
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

/** A definition or an option is wrong. Raised at start-up, never during a call. */
export class DefinitionError extends ToolwrightError {
  static override readonly name: string = 'DefinitionError';
  constructor(message: string, options?: ErrorDataOptions) {
    super('INVALID_DEFINITION', message, options);
  }
}

/** A schema cannot be served. Raised at start-up, never during a call. */
export class SchemaError extends ToolwrightError {
  static override readonly name: string = 'SchemaError';
  constructor(message: string, options?: ErrorDataOptions) {
    super('UNSUPPORTED_SCHEMA', message, options);
  }
}

/** Two definitions claim one name. Raised at start-up, never during a call. */
export class DuplicateNameError extends ToolwrightError {
  static override readonly name: string = 'DuplicateNameError';
  /** What has the name or the URI `received`. */
  readonly kind: 'Tool' | 'Prompt' | 'Resource';
  /** Descriptions of the two, where they are known: the one that has the name, then the one that claims it. */
  readonly claimants: readonly [string, string] | undefined;

  /** The name of a tool or a prompt, the URI or URI template of a resource. */
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

/** Who claims a name twice, and what can be done about it. */
export interface DuplicateClaim {
  readonly claimants?: readonly [string, string];
  readonly advice?: string;
}

/** An optional package is needed and not installed. */
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

/** What {@link ToolError} takes beside its message. */
export interface ToolErrorOptions extends ErrorOptions {
  /** What the caller could try next; shown to the model. */
  readonly suggestions?: readonly string[];
}

/**
 * A failure the caller should read. Throw it in a handler: its message reaches the client, unlike that of any other error.
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

/** What {@link CallRefusedError} takes beside its code and message. */
export interface CallRefusedOptions extends ToolErrorOptions, ErrorDataOptions {
  /** How long to wait before trying again. */
  readonly retryAfterMs?: number;
}

/**
 * A call is refused or stopped for a reason that has a code of its own: too many calls, too slow, too large. For middleware; its
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

/** Bad arguments, as an error for code that throws; the pipeline itself passes issues as values. */
export class ValidationError extends ToolwrightError {
  static override readonly name: string = 'ValidationError';
  readonly issues: readonly Issue[];

  constructor(issues: readonly Issue[], message: string = issues.map(formatIssue).join('; ')) {
    super('INVALID_ARGUMENTS', message);
    this.issues = issues;
  }
}

/** A default argument resolver gives up, with a message the caller should read. */
export class DefaultArgumentResolutionError extends ToolwrightError {
  static override readonly name: string = 'DefaultArgumentResolutionError';
  readonly suggestions: readonly string[];

  constructor(message: string, options?: ToolErrorOptions) {
    super('DEFAULTS_FAILED', message, options);
    this.suggestions = options?.suggestions ?? [];
  }
}

/**
 * Ends a run of a handler that waits for input which only another request can bring. Thrown by `context.ask…`, never by authors: let it
 * pass, and the client is asked. A handler that catches it changes nothing; the client is asked all the same.
 */
export class InputPendingError extends ToolwrightError {
  static override readonly name: string = 'InputPendingError';
  constructor(question: string) {
    super('INPUT_PENDING', `The answer to "${question}" comes with another request.`);
  }
}

/** What a client has to have declared, in the protocol's words: `{ elicitation: {} }`. */
export type RequiredCapabilities = Readonly<Record<string, unknown>>;

/** Forms are what elicitation means where nothing else is said. */
function nameCapability([name, parts]: [string, unknown]): string {
  const part = Object.keys(parts ?? {}).find((key) => key !== 'form');
  return part === undefined ? name : `${name}.${part}`;
}

/** A handler asks for something that the client cannot give. Catch it to go on without, or look at `context.client` first. */
export class MissingCapabilityError extends ToolwrightError {
  static override readonly name: string = 'MissingCapabilityError';
  readonly requiredCapabilities: RequiredCapabilities;

  constructor(requiredCapabilities: RequiredCapabilities, message?: string) {
    const names = Object.entries(requiredCapabilities).map(nameCapability).join(', ');
    super('MISSING_CLIENT_CAPABILITY', message ?? `This needs a client that has declared: ${names}.`);
    this.requiredCapabilities = requiredCapabilities;
  }
}
