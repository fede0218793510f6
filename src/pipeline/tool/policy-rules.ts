import { DefinitionError } from '../../errors/errors.ts';
import { isObject } from '../../base/is-object.ts';
import {
  assertOptions,
  BOOLEAN,
  FUNCTION,
  isFunction,
  isString,
  STRINGS,
} from '../../errors/options/rules.ts';
import type { Rules } from '../../errors/options/rules.ts';
import type { Logger } from '../../errors/logger.ts';
import { didYouMean } from '../../errors/nearest-names.ts';
import type { PolicySubject } from '../../middleware/context.ts';
import { isPromiseLike } from '../../base/maybe-promise.ts';
import { hasScopes } from './policy.ts';
import type { Caller, Policy } from './policy.ts';

/** Rules that select actions. All conditions must hold. */
export interface SubjectRules {
  /** `all`: has all these tags; `any`: has at least one of them. */
  readonly include?: { readonly all?: readonly string[]; readonly any?: readonly string[] };
  /** Has none of these tags. */
  readonly exclude?: readonly string[];
  /** Is read-only. */
  readonly readOnly?: boolean;
  /** Is one of these, by canonical name (`platform.users.create`) or by tool (`platform`). */
  readonly names?: readonly string[];
}

/** A policy as data: the tools that a caller may see and call. All conditions must hold. */
export interface PolicyRules extends SubjectRules {
  /** Named sets of actions. Built in: `all`, and `read-only` with all read-only actions. */
  readonly profiles?: Readonly<Record<string, SubjectRules>>;
  /** The active profile: one for all callers, or chosen by caller. Without a name, or with an unknown one, nothing is visible. */
  readonly profile?: string | ((caller: Caller) => string);
  /** Scopes that the caller needs for an action, in addition to those of the action itself. */
  readonly scopes?: (subject: PolicySubject) => readonly string[];
  /** A final condition. */
  readonly allow?: Policy;
}

/** Built-in profiles. */
const BUILT_IN: Readonly<Record<string, SubjectRules>> = { 'read-only': { readOnly: true }, all: {} };

/** Policies whose result does not depend on the caller. */
const callerless = new WeakSet<Policy>();

/** Whether a policy returns the same for all callers: lists are then shared. */
export function isCallerless(policy: Policy): boolean {
  return callerless.has(policy);
}

/** Compiles the rules of a policy, which {@link assertPolicy} has accepted, into one function. A function is returned unchanged. */
export function compilePolicy(given: Policy | PolicyRules, logger: Logger): Policy {
  if (typeof given === 'function') return given;
  const { profiles = {}, profile, scopes, allow } = given;
  const belongs = compileSubjectRules(given);
  const sets = new Map(
    Object.entries({ ...BUILT_IN, ...profiles }).map(([name, rules]) => [name, compileSubjectRules(rules)]),
  );
  const isInProfile = (subject: PolicySubject, caller: Caller): boolean => {
    if (profile === undefined) return true;
    const name = typeof profile === 'string' ? profile : profile(caller);
    // A promise is not a decision; the guard logs and observes it.
    if (isPromiseLike(name)) return name as unknown as boolean;
    const set = sets.get(name);
    if (set === undefined) logger.error('unknown policy profile', { profile: name });
    return set?.(subject) === true;
  };
  const isGranted = (subject: PolicySubject, caller: Caller): boolean => {
    if (scopes === undefined) return true;
    const wanted = scopes(subject);
    return isPromiseLike(wanted) ? (wanted as unknown as boolean) : hasScopes(wanted, caller);
  };
  const policy = joinAnswers([belongs, isInProfile, isGranted, ...(allow === undefined ? [] : [allow])]);
  if (typeof profile !== 'function' && scopes === undefined && allow === undefined) callerless.add(policy);
  return policy;
}

/** Joins policies: all must return true. */
export function joinPolicies(...policies: readonly (Policy | undefined)[]): Policy | undefined {
  const given = policies.filter((policy) => policy !== undefined);
  const [only] = given;
  if (given.length < 2) return only;
  const joined = joinAnswers(given);
  if (given.every(isCallerless)) callerless.add(joined);
  return joined;
}

/** The first result that is not `true`, unchanged, because the guard must observe a promise. */
function joinAnswers(policies: readonly Policy[]): Policy {
  return (subject, caller) => {
    for (const policy of policies) {
      const answer = policy(subject, caller);
      if (answer !== true) return answer;
    }
    return true;
  };
}

/** Marks a policy as independent of the caller. */
export function markCallerless(policy: Policy): Policy {
  callerless.add(policy);
  return policy;
}

function compileSubjectRules({
  include,
  exclude,
  readOnly,
  names,
}: SubjectRules): (subject: PolicySubject) => boolean {
  // Copied, so that later changes to the arrays have no effect.
  const all = [...(include?.all ?? [])];
  const any = include?.any === undefined ? undefined : [...include.any];
  const none = [...(exclude ?? [])];
  const named = names === undefined ? undefined : new Set(names);
  return ({ name, tool, tags, isReadOnly }) =>
    all.every((tag) => tags.includes(tag)) &&
    (any === undefined || any.some((tag) => tags.includes(tag))) &&
    !none.some((tag) => tags.includes(tag)) &&
    (readOnly === undefined || isReadOnly === readOnly) &&
    (named === undefined || named.has(name) || named.has(tool));
}

const TAGS: Rules = { all: STRINGS, any: STRINGS };

const SUBJECT_RULES: Rules<keyof SubjectRules> = {
  include: [isObject, 'an object with all or any: { any: ["public"] }'],
  exclude: STRINGS,
  readOnly: BOOLEAN,
  names: STRINGS,
};

const RULES: Rules<keyof PolicyRules> = {
  ...SUBJECT_RULES,
  profiles: [isObject, 'an object with rules for each profile'],
  profile: [(value) => isString(value) || isFunction(value), 'a name, or a function that chooses one'],
  scopes: FUNCTION,
  allow: FUNCTION,
};

/** Rejects invalid rules: a typo in a policy must not expose anything. `owner`: the function or class that received the policy. */
export function assertPolicy(rules: Policy | PolicyRules | undefined, owner: string): void {
  if (typeof rules === 'function' || rules === undefined) return;
  const assertRulesOf = (given: SubjectRules, known: Rules, ...path: readonly string[]): void => {
    assertOptions(owner, given, known, 'policy', ...path);
    assertOptions(owner, given.include ?? {}, TAGS, 'policy', ...path, 'include');
  };
  assertRulesOf(rules, RULES);
  const { profiles = {}, profile } = rules;
  for (const [name, part] of Object.entries(profiles)) {
    if (Object.hasOwn(BUILT_IN, name))
      throw new DefinitionError(
        `Invalid policy profile "${name}": the name is reserved. Choose another name.`,
        {
          option: 'policy',
          path: ['profiles', name],
        },
      );
    assertRulesOf(part, SUBJECT_RULES, 'profiles', name);
  }
  const known = Object.keys({ ...BUILT_IN, ...profiles });
  if (typeof profile !== 'string' || known.includes(profile)) return;
  const hint = didYouMean(profile, known);
  throw new DefinitionError(`Unknown policy profile "${profile}".${hint} Profiles: ${known.join(', ')}.`, {
    option: 'policy',
    path: ['profile'],
    expected: known,
    received: profile,
  });
}
