import { findJsonRefusal, isBytes } from '../base/json/find-json-refusal.ts';
import { formatLogText } from '../base/log-text.ts';

/** The level of a log entry. The names are those of the protocol. */
export type LogLevel = 'debug' | 'info' | 'warning' | 'error';

/** Structured data of a log entry. */
export type LogFields = Readonly<Record<string, unknown>>;

/** The logger interface. Any object with these four methods works. */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warning(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** Lets hot paths skip entries that are not written. Default: every level is enabled. */
  isEnabled?(level: LogLevel): boolean;
}

const SEVERITY: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warning: 2, error: 3 };

/** Options of {@link createLogger}. */
export interface LoggerOptions {
  /** The minimum level. Default: `'warning'`. */
  readonly level?: LogLevel;
  /**
   * Receives one line per entry. Default: writes to standard error, because standard output may carry the protocol: JSON, or readable text
   * in a terminal.
   */
  readonly write?: (line: string) => void;
}

/**
 * Creates a logger that writes one line of JSON per entry; readable text in a terminal.
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
        // A failing write cannot be reported anywhere, and must not fail the call.
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
  // Some platforms have no `process`.
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

/** Fields as an object. Handlers may also pass bytes and arrays, whose elements would become members. */
export function asFields(fields: LogFields | undefined): LogFields | undefined {
  return fields !== undefined && (Array.isArray(fields) || isBytes(fields)) ? { fields } : fields;
}

/** Logging must never fail a call: a field that cannot be serialized is replaced by a note, the others stay. */
function toLine(level: LogLevel, message: string, fields: LogFields = {}): string {
  // First for the order of the members, last so that a field cannot overwrite level or message.
  const entry = (said: LogFields): string =>
    JSON.stringify(Object.assign({ level, message }, said, { level, message }));
  try {
    if (findJsonRefusal(fields, MAX_ENTRY) === undefined) return entry(fields);
  } catch {
    // A field throws when it is read.
  }
  return entry(
    Object.fromEntries(
      Object.entries(asFields(fields) ?? {}).map(([key, field]) => [key, toLoggable(field)]),
    ),
  );
}

/** Bounds for one entry: handlers may pass any value as a field. */
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
