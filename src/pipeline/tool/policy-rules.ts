import { DefinitionError } from '../../errors/errors.ts';
import type { Logger } from '../../errors/logger.ts';
import { didYouMean } from '../../errors/nearest-names.ts';
import type { PolicySubject } from '../../middleware/context.ts';
import { isPromiseLike } from '../../base/maybe-promise.ts';
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
  /** Named sets of actions. Two are always there: `all`, and `read-only` with all that change nothing. */
  readonly profiles?: Readonly<Record<string, SubjectRules>>;
  /** The set in force: for everybody, or chosen by the caller. Whoever gets no name, or one that does not exist, sees nothing. */
  readonly profile?: string | ((caller: Caller) => string);
  /** What a caller must have been granted for an action, beside the scopes the action asks for itself. */
  readonly scopes?: (subject: PolicySubject) => readonly string[];
  /** The last word. */
  readonly allow?: Policy;
}

/** Sets that need not be given. */
const BUILT_IN: Readonly<Record<string, SubjectRules>> = { 'read-only': { readOnly: true }, all: {} };
const SUBJECT_KEYS = ['include', 'exclude', 'readOnly', 'names'];
const KEYS = [...SUBJECT_KEYS, 'profiles', 'profile', 'scopes', 'allow'];

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
    Object.entries({ ...BUILT_IN, ...profiles }).map(([name, rules]) => [name, compileSubjectRules(rules)]),
  );
  const isInProfile = (subject: PolicySubject, caller: Caller): boolean => {
    if (profile === undefined) return true;
    const name = typeof profile === 'string' ? profile : profile(caller);
    // A promise is not a decision; the guard says so, and looks after it.
    if (isPromiseLike(name)) return name as unknown as boolean;
    const set = sets.get(name);
    if (set === undefined) logger.error('the policy names a profile that does not exist', { profile: name });
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

/** Joins policies: each has to agree. */
export function joinPolicies(...policies: readonly (Policy | undefined)[]): Policy | undefined {
  const given = policies.filter((policy) => policy !== undefined);
  const [only] = given;
  if (given.length < 2) return only;
  const joined = joinAnswers(given);
  if (given.every(isCallerless)) callerless.add(joined);
  return joined;
}

/** The first answer that is not `true`, whatever it is: the guard has to see a promise in order to look after it. */
function joinAnswers(policies: readonly Policy[]): Policy {
  return (subject, caller) => {
    for (const policy of policies) {
      const answer = policy(subject, caller);
      if (answer !== true) return answer;
    }
    return true;
  };
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
  // Copied: the rules are those that were given, whatever becomes of the lists.
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

/** A typo in a policy must not open what it was meant to close. */
function assertRules(rules: PolicyRules): void {
  if (typeof rules !== 'object' || rules === null || Array.isArray(rules)) {
    throw new DefinitionError(
      `The option policy must be a function or an object with rules, such as { exclude: ['internal'] }; it is ${typeof rules}.`,
    );
  }
  const { profiles = {}, profile } = rules;
  assertSubjectRules(rules, 'the policy', KEYS);
  const taken = Object.keys(profiles).find((name) => Object.hasOwn(BUILT_IN, name));
  if (taken !== undefined)
    throw new DefinitionError(`The policy: the profile "${taken}" is always there. Give yours another name.`);
  for (const [name, part] of Object.entries(profiles)) assertSubjectRules(part, name, SUBJECT_KEYS);
  for (const name of ['scopes', 'allow'] as const) {
    if (rules[name] !== undefined && typeof rules[name] !== 'function')
      throw new DefinitionError(`The policy: ${name} must be a function; it is ${typeof rules[name]}.`);
  }
  const known = Object.keys({ ...BUILT_IN, ...profiles });
  if (typeof profile !== 'string' || known.includes(profile)) return;
  const hint = didYouMean(profile, known);
  throw new DefinitionError(`The policy has no profile "${profile}".${hint} There are: ${known.join(', ')}.`);
}

function assertSubjectRules(rules: unknown, where: string, known: readonly string[]): void {
  const given = (rules ?? {}) as Record<string, unknown>;
  assertKeys(given, where, known);
  const { include, exclude, names } = given as { include?: unknown; exclude?: unknown; names?: unknown };
  if (include !== undefined && (typeof include !== 'object' || include === null || Array.isArray(include))) {
    throw new DefinitionError(`${where}: include must say all or any: { include: { any: ["public"] } }.`);
  }
  assertKeys(include ?? {}, `${where}: include`, ['all', 'any']);
  for (const [key, list] of Object.entries({ exclude, names, ...include })) {
    if (list !== undefined && !(Array.isArray(list) && list.every((entry) => typeof entry === 'string')))
      throw new DefinitionError(`${where}: ${key} must be a list of strings.`);
  }
}

function assertKeys(given: object, where: string, known: readonly string[]): void {
  const stranger = Object.keys(given).find((key) => !known.includes(key));
  if (stranger === undefined) return;
  const hint = didYouMean(stranger, known);
  throw new DefinitionError(`${where}: unknown rule "${stranger}".${hint} Rules: ${known.join(', ')}.`);
}
