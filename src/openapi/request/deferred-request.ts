import { compileRequest } from './compile-request.ts';
import type { BuildRequest } from './compile-request.ts';
import type { RequestPlan } from './request-plan.ts';

/** Segments of plain characters, or one name in braces: such a path is always valid. */
const PLAIN_PATH = /^(?:\/(?:[A-Za-z0-9_~][A-Za-z0-9_.~-]*|\{[A-Za-z0-9_]+\}))*\/?$/;
const PLAIN_NAME = /^[A-Za-z0-9_-]+$/;
const PLAIN_TYPES: ReadonlySet<string> = new Set(['application/json', 'application/x-www-form-urlencoded']);

/**
 * Compiles the requests of a plan. A plain plan is compiled on its first call: of a document with a thousand operations, few are called.
 * Any other plan is compiled immediately, because it may be invalid.
 */
export function deferRequest(plan: RequestPlan, baseUrl: string): () => BuildRequest {
  let build = isPlain(plan) ? undefined : compileRequest(plan, baseUrl);
  return () => (build ??= compileRequest(plan, baseUrl));
}

function isPlain({ path, parameters, body }: RequestPlan): boolean {
  if (!PLAIN_PATH.test(path)) return false;
  const isPlainBody = (body?.contents ?? []).every(({ content }) => PLAIN_TYPES.has(content.mediaType));
  return (
    isPlainBody &&
    parameters.every(({ parameter }) => PLAIN_NAME.test(parameter.name) && parameter.in !== 'cookie')
  );
}
