import { withLogFields } from '../../errors/log-fields.ts';
import { compileChain } from '../../middleware/compile-chain.ts';
import type { PolicySubject } from '../../middleware/context.ts';
import type { AnyMiddleware } from '../../middleware/middleware.ts';
import type { CompiledTool } from '../../pipeline/tool/compiled-tool.ts';
import type { Policy } from '../../pipeline/tool/policy.ts';
import { isCallerless, markCallerless } from '../../pipeline/tool/policy-rules.ts';
import { toPreviewSubject } from '../compile/compile-tool.ts';

/** What a registry or a manager adds to what it mounts. */
export interface Mounting {
  /** Stands before names, its separator included. */
  readonly prefix: string;
  readonly policy: Policy | undefined;
  readonly middleware: readonly AnyMiddleware[];
  /** Subjects under their prefixed names. Kept by the mount: by its subject an entry is known from one catalog to the next. */
  readonly subjects: WeakMap<PolicySubject, PolicySubject>;
}

/**
 * A tool, a prompt or a resource where it is mounted, called by another name. It keeps everything it was registered with (schemas,
 * collaborators, middleware, policy); the policy of where it is mounted is asked as well, and both must agree, and the middleware from
 * there stands around its own.
 */
export function mountTool(tool: CompiledTool, name: string, mounting: Mounting): CompiledTool {
  const { prefix } = mounting;
  const { subject, label } = tool;
  const place = {
    name,
    tool: `${prefix}${subject.tool}`,
    action: subject.action,
    label: label === undefined ? undefined : `${prefix}${label}`,
  };
  return placeTool(tool, place, mounting);
}

/** Where a tool, or an action of a grouped one, is found. */
export interface Place extends Pick<PolicySubject, 'action' | 'name' | 'tool'> {
  readonly label: string | undefined;
}

/** The same for any other place than one behind a prefix. */
export function placeTool(
  tool: CompiledTool,
  { label, ...place }: Place,
  { middleware, subjects, policy }: Omit<Mounting, 'prefix'>,
): CompiledTool {
  const subject = subjects.get(tool.subject) ?? Object.freeze({ ...tool.subject, ...place });
  subjects.set(tool.subject, subject);
  const around = (chain: CompiledTool['handler'], what: PolicySubject): CompiledTool['handler'] =>
    compileChain(chain, middleware, what) as CompiledTool['handler'];
  return {
    ...tool,
    name: place.name,
    label,
    subject,
    handler: around(tool.handler, subject),
    preview: tool.preview === undefined ? undefined : around(tool.preview, toPreviewSubject(subject)),
    log: withLogFields(tool.collaborators.logger, { [subject.kind ?? 'tool']: place.name }),
    collaborators: { ...tool.collaborators, policy: askBoth(tool, subject, policy) },
  };
}

/** Each policy is asked by the name it knows, and each has to agree. */
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
