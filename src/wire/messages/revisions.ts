/** One revision of the protocol, and what is particular about it on the wire. */
export interface Revision {
  readonly version: string;
  /** Without state between requests (2026-07-28), or with a handshake and a session. */
  readonly era: 'modern' | 'legacy';
  /** Several messages in one array. */
  readonly hasBatches: boolean;
  /** Streams begin with an event that a client can come back to. */
  readonly hasPriming: boolean;
  /** Content blocks that older clients do not know. */
  readonly hasAudio: boolean;
  readonly hasResourceLinks: boolean;
  readonly hasElicitation: boolean;
  /** Elicitation has modes: a form, or a page to visit. */
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

/** The revisions with a handshake, newest first. */
export const LEGACY: readonly Revision[] = [REV_2025_11, REV_2025_06, REV_2025_03, OLDEST];

/** What a client that says nothing speaks, over HTTP. */
export const UNSPOKEN: Revision = REV_2025_03;

/** Every revision that is served, newest first. */
export const SUPPORTED_VERSIONS: readonly string[] = [MODERN, ...LEGACY].map(({ version }) => version);

const BY_VERSION = new Map([MODERN, ...LEGACY].map((revision) => [revision.version, revision]));

/** A revision by its version; undefined when it is not served. */
export function findRevision(version: unknown): Revision | undefined {
  return typeof version === 'string' ? BY_VERSION.get(version) : undefined;
}

/** What is agreed on in a handshake: what the client asks for, or the newest that has one. */
export function negotiate(requested: unknown): Revision {
  const found = findRevision(requested);
  return found?.era === 'legacy' ? found : REV_2025_11;
}
