import type { DescribeFinding, Finding } from '../../errors/finding.ts';
import type { Operation, SecurityRequirement } from '../model/operation.ts';
import type { CredentialSource } from './schemes/credential-source.ts';
import { clean, describeScheme, slotOf } from './schemes/security-scheme.ts';
import type { SecurityScheme } from './schemes/security-scheme.ts';

/** What there is to meet requirements with. */
export interface Means {
  readonly schemes: ReadonlyMap<string, SecurityScheme>;
  /** By the names of their schemes, in the order of the author. */
  readonly sources: ReadonlyMap<string, CredentialSource>;
  /** What is filled already, and must not be filled again. */
  readonly filled: ReadonlySet<string>;
  /** What is filled where no source does it. */
  readonly fallback: ReadonlySet<string>;
  readonly hasCertificate: boolean;
}

/** A source, and the scopes that it is used for. */
export interface UsedSource {
  readonly source: CredentialSource;
  readonly scopes: readonly string[];
}

/** What is sent with a request, and what is missing for it. */
export interface Choice {
  readonly used: readonly UsedSource[];
  /** Names of schemes. */
  readonly missing: readonly string[];
  readonly scopes: readonly string[];
}

const NOTHING: Choice = { used: [], missing: [], scopes: [] };

/**
 * The alternative that a request meets: the first for which everything is there. None is better than the one without credentials, if any is
 * met. Where none is, what there is of one is sent: many documents ask for all of what is meant as a choice.
 */
export function chooseAlternative({ security }: Pick<Operation, 'security'>, means: Means): Choice {
  if (security === undefined) return allOf(means);
  const choices = namedOf(security).map((requirement) => judge(requirement, means));
  const met = choices.find(({ missing }) => missing.length === 0);
  if (met !== undefined) return met;
  if (isOptional({ security })) return { ...NOTHING, scopes: choices[0]?.scopes ?? [] };
  return choices.reduce(
    (best, each) => (each.used.length > best.used.length ? each : best),
    choices[0] ?? NOTHING,
  );
}

/** More ways in are not looked at. */
const MAX_ALTERNATIVES = 100;

/** The alternatives that ask for something. */
function namedOf(security: readonly SecurityRequirement[]): readonly SecurityRequirement[] {
  return security.slice(0, MAX_ALTERNATIVES).filter((requirement) => Object.keys(requirement).length > 0);
}

/** Whether the document lets everybody in. Where it says nothing, nobody knows. */
export function isOptional({ security }: Pick<Operation, 'security'>): boolean {
  if (security === undefined) return false;
  return security.length === 0 || security.some((requirement) => Object.keys(requirement).length === 0);
}

/** Where the document says nothing, whoever gave credentials means them to be sent. */
function allOf({ sources, filled }: Means): Choice {
  const taken = new Set(filled);
  const used = [...sources.values()]
    .filter((source) => take(taken, source.slot))
    .map((source) => ({ source, scopes: [] }));
  return { ...NOTHING, used };
}

function judge(requirement: SecurityRequirement, means: Means): Choice {
  const { schemes, sources, filled, fallback, hasCertificate } = means;
  const taken = new Set(filled);
  const used: UsedSource[] = [];
  for (const [name, scopes] of Object.entries(requirement)) {
    const source = sources.get(name);
    if (source !== undefined && take(taken, source.slot)) used.push({ source, scopes });
  }
  const missing = Object.keys(requirement).filter((name) => {
    if (sources.has(name)) return false;
    const scheme = schemes.get(name);
    if (scheme === undefined) return true;
    if (scheme.kind === 'mutualTLS') return !hasCertificate;
    // Two schemes of one header cannot be met but by one value.
    const slot = slotOf(scheme) ?? '';
    return !taken.has(slot) && !fallback.has(slot);
  });
  return { used, missing, scopes: [...new Set(Object.values(requirement).flat())] };
}

/** False where it was taken before. */
function take(taken: Set<string>, slot: string | undefined): boolean {
  if (slot === undefined) return true;
  if (taken.has(slot)) return false;
  taken.add(slot);
  return true;
}

/** What nobody gave for an operation. */
export interface MissingCredentials {
  /** One for each way to be let in; none if there is one that is met. */
  readonly lines: readonly string[];
  /** What the lines say, for programs. */
  readonly findings: readonly Finding[];
}

export const NOTHING_MISSING: MissingCredentials = { lines: [], findings: [] };

/** What nobody gave, one line for each alternative; none if there is one that is met. */
export function findMissing(
  operation: Pick<Operation, 'security'>,
  means: Means,
  describe: DescribeFinding,
): MissingCredentials {
  const { security = [] } = operation;
  if (isOptional(operation)) return NOTHING_MISSING;
  const all = namedOf(security).map((requirement) => judge(requirement, means).missing);
  if (all.some((missing) => missing.length === 0)) return NOTHING_MISSING;
  const found = all.map((missing) => missing.map((name) => findOne(name, means.schemes)));
  const lines = found.map((findings) => findings.map(describe).join(' and '));
  return {
    lines: [...new Set(lines)].map((line, index) => `${index === 0 ? 'needs' : 'or'} ${line}`),
    findings: found.flat(),
  };
}

function findOne(name: string, schemes: ReadonlyMap<string, SecurityScheme>): Finding {
  const scheme = schemes.get(name);
  const shown = clean(name);
  const path = [shown];
  if (scheme === undefined)
    return {
      reason: 'undefined-security-scheme',
      option: 'headers',
      path,
      message: `${shown} (which the document does not define): give it in headers, or by an authProvider`,
    };
  const expected = describeScheme(scheme);
  if (scheme.kind === 'mutualTLS')
    return {
      reason: 'missing-certificate',
      option: 'tls',
      path,
      expected,
      message: `${shown} (${expected}): give the option tls of outbound requests`,
    };
  return {
    reason: 'missing-credential',
    option: 'credentials',
    path,
    expected,
    message: `${shown} (${expected}): give credentials.${shown}`,
  };
}
