import type { CompiledTool } from '../tool/compiled-tool.ts';
import { guard } from './guard.ts';
import type { Caller, Policy } from '../tool/policy.ts';
import { isCallerless, joinPolicies } from '../tool/policy-rules.ts';

/** Anything that can be listed and called. */
export interface Guarded {
  readonly tool: CompiledTool;
}

/** Entries, sorted by whether their visibility depends on the caller. */
export interface VisibilityPlan<TEntry extends Guarded> {
  /** Entries that can be visible to some caller. Others are omitted. */
  readonly entries: readonly TEntry[];
  /** Entries whose visibility depends on the caller. */
  readonly asked: readonly TEntry[];
}

/** Joins the policy of a surface with that of each entry, and decides everything that does not depend on the caller. */
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

/** Whether the entry is visible to some callers only. */
function dependsOnCaller({ collaborators, subject }: CompiledTool): boolean {
  const { policy } = collaborators;
  return subject.scopes.length > 0 || (policy !== undefined && !isCallerless(policy));
}

function withPolicy<TEntry extends Guarded>(entry: TEntry, policy: Policy): TEntry {
  const { tool } = entry;
  const joined = joinPolicies(tool.collaborators.policy, policy);
  return { ...entry, tool: { ...tool, collaborators: { ...tool.collaborators, policy: joined } } };
}

/** The key of a caller's visible entries: callers with the same key share one list. */
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
