import { ToolError } from '../../errors/errors.ts';
import { ownerOfCall } from '../../middleware/parts/caller-identity.ts';
import { isRedirect, readLocation } from '../../outbound/redirects/find-redirect.ts';
import type { AnyResourceDefinition, ResourceContent } from '../../resources/resource-definition.ts';
import { documentsRedirect } from '../model/documented-responses.ts';
import { tidyText } from '../naming/clean-text.ts';
import type { OperationKind } from '../selection/operation-override.ts';
import { REPEATS_CREDENTIALS } from '../response/binary-content.ts';
import { readBody } from '../response/body/response-body.ts';
import { readErrorAnswer } from '../response/failure/error-answer.ts';
import { plainName } from '../request/document-path.ts';
import { isSpanning } from '../request/path-values.ts';
import { compileCall } from './call-operation.ts';
import type { CalledOperation, Calling } from './call-operation.ts';
import { compileArguments, describe } from './operation-tool.ts';
import type { OperationToolParts } from './operation-tool.ts';

/** Parts of a resource. */
export interface OperationResourceParts extends OperationToolParts {
  readonly kind: Extract<OperationKind, 'resource' | 'resource-template'>;
  /** Prefix of the path: `openapi://museum`. */
  readonly root: string;
}

/** Creates a resource whose content is the response of an operation. */
export function toOperationResource(parts: OperationResourceParts): AnyResourceDefinition {
  const { name, callable, kind, override, maxDescription, stripHtml, tags } = parts;
  const { operation } = callable;
  const { scopes, timeoutMs } = override;
  const title = override.title === undefined ? '' : tidyText(override.title);
  const shared = {
    name,
    description: describe(operation, override, { maxChars: maxDescription, stripHtml }),
    tags: [...new Set([...tags, ...(override.tags ?? [])])],
    ...(title === '' ? {} : { title }),
    ...(scopes === undefined ? {} : { scopes }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  };
  let read: ReturnType<typeof compileRead> | undefined;
  const provide: ReturnType<typeof compileRead> = (input, calling) =>
    (read ??= compileRead(parts))(input, calling);
  if (kind === 'resource')
    return { ...shared, uri: toUri(parts), contentProvider: ({ context }) => provide({}, context) };
  const { template, argumentOf } = toUriTemplate(parts);
  return {
    ...shared,
    uriTemplate: template,
    contentProvider: ({ variables, context }) => {
      const given = Object.entries(variables);
      const named = given
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => [argumentOf.get(name) ?? name, value]);
      return provide(Object.fromEntries(named) as Input, context);
    },
  };
}

type Input = Readonly<Record<string, unknown>>;

function compileRead(
  parts: OperationResourceParts,
): (input: Input, calling: Calling) => Promise<ResourceContent | null> {
  const call = compileCall(parts.callable);
  const toSent = compileArguments(parts.plan);
  // Parameters that are not in the URI have their defaults, as in a call.
  const defaults = Object.fromEntries(parts.plan.defaults);
  return async (input, calling) => {
    const called = await call(toSent({ ...defaults, ...input }), calling);
    return toContent(called, parts, ownerOfCall(calling));
  };
}

function toContent(
  { answer, url, hide = (text) => text, isHiddenIn }: CalledOperation,
  { callable, answers }: OperationResourceParts,
  owner: string,
): ResourceContent | null {
  if (answer.status === 404 || answer.status === 410) return null;
  if (isRedirect(answer.status) && documentsRedirect(callable.operation, answer.status)) {
    const location = readLocation(answer.headers.get('location'), url);
    if (location !== undefined) return { text: hide(location.href), mimeType: 'text/uri-list' };
  }
  if (answer.status < 200 || answer.status > 299) {
    const { remainders, maxChars } = answers;
    const result = readErrorAnswer(answer, {
      what: callable.operation.key,
      uri: '',
      maxChars,
      remainders,
      owner,
      hide,
      structured: false,
    });
    const [block] = result.content;
    throw new ToolError(
      block?.type === 'text'
        ? block.text
        : `${callable.operation.key} responded with status ${answer.status}.`,
    );
  }
  const type = answer.headers.get('content-type')?.split(';')[0]?.trim();
  const mimeType = type === undefined || type === '' ? {} : { mimeType: hide(type) };
  const body = readBody(answer, false);
  if (body.kind === 'empty') return { text: '', ...mimeType };
  if (body.kind === 'json' || body.kind === 'text') return { text: hide(body.text), ...mimeType };
  if (isHiddenIn?.(answer.body) === true)
    throw new ToolError(
      `${callable.operation.key} returned ${hide(body.type)}, which was withheld: ${REPEATS_CREDENTIALS}.`,
    );
  return { blob: answer.body, ...mimeType };
}

/** Path parameters that are filled in are not shown: their values may be private. */
function toUri({ callable, root }: OperationResourceParts): string {
  return `${root}${fillNames(callable.operation.path, (name) => name)}`;
}

function fillNames(path: string, fill: (name: string) => string): string {
  return path.replaceAll(/\{([^{}]*)\}/g, (_, name: string) => fill(name));
}

/**
 * Path parameters in place, query parameters after the path. Variables of URI templates allow fewer characters than
 * argument names.
 */
function toUriTemplate({ callable, plan, root }: OperationResourceParts): {
  readonly template: string;
  readonly argumentOf: ReadonlyMap<string, string>;
} {
  const shown = plan.inputSchema['properties'] as object;
  const inPath = new Map<string, { readonly variable: string; readonly spans: boolean }>();
  const query: string[] = [];
  const argumentOf = new Map<string, string>();
  for (const planned of plan.request.parameters) {
    const { argument, parameter } = planned;
    const isInUri = parameter.in === 'path' || parameter.in === 'query';
    if (!isInUri || !Object.hasOwn(shown, argument)) continue;
    const wanted = argument.replaceAll(/[^A-Za-z0-9_]/g, '_');
    let variable = wanted;
    for (let count = 2; argumentOf.has(variable); count += 1) variable = `${wanted}_${count}`;
    argumentOf.set(variable, argument);
    if (parameter.in === 'path') inPath.set(parameter.name, { variable, spans: isSpanning(planned) });
    else query.push(variable);
  }
  const path = fillNames(callable.operation.path, (written) => {
    const found = inPath.get(written) ?? inPath.get(plainName(written));
    if (found === undefined) return written;
    return found.spans ? `{+${found.variable}}` : `{${found.variable}}`;
  });
  return { template: `${root}${path}${query.length > 0 ? `{?${query.join(',')}}` : ''}`, argumentOf };
}
