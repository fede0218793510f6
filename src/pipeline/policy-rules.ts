import { DefinitionError } from '../errors/errors.ts';
import type { Logger } from '../errors/logger.ts';
import { findNearestNames } from '../errors/nearest-names.ts';
import type { PolicySubject } from '../middleware/context.ts';
import { hasScopes } from './policy.ts';
import type { Caller, Policy } from './policy.ts';

/** Which actions belong, by what is known of them. All conditions must hold. */
export interface SubjectRules {
  /** `all`: has every one of these tags; `any`: has at least one of them. */
  readonly include?: { readonly all?: readonly string[]; readonly any?: readonly string[] };
  /** Has none of these tags. */
  readonly exclude?: readonly string[];
  /** Changes nothing. */
  readonly readOnly?: boolean;
  /** Is one of these, by canonical name (`platform.users.create`) or by tool (`platform`). */
  readonly names?: readonly string[];
}

/** Who may see and call what, as data. All conditions must hold. */
export interface PolicyRules extends SubjectRules {
  /** Named sets of actions. `read-only` is always there: it has all that change nothing. */
  readonly profiles?: Readonly<Record<string, SubjectRules>>;
  /** The set in force: for everybody, or chosen by the caller. Whoever gets a name that does not exist sees nothing. */
  readonly profile?: string | ((caller: Caller) => string | undefined);
  /** What a caller must have been granted for an action, beside the scopes the action asks for itself. */
  readonly scopes?: (subject: PolicySubject) => readonly string[];
  /** The last word. */
  readonly allow?: Policy;
}

const READ_ONLY = 'read-only';
const KEYS = ['include', 'exclude', 'readOnly', 'names', 'profiles', 'profile', 'scopes', 'allow'];

/** Policies whose answer does not depend on who asks. */
const callerless = new WeakSet<Policy>();

/** Whether a policy gives everybody the same answer: lists then need not be made per caller. */
export function isCallerless(policy: Policy): boolean {
  return callerless.has(policy);
}

/** One function of a policy's rules. A policy that is a function already stays as it is. */
export function compilePolicy(given: Policy | PolicyRules, logger: Logger): Policy {
  if (typeof given === 'function') return given;
  assertRules(given);
  const { profiles = {}, profile, scopes, allow } = given;
  const belongs = compileSubjectRules(given);
  const sets = new Map(
    Object.entries({ [READ_ONLY]: { readOnly: true }, ...profiles }).map(([name, rules]) => [
      name,
      compileSubjectRules(rules),
    ]),
  );
  const isInProfile = (subject: PolicySubject, caller: Caller): boolean => {
    if (profile === undefined) return true;
    const name = typeof profile === 'string' ? profile : profile(caller);
    if (name === undefined) return true;
    const set = sets.get(name);
    if (set === undefined) logger.error('the policy names a profile that does not exist', { profile: name });
    return set?.(subject) === true;
  };
  const policy: Policy = (subject, caller) =>
    belongs(subject) &&
    isInProfile(subject, caller) &&
    (scopes === undefined || hasScopes(scopes(subject), caller)) &&
    (allow === undefined || allow(subject, caller) === true);
  if (typeof profile !== 'function' && scopes === undefined && allow === undefined) callerless.add(policy);
  return policy;
}

/** Joins policies: each has to agree. */
export function joinPolicies(...policies: readonly (Policy | undefined)[]): Policy | undefined {
  const given = policies.filter((policy) => policy !== undefined);
  const [only] = given;
  if (given.length < 2) return only;
  const joined: Policy = (subject, caller) => given.every((policy) => policy(subject, caller) === true);
  if (given.every(isCallerless)) callerless.add(joined);
  return joined;
}

/** Marks a policy as one whose answer does not depend on who asks. */
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
  const all = include?.all ?? [];
  const any = include?.any;
  const named = names === undefined ? undefined : new Set(names);
  return ({ name, tool, tags, isReadOnly }) =>
    all.every((tag) => tags.includes(tag)) &&
    (any === undefined || any.some((tag) => tags.includes(tag))) &&
    !(exclude ?? []).some((tag) => tags.includes(tag)) &&
    (readOnly === undefined || isReadOnly === readOnly) &&
    (named === undefined || named.has(name) || named.has(tool));
}

/** A typo in a policy must not open what it was meant to close. */
function assertRules(rules: PolicyRules): void {
  if (typeof rules !== 'object' || rules === null || Array.isArray(rules)) {
    throw new DefinitionError(
      `The option policy must be a function or an object with rules, such as { exclude: ['internal'] }; it is ${typeof rules}.`,
    );
  }
  const { profiles = {}, profile } = rules;
  for (const [where, part] of [['the policy', rules], ...Object.entries(profiles)] as const)
    assertSubjectRules(part, where);
  for (const name of ['scopes', 'allow'] as const) {
    if (rules[name] !== undefined && typeof rules[name] !== 'function')
      throw new DefinitionError(`The policy: ${name} must be a function; it is ${typeof rules[name]}.`);
  }
  if (typeof profile !== 'string' || profile === READ_ONLY || Object.hasOwn(profiles, profile)) return;
  const known = [READ_ONLY, ...Object.keys(profiles)];
  const [nearest] = findNearestNames(profile, known);
  const hint = nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
  throw new DefinitionError(`The policy has no profile "${profile}".${hint} There are: ${known.join(', ')}.`);
}

function assertSubjectRules(rules: unknown, where: string): void {
  const given = (rules ?? {}) as Record<string, unknown>;
  const stranger = Object.keys(given).find((key) => !KEYS.includes(key));
  if (stranger !== undefined) {
    const [nearest] = findNearestNames(stranger, KEYS);
    const hint = nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
    throw new DefinitionError(`${where}: "${stranger}" is no rule.${hint} Rules: ${KEYS.join(', ')}.`);
  }
  const { include, exclude, names } = given as { include?: unknown; exclude?: unknown; names?: unknown };
  const lists = { exclude, names, ...(include as object | undefined) };
  if (include !== undefined && (typeof include !== 'object' || include === null || Array.isArray(include))) {
    throw new DefinitionError(`${where}: include must say all or any: { include: { any: ["public"] } }.`);
  }
  for (const [key, list] of Object.entries(lists)) {
    if (list !== undefined && !(Array.isArray(list) && list.every((entry) => typeof entry === 'string')))
      throw new DefinitionError(`${where}: ${key} must be a list of strings.`);
  }
}
