import { withLogFields } from '../errors/log-fields.ts';
import { compileChain } from '../middleware/compile-chain.ts';
import type { PolicySubject } from '../middleware/context.ts';
import type { AnyMiddleware } from '../middleware/middleware.ts';
import type { CompiledTool } from '../pipeline/compiled-tool.ts';
import type { Policy } from '../pipeline/policy.ts';
import { isCallerless, markCallerless } from '../pipeline/policy-rules.ts';
import { renameModel, toEntry, toPreviewSubject } from '../tools/compile/compile-tool.ts';
import type { CatalogEntry } from '../tools/compile/compile-tool.ts';

/** What a registry adds to the tools it mounts. */
export interface MountingParts {
  readonly prefix: string;
  readonly policy: Policy | undefined;
  readonly middleware: readonly AnyMiddleware[];
  /** Subjects under their prefixed names. Kept by the mount: by its subject a tool is known from one catalog to the next. */
  readonly subjects: WeakMap<PolicySubject, PolicySubject>;
}

/**
 * A tool of a mounted registry under its prefixed name. It keeps everything it was registered with (schemas, collaborators,
 * middleware, policy); the policy of the registry it is mounted in is asked as well, and both must agree, and the middleware of that
 * registry stands around its own.
 */
export function toMountedEntry(entry: CatalogEntry, parts: MountingParts): CatalogEntry {
  const { tool, model, grouped } = entry;
  const { prefix, middleware } = parts;
  const name = `${prefix}${tool.name}`;
  const subject =
    parts.subjects.get(tool.subject) ??
    Object.freeze({ ...tool.subject, name, tool: `${prefix}${tool.subject.tool}` });
  parts.subjects.set(tool.subject, subject);
  const around = (chain: CompiledTool['handler'], what: PolicySubject): CompiledTool['handler'] =>
    compileChain(chain, middleware, what) as CompiledTool['handler'];
  const mounted: CompiledTool = {
    ...tool,
    name,
    label: tool.label === undefined ? undefined : `${prefix}${tool.label}`,
    subject,
    handler: around(tool.handler, subject),
    preview: tool.preview === undefined ? undefined : around(tool.preview, toPreviewSubject(subject)),
    log: withLogFields(tool.collaborators.logger, { tool: name }),
    collaborators: { ...tool.collaborators, policy: askBoth(tool, subject, parts.policy) },
  };
  return toEntry(
    {
      definition: { ...entry.definition, name },
      bare: entry.bare,
      grouped: grouped === undefined ? undefined : { ...grouped, tool: `${prefix}${grouped.tool}` },
      tool: mounted,
    },
    renameModel(model, `${prefix}${model.name}`),
  );
}

/** Each policy is asked about the tool by the name it knows, and each has to agree. */
function askBoth(
  { collaborators: { policy: inner }, subject: innerSubject }: CompiledTool,
  subject: PolicySubject,
  outer: Policy | undefined,
): Policy | undefined {
  if (outer === undefined && inner === undefined) return undefined;
  const joined: Policy = (_subject, caller) => {
    // The answer itself, whatever it is: the guard has to see a promise in order to look after it.
    const answer = inner === undefined ? true : inner(innerSubject, caller);
    return answer === true && outer !== undefined ? outer(subject, caller) : answer;
  };
  const isFixed = [inner, outer].every((policy) => policy === undefined || isCallerless(policy));
  return isFixed ? markCallerless(joined) : joined;
}
