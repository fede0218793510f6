import { DefinitionError } from '../../errors/errors.ts';
import { compileAddress } from './compile-address.ts';
import { compileBody } from './compile-body.ts';
import { compileHeaders } from './compile-headers.ts';
import type { BuiltRequest, ReadFile, RequestPlan } from './request-plan.ts';

/**
 * Makes a request from arguments. Rejects with a `ValidationError` where they cannot be sent. `readFile` reads what the
 * `uri` of a file argument names; `data:` URLs are read without it. Absent: such URIs are refused.
 */
export type BuildRequest = (
  input: Readonly<Record<string, unknown>>,
  readFile?: (uri: string) => Promise<ReadFile>,
) => Promise<BuiltRequest>;

/**
 * Reads a plan once, so that requests are made from it often. Everything that can be wrong with a plan is found here. `baseUrl` is the
 * address that the path is put behind: absolute, with a path of its own and even a query if need be.
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

/** Two parameters with one name and location would be told apart by their order alone. */
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
