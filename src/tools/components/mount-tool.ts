import { withLogFields } from '../../errors/log-fields.ts';
import { compileChain } from '../../middleware/compile-chain.ts';
import type { PolicySubject } from '../../middleware/context.ts';
import type { AnyMiddleware } from '../../middleware/middleware.ts';
import type { CompiledTool } from '../../pipeline/tool/compiled-tool.ts';
import type { Policy } from '../../pipeline/tool/policy.ts';
import { isCallerless, markCallerless } from '../../pipeline/tool/policy-rules.ts';
import { toPreviewSubject } from '../compile/compile-tool.ts';

/** Prefix, policy and middleware that a mount adds. */
export interface Mounting {
  /** Prefix of names, including its separator. */
  readonly prefix: string;
  /** Name of the mounting registry or manager: the outermost one is that of the server. */
  readonly server: string;
  readonly policy: Policy | undefined;
  readonly middleware: readonly AnyMiddleware[];
  /**
   * Policy subjects under their prefixed names, kept by the mount so that an entry has the same subject in every
   * catalog.
   */
  readonly subjects: WeakMap<PolicySubject, PolicySubject>;
}

/**
 * A mounted tool, prompt or resource under another name. It keeps everything it was registered with (schemas,
 * collaborators, middleware, policy). The policy of the mounting registry must allow it as well, and its middleware
 * runs around the component's own.
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

/** Name of a tool, or of an action of a grouped tool. */
export interface Place extends Pick<PolicySubject, 'action' | 'name' | 'tool'> {
  readonly label: string | undefined;
}

/** Like {@link mountTool}, for any name instead of a prefix. */
export function placeTool(
  tool: CompiledTool,
  { label, ...place }: Place,
  { server, middleware, subjects, policy }: Omit<Mounting, 'prefix'>,
): CompiledTool {
  const subject = subjects.get(tool.subject) ?? Object.freeze({ ...tool.subject, ...place });
  subjects.set(tool.subject, subject);
  const around = (chain: CompiledTool['handler'], what: PolicySubject): CompiledTool['handler'] =>
    compileChain(chain, middleware, what) as CompiledTool['handler'];
  return {
    ...tool,
    name: place.name,
    // defence: server-of-a-mounted-tool
    server,
    label,
    subject,
    handler: around(tool.handler, subject),
    preview: tool.preview === undefined ? undefined : around(tool.preview, toPreviewSubject(subject)),
    log: withLogFields(tool.collaborators.logger, { [subject.kind ?? 'tool']: place.name }),
    collaborators: { ...tool.collaborators, policy: askBoth(tool, subject, policy) },
  };
}

/** Calls each policy with the name it knows; both must allow. */
function askBoth(
  { collaborators: { policy: inner }, subject: innerSubject }: CompiledTool,
  subject: PolicySubject,
  outer: Policy | undefined,
): Policy | undefined {
  if (outer === undefined && inner === undefined) return undefined;
  const joined: Policy = (_subject, caller) => {
    // Returned unchanged: the guard handles promises.
    const answer = inner === undefined ? true : inner(innerSubject, caller);
    return answer === true && outer !== undefined ? outer(subject, caller) : answer;
  };
  const isFixed = [inner, outer].every((policy) => policy === undefined || isCallerless(policy));
  return isFixed ? markCallerless(joined) : joined;
}
