import { Tool } from '../model/tool.ts';
import type { Caller, Policy, PolicySubject } from '../pipeline/guard.ts';
import { toEntry, withToolName } from './compile-tool.ts';
import type { CatalogEntry } from './compile-tool.ts';

/**
 * A tool of a mounted registry under its prefixed name. It keeps everything it was registered with (schemas, collaborators,
 * policy); the policy of the registry it is mounted in is asked as well, and both must agree.
 */
export function toMountedEntry(entry: CatalogEntry, name: string, outer: Policy | undefined): CatalogEntry {
  const { tool, model } = entry;
  const inner = tool.collaborators.policy;
  const subject = Object.freeze({ ...tool.subject, name });
  const policy: Policy | undefined =
    outer === undefined && inner === undefined
      ? undefined
      : (_subject, caller) => allows(inner, tool.subject, caller) && allows(outer, subject, caller);
  const { title, description, inputSchema, outputSchema, annotations, icons, meta } = model;
  const renamed = new Tool({ name, title, description, inputSchema, outputSchema, annotations, icons, meta });
  return toEntry({ ...entry.definition, name }, renamed, {
    ...tool,
    name,
    subject,
    log: withToolName(tool.collaborators.logger, name),
    collaborators: { ...tool.collaborators, policy },
  });
}

/** Nothing but `true` is a yes, as in the guard itself. */
function allows(policy: Policy | undefined, subject: PolicySubject, caller: Caller): boolean {
  return policy === undefined || policy(subject, caller) === true;
}
