import { ToolError } from '../errors/errors.ts';
import type { Middleware } from '../middleware/middleware.ts';
import type { OpenApiReport } from '../openapi/import-report.ts';
import { OutboundError } from '../outbound/outbound-error.ts';
import { isPlain } from './is-code.ts';
import type { EnvUses } from './env-uses.ts';

type Hide = (text: string) => string;

/**
 * Keeps what came from the environment out of what is said to callers: out of failures and previews all of it, out of answers what
 * callers are not to see. Everything else that an answer has is data, such as the address of the API.
 */
export function hideEnvironment(all: EnvUses, unseen: EnvUses): Middleware {
  const hideAll: Hide = (text) => hideEncoded(text, all);
  const hideUnseen: Hide = (text) => unseen.hide(text);
  return async ({ subject, next }) => {
    try {
      const passed = await next();
      const isMessage = passed.isError || subject.isPreview === true;
      return passed.withValue(hideIn(passed.value, isMessage ? hideAll : hideUnseen));
    } catch (error) {
      throw hideInError(error, hideAll);
    }
  };
}

/** Others may write the codes of an address in small letters. */
function hideEncoded(text: string, uses: EnvUses): string {
  const written = text.replaceAll(/%[0-9a-f]{2}/gi, (code) => code.toUpperCase());
  const hidden = uses.hide(written);
  return hidden === written ? text : hidden;
}

/** Members with bytes in base64: no text stands in them. */
const BYTES = new Set(['blob', 'data']);

/** A value whose texts have been through `hide`. */
export function hideIn(value: unknown, hide: Hide): unknown {
  if (typeof value === 'string') return hide(value);
  if (Array.isArray(value)) return value.map((entry) => hideIn(entry, hide));
  if (!isPlain(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, BYTES.has(key) ? member : hideIn(member, hide)]),
  );
}

/** Of the errors whose messages reach a caller. */
function hideInError(error: unknown, hide: Hide): unknown {
  if (error instanceof OutboundError) {
    const { failure, message, cause, retryAfterMs } = error;
    return new OutboundError(failure, hide(message), {
      cause,
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    });
  }
  if (!(error instanceof ToolError)) return error;
  const { message, cause, suggestions } = error;
  return new ToolError(hide(message), { cause, suggestions: suggestions.map(hide) });
}

/** A report without what came from the environment. Names stay: they are what clients get. */
export function hideInReport(report: OpenApiReport, uses: EnvUses): OpenApiReport {
  const hide: Hide = (text) => uses.hide(text);
  return {
    ...report,
    uri: hide(report.uri),
    notes: report.notes.map(hide),
    operations: report.operations.map((operation) => ({
      ...operation,
      reason: operation.reason === undefined ? undefined : hide(operation.reason),
      notes: operation.notes.map(hide),
      missingCredentials: operation.missingCredentials.map(hide),
    })),
  };
}
