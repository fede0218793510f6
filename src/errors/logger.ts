import { findJsonRefusal, isBytes } from '../base/json/find-json-refusal.ts';
import { formatLogText } from '../base/log-text.ts';

/** How serious a log entry is. The names are the protocol's. */
export type LogLevel = 'debug' | 'info' | 'warning' | 'error';

/** What a log entry says beside its message. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Where Toolwright writes what happened. Any logger with these four methods fits. */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warning(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** Lets hot paths skip building an entry that nobody reads. Absent means: every level is written. */
  isEnabled?(level: LogLevel): boolean;
}

const SEVERITY: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warning: 2, error: 3 };

/** Options of {@link createLogger}. */
export interface LoggerOptions {
  /** The least serious level that is written. Default: `warning`. */
  readonly level?: LogLevel;
  /**
   * Receives one line of JSON per entry. Default: standard error, because standard output may carry the protocol; as text for people where
   * that is a terminal.
   */
  readonly write?: (line: string) => void;
}

/**
 * A small logger that writes one line of JSON per entry; in a terminal, text for people.
 *
 * @example
 * const registry = new ToolRegistry({ logger: createLogger({ level: 'info' }) });
 */
export function createLogger(options: LoggerOptions = {}): Logger {
  const threshold = SEVERITY[options.level ?? 'warning'];
  const write = options.write ?? writeToStderr;
  const isEnabled = (level: LogLevel): boolean => SEVERITY[level] >= threshold;
  const entry =
    (level: LogLevel) =>
    (message: string, fields?: LogFields): void => {
      if (!isEnabled(level)) return;
      try {
        write(toLine(level, message, fields));
      } catch {
        // A log that cannot be written has nowhere to say so, and the call it belongs to goes on.
      }
    };
  return {
    debug: entry('debug'),
    info: entry('info'),
    warning: entry('warning'),
    error: entry('error'),
    isEnabled,
  };
}

function writeToStderr(line: string): void {
  // Not every platform has a process.
  const { stderr, env } = (globalThis.process ?? {}) as Partial<typeof globalThis.process>;
  if (stderr?.isTTY !== true) return console.error(line);
  const hasColours = (env?.['NO_COLOR'] ?? '') === '' && env?.['TERM'] !== 'dumb';
  console.error(formatLogText(line, hasColours));
}

/** A logger that writes nothing. */
export const silentLogger: Logger = {
  debug: () => {},
  info: () => {},
  warning: () => {},
  error: () => {},
  isEnabled: () => false,
};

/** Fields as an object: bytes and lists, which handlers may give as well, have a member for every element. */
export function asFields(fields: LogFields | undefined): LogFields | undefined {
  return fields !== undefined && (Array.isArray(fields) || isBytes(fields)) ? { fields } : fields;
}

/** Logging must never be the reason a call fails: a field that cannot be serialised says so, the others stay. */
function toLine(level: LogLevel, message: string, fields: LogFields = {}): string {
  // Said twice: first for the order, then so that a field of the same name cannot pass for another level.
  const entry = (said: LogFields): string =>
    JSON.stringify(Object.assign({ level, message }, said, { level, message }));
  try {
    if (findJsonRefusal(fields, MAX_ENTRY) === undefined) return entry(fields);
  } catch {
    // One of the fields throws.
  }
  return entry(
    Object.fromEntries(
      Object.entries(asFields(fields) ?? {}).map(([key, field]) => [key, toLoggable(field)]),
    ),
  );
}

/** More than anybody reads; the fields come from handlers and may be anything. */
const MAX_ENTRY = { maxBytes: 262_144, maxDepth: 512 };

function toLoggable(field: unknown): unknown {
  try {
    const refusal = findJsonRefusal(field, MAX_ENTRY);
    if (refusal === 'large') return '(too large to be logged)';
    if (refusal !== undefined) return UNWRITABLE;
    JSON.stringify(field);
    return field;
  } catch {
    return UNWRITABLE;
  }
}

const UNWRITABLE = '(cannot be written as JSON)';
