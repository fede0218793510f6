/** A revision of the protocol. */
export type Version = '2026-07-28' | '2025-11-25' | '2025-06-18' | '2025-03-26' | '2024-11-05';

/** A requirement of the protocol. Its id names its place: `http:headers:mcp-method-missing`. */
export interface Requirement {
  /** In one sentence. */
  readonly behaviour: string;
  /** The revisions that have it. */
  readonly revisions: readonly Version[];
  /** The page of the specification, the SEP, or `own` where the protocol leaves the choice to the server. */
  readonly source: string;
}

export type Requirements = Readonly<Record<string, Requirement>>;

/** Without state between requests. */
export const MODERN = ['2026-07-28'] as const;
/** With a handshake. */
export const HANDSHAKE = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;
/** With a handshake and sessions over HTTP. */
export const SESSIONS = ['2025-11-25', '2025-06-18', '2025-03-26'] as const;
export const ALL = [...MODERN, ...HANDSHAKE] as const;
