import { ToolError } from '../../errors/errors.ts';
import { withTexts } from '../../errors/finding.ts';
import type { Middleware } from '../../middleware/middleware.ts';
import type { OpenApiReport } from '../../openapi/model/import-report.ts';
import { hideInValue } from '../../openapi/response/body/hide-value.ts';
import { OutboundError } from '../../outbound/outbound-error.ts';
import { isPlain } from './is-code.ts';
import type { EnvUses } from './env-uses.ts';

type Hide = (text: string) => string;

/**
 * Middleware that removes values of environment variables from results: all of them from errors and previews, and only those of `unseen` from
 * successful results, where others may be legitimate data, such as the host of the API.
 */
export function hideEnvironment(all: EnvUses, unseen: EnvUses): Middleware {
  return async ({ subject, next }) => {
    try {
      const passed = await next();
      const isMessage = passed.isError || subject.isPreview === true;
      return passed.withValue(hideIn(passed.value, isMessage ? all : unseen));
    } catch (error) {
      throw hideInError(error, (text) => all.hide(text));
    }
  };
}

/** Reason for withholding binary content. */
export const REPEATS_ENVIRONMENT = 'it contains a secret value';

/** Hides values in a result, in the content of a resource, or in any other value. */
function hideIn(value: unknown, uses: EnvUses): unknown {
  if (uses.isEmpty) return value;
  const hide: Hide = (text) => uses.hide(text);
  if (!isPlain(value)) return hideInValue(value, hide);
  if (value['blob'] !== undefined) {
    if (!hasBytes(value, uses)) return value;
    throw new ToolError(`The content was withheld: ${REPEATS_ENVIRONMENT}.`);
  }
  const { content, ...rest } = value;
  if (!Array.isArray(content)) return hideInValue(value, hide);
  return { ...hideInMembers(rest, hide), content: content.map((block: unknown) => hideInBlock(block, uses)) };
}

function hideInBlock(block: unknown, uses: EnvUses): unknown {
  if (!isPlain(block)) return block;
  const { type, resource = block } = block;
  if (isPlain(resource) && (resource['blob'] ?? resource['data']) !== undefined)
    return hasBytes(resource, uses)
      ? { type: 'text', text: `The content was withheld: ${REPEATS_ENVIRONMENT}.` }
      : block;
  return { ...hideInMembers(block, (text) => uses.hide(text)), type };
}

function hasBytes({ data, blob = data }: Readonly<Record<string, unknown>>, uses: EnvUses): boolean {
  return uses.isIn(typeof blob === 'string' ? Buffer.from(blob, 'base64') : (blob as Uint8Array));
}

/** Hides values in members, but not in their names, which the protocol defines. */
function hideInMembers(value: Readonly<Record<string, unknown>>, hide: Hide): object {
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, hideInValue(member, hide)]));
}

/** Hides values in errors whose messages reach a caller. */
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

/** Hides values in a report, but not in names, which clients get anyway. */
export function hideInReport(report: OpenApiReport, uses: EnvUses): OpenApiReport {
  const hide: Hide = (text) => uses.hide(text);
  return {
    ...report,
    uri: hide(report.uri),
    notes: report.notes.map(hide),
    findings: report.findings.map((finding) => withTexts(finding, hide)),
    operations: report.operations.map((operation) => ({
      ...operation,
      reason: operation.reason === undefined ? undefined : hide(operation.reason),
      notes: operation.notes.map(hide),
      missingCredentials: operation.missingCredentials.map(hide),
    })),
  };
}
