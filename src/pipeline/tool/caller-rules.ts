import { DefinitionError } from '../../errors/errors.ts';
import { isListOf, isString, SCOPE } from '../../errors/options/rules.ts';
import type { Check, Rule, Rules } from '../../errors/options/rules.ts';
import type { PolicySubject } from '../../middleware/context.ts';
import { hasScopes } from './policy.ts';
import type { Policy } from './policy.ts';

/** Conditions on the caller. All of them must hold; the anonymous caller meets none. */
export interface CallerConditions {
  /** The caller has a principal. */
  readonly authenticated?: true;
  /** The caller was granted all of these scopes. */
  readonly scopes?: readonly string[];
  /** The caller has at least one of these roles. */
  readonly roles?: readonly string[];
  /** The caller belongs to one of these tenants. */
  readonly tenants?: readonly string[];
}

function some(element: Check): Check {
  return (value) => isListOf(element)(value) && (value as readonly unknown[]).length > 0;
}

const SOME: Rule = [some(isString), 'an array of strings that is not empty'];
const SOME_SCOPES: Rule = [some(SCOPE[0]), SOME[1], { elements: SCOPE }];

export const CALLER_RULES: Rules<keyof CallerConditions> = {
  authenticated: [(value) => value === true, 'true'],
  scopes: SOME_SCOPES,
  roles: SOME,
  tenants: SOME,
};

/** A rule as a policy. `selects` tells which actions it is for. */
export function compileCallerRules(
  rule: CallerConditions,
  selects: (subject: PolicySubject) => boolean,
): Policy {
  // Copied: later changes of the arrays have no effect.
  const [scopes, roles, tenants] = [[...(rule.scopes ?? [])], copyOf(rule.roles), copyOf(rule.tenants)];
  return (subject, caller) => {
    if (!selects(subject)) return true;
    const { principal } = caller;
    if (principal === undefined) return false;
    return (
      hasScopes(scopes, caller) &&
      (roles === undefined ||
        (isStrings(principal.roles) && principal.roles.some((role) => roles.has(role)))) &&
      (tenants === undefined || (principal.tenant !== undefined && tenants.has(principal.tenant)))
    );
  };
}

function copyOf(names: readonly string[] | undefined): ReadonlySet<string> | undefined {
  return names === undefined ? undefined : new Set(names);
}

/** A claim as a token has it may be one string, which has no members that are roles. */
function isStrings(value: unknown): value is readonly string[] {
  return Array.isArray(value);
}

/** Rejects a rule that asks nothing of the caller: it would protect nothing. */
export function assertCallerRules(
  rule: CallerConditions,
  owner: string,
  path: readonly (number | string)[],
): void {
  const names = Object.keys(CALLER_RULES);
  if (names.some((name) => Object.hasOwn(rule, name))) return;
  throw new DefinitionError(
    `${owner}: policy.${path.join('.')} has no condition on the caller. Add at least one of: ${names.join(', ')}.`,
    { option: 'policy', path, expected: names },
  );
}
