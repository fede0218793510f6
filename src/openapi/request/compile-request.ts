import { DefinitionError } from '../../errors/errors.ts';
import { compileAddress } from './compile-address.ts';
import { compileBody } from './compile-body.ts';
import { compileHeaders } from './compile-headers.ts';
import type { BuiltRequest, ReadFile, RequestPlan } from './request-plan.ts';

/**
 * Builds a request from arguments. Rejects with a `ValidationError` if they cannot be sent. `readFile` reads the `uri`
 * of a file argument; `data:` URLs are decoded without it. Default: such URIs are rejected.
 */
export type BuildRequest = (
  input: Readonly<Record<string, unknown>>,
  readFile?: (uri: string) => Promise<ReadFile>,
) => Promise<BuiltRequest>;

/**
 * Compiles a plan once for many requests. All errors of a plan are found here. `baseUrl` is the absolute URL that the path is appended to;
 * it may have a path and a query.
 */
export function compileRequest(plan: RequestPlan, baseUrl: string): BuildRequest {
  assertNoneTwice(plan);
  const buildUrl = compileAddress(plan, baseUrl);
  const buildHeaders = compileHeaders(plan);
  const buildBody = plan.body && compileBody(plan.body, plan.key);
  const { method } = plan;
  return async (input, readFile) => {
    const url = buildUrl(input);
    const headers = buildHeaders?.(input) ?? {};
    const built = buildBody && (await buildBody(input, readFile));
    if (built === undefined) return { method, url, headers, body: undefined };
    return { method, url, headers: { ...headers, 'content-type': built.contentType }, body: built.body };
  };
}

/** Two parameters with the same name and location could only be distinguished by their order. */
function assertNoneTwice({ parameters, key }: RequestPlan): void {
  const seen = new Set<string>();
  for (const { parameter } of parameters) {
    const name = parameter.in === 'header' ? parameter.name.toLowerCase() : parameter.name;
    const location = `${parameter.in} ${name}`;
    if (seen.has(location))
      throw new DefinitionError(
        `The ${parameter.in} parameter "${parameter.name}" of ${key} is defined twice.`,
      );
    seen.add(location);
  }
}
