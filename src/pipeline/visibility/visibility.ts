import type { CompiledTool } from '../tool/compiled-tool.ts';
import { guard } from './guard.ts';
import type { Caller, Policy } from '../tool/policy.ts';
import { isCallerless, joinPolicies } from '../tool/policy-rules.ts';

/** Anything that can be listed and called. */
export interface Guarded {
  readonly tool: CompiledTool;
}

/** Entries sorted by how much there is to ask about each. */
export interface VisibilityPlan<TEntry extends Guarded> {
  /** What can exist for somebody. What exists for nobody is left out: no name leads to it. */
  readonly entries: readonly TEntry[];
  /** Those whose existence depends on who asks. */
  readonly asked: readonly TEntry[];
}

/** Joins what a surface allows with what each entry allows itself, and settles what does not depend on who asks. */
export function planVisibility<TEntry extends Guarded>(
  given: Iterable<TEntry>,
  policy: Policy | undefined,
): VisibilityPlan<TEntry> {
  const entries: TEntry[] = [];
  const asked: TEntry[] = [];
  for (const original of given) {
    const entry = policy === undefined ? original : withPolicy(original, policy);
    if (!dependsOnCaller(entry.tool)) {
      if (guard(entry.tool, {})) entries.push(entry);
      continue;
    }
    entries.push(entry);
    asked.push(entry);
  }
  return { entries, asked };
}

/** Whether it exists for some callers and not for others. */
function dependsOnCaller({ collaborators, subject }: CompiledTool): boolean {
  const { policy } = collaborators;
  return subject.scopes.length > 0 || (policy !== undefined && !isCallerless(policy));
}

function withPolicy<TEntry extends Guarded>(entry: TEntry, policy: Policy): TEntry {
  const { tool } = entry;
  const joined = joinPolicies(tool.collaborators.policy, policy);
  return { ...entry, tool: { ...tool, collaborators: { ...tool.collaborators, policy: joined } } };
}

/** What a caller sees, as a key: callers with the same key see the same, and share one list. */
export function visibilityClass({ asked }: VisibilityPlan<Guarded>, caller: Caller): string {
  let key = '';
  for (const { tool } of asked) key += guard(tool, caller) ? '1' : '0';
  return key;
}

/** The entries of a visibility class. */
export function entriesOfClass<TEntry extends Guarded>(
  { entries, asked }: VisibilityPlan<TEntry>,
  key: string,
): readonly TEntry[] {
  if (asked.length === 0) return entries;
  const hidden = new Set(asked.filter((_, index) => key[index] !== '1'));
  return entries.filter((entry) => !hidden.has(entry));
}
