/** A revision of the protocol, and its differences on the wire. */
export interface Revision {
  readonly version: string;
  /** `modern`: without state between requests (2026-07-28). `legacy`: with a handshake and a session. */
  readonly era: 'modern' | 'legacy';
  /** Whether several messages can be sent as an array. */
  readonly hasBatches: boolean;
  /** Whether streams begin with an event that a client can resume from. */
  readonly hasPriming: boolean;
  /** Whether audio content is supported. */
  readonly hasAudio: boolean;
  readonly hasResourceLinks: boolean;
  readonly hasElicitation: boolean;
  /** Whether elicitation has modes: form and URL. */
  readonly hasElicitationModes: boolean;
}

const OLDEST: Revision = {
  version: '2024-11-05',
  era: 'legacy',
  hasBatches: false,
  hasPriming: false,
  hasAudio: false,
  hasResourceLinks: false,
  hasElicitation: false,
  hasElicitationModes: false,
};

const REV_2025_03: Revision = { ...OLDEST, version: '2025-03-26', hasBatches: true, hasAudio: true };

const REV_2025_06: Revision = {
  ...REV_2025_03,
  version: '2025-06-18',
  hasBatches: false,
  hasResourceLinks: true,
  hasElicitation: true,
};

const REV_2025_11: Revision = {
  ...REV_2025_06,
  version: '2025-11-25',
  hasPriming: true,
  hasElicitationModes: true,
};

/** The revision without sessions. */
export const MODERN: Revision = { ...REV_2025_11, version: '2026-07-28', era: 'modern', hasPriming: false };

/** Revisions with a handshake, newest first. */
export const LEGACY: readonly Revision[] = [REV_2025_11, REV_2025_06, REV_2025_03, OLDEST];

/** Revision of an HTTP request without `MCP-Protocol-Version`. */
export const UNSPOKEN: Revision = REV_2025_03;

/** All supported revisions, newest first. */
export const SUPPORTED_VERSIONS: readonly string[] = [MODERN, ...LEGACY].map(({ version }) => version);

const BY_VERSION = new Map([MODERN, ...LEGACY].map((revision) => [revision.version, revision]));

/** Finds a revision by its version; undefined if it is not supported. */
export function findRevision(version: unknown): Revision | undefined {
  return typeof version === 'string' ? BY_VERSION.get(version) : undefined;
}

/** Negotiates the revision of a handshake: the requested one, or the newest one with a handshake. */
export function negotiate(requested: unknown): Revision {
  const found = findRevision(requested);
  return found?.era === 'legacy' ? found : REV_2025_11;
}
