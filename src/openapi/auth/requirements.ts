import type { DescribeFinding, Finding } from '../../errors/finding.ts';
import type { Operation, SecurityRequirement } from '../model/operation.ts';
import type { CredentialSource } from './schemes/credential-source.ts';
import { clean, describeScheme, slotOf } from './schemes/security-scheme.ts';
import type { SecurityScheme } from './schemes/security-scheme.ts';

/** Schemes and credentials that can satisfy security requirements. */
export interface Means {
  readonly schemes: ReadonlyMap<string, SecurityScheme>;
  /** Sources by the names of their schemes, in the order of the author. */
  readonly sources: ReadonlyMap<string, CredentialSource>;
  /** Slots that are already filled, and must not be filled again. */
  readonly filled: ReadonlySet<string>;
  /** Slots that are filled if no source fills them. */
  readonly fallback: ReadonlySet<string>;
  readonly hasCertificate: boolean;
}

/** A source and the requested scopes. */
export interface UsedSource {
  readonly source: CredentialSource;
  readonly scopes: readonly string[];
}

/** Credentials of a request, and the missing ones. */
export interface Choice {
  readonly used: readonly UsedSource[];
  /** Names of schemes. */
  readonly missing: readonly string[];
  readonly scopes: readonly string[];
}

const NOTHING: Choice = { used: [], missing: [], scopes: [] };

/**
 * Selects the alternative for a request: the first whose credentials are all present. The alternative without
 * credentials comes last. If none is satisfied, the available credentials of one are sent: many documents require
 * all schemes where they mean a choice.
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

/** Maximum number of alternatives. */
const MAX_ALTERNATIVES = 100;

/** Alternatives that require credentials. */
function namedOf(security: readonly SecurityRequirement[]): readonly SecurityRequirement[] {
  return security.slice(0, MAX_ALTERNATIVES).filter((requirement) => Object.keys(requirement).length > 0);
}

/** Whether the document allows anonymous requests explicitly. */
export function isOptional({ security }: Pick<Operation, 'security'>): boolean {
  if (security === undefined) return false;
  return security.length === 0 || security.some((requirement) => Object.keys(requirement).length === 0);
}

/** Without `security` in the document, all configured credentials are sent. */
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
    // Two schemes of the same header cannot both be satisfied.
    const slot = slotOf(scheme) ?? '';
    return !taken.has(slot) && !fallback.has(slot);
  });
  return { used, missing, scopes: [...new Set(Object.values(requirement).flat())] };
}

/** Returns false if the slot was taken before. */
function take(taken: Set<string>, slot: string | undefined): boolean {
  if (slot === undefined) return true;
  if (taken.has(slot)) return false;
  taken.add(slot);
  return true;
}

/** Missing credentials of an operation. */
export interface MissingCredentials {
  /** One line for each alternative; none if an alternative is satisfied. */
  readonly lines: readonly string[];
  /** The same as data. */
  readonly findings: readonly Finding[];
}

export const NOTHING_MISSING: MissingCredentials = { lines: [], findings: [] };

/** Finds the missing credentials, one line for each alternative; none if an alternative is satisfied. */
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
