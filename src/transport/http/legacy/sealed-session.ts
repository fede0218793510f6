import { isObject } from '../../../base/is-object.ts';
import { copyStart } from '../../../base/cut-text.ts';
import { createId } from '../../../base/random-id.ts';
import { wallTimeOf } from '../../../base/time/clock.ts';
import type { Clock } from '../../../base/time/clock.ts';
import type { ClientCapabilities } from '../../../middleware/dialogue.ts';
import { Sealer } from '../../../stores/sealing/sealer.ts';
import { describeClient } from '../../../wire/messages/envelope.ts';
import { findRevision } from '../../../wire/messages/revisions.ts';
import type { Begun } from '../../../wire/sessions/legacy-session.ts';
import type { Served } from '../../../wire/served/served.ts';

/** Maximum length of a session id: clients send it with every request, and proxies limit headers. */
export const MAX_SESSION_ID = 2048;

/** Maximum size of the client's name, and of its version, in an id. */
const MAX_TEXT_BYTES = 192;

/** Maximum size of the client's capabilities in an id; above it, only those that the protocol defines are kept, without their settings. */
const MAX_CAPABILITY_BYTES = 800;

/** Members of a session id. */
interface SealedSession {
  /** Key of the session in stores and events. */
  readonly key: string;
  readonly startedAt: number;
  readonly revision: string;
  readonly client: readonly [name: string | undefined, version: string | undefined];
  readonly capabilities: ClientCapabilities;
  /** Lists that the server declared. */
  readonly declared: readonly string[];
}

/** A session, as its id describes it. */
export interface OpenedSession {
  readonly key: string;
  readonly begun: Begun;
  /** End of the session, in wall time. */
  readonly endsAt: number;
}

/** Encrypts sessions into their ids, so that every node with the same keys can serve them. */
export class SessionSealer {
  readonly #sealer: Sealer<SealedSession>;
  readonly #clock: Clock;
  readonly #lifetimeMs: number;

  constructor({ keys, clock }: Served, lifetimeMs: number) {
    this.#clock = clock;
    this.#lifetimeMs = lifetimeMs;
    this.#sealer = new Sealer({
      ring: keys,
      purpose: 'session',
      ttlMs: lifetimeMs,
      clock,
      maxChars: MAX_SESSION_ID,
    });
  }

  /** Creates the id of a new session. `owner`: the caller and the server, without whom it cannot be opened. */
  seal({ revision, client, declared }: Begun, owner: string): Promise<string> {
    const session: SealedSession = {
      key: createId(),
      startedAt: wallTimeOf(this.#clock),
      revision: revision.version,
      client: [shorten(client.name), shorten(client.version)],
      capabilities: shortenCapabilities(client.capabilities),
      declared: LISTS.filter((kind) => declared.has(kind)),
    };
    return this.#sealer.seal(session, owner);
  }

  /** Opens an id; undefined if it is invalid, has expired, or belongs to another caller or server. */
  async open(id: string, owner: string): Promise<OpenedSession | undefined> {
    const session = await this.#sealer.open(id, owner);
    if (session === undefined) return undefined;
    const { key, startedAt, capabilities, declared } = session;
    const revision = findRevision(session.revision);
    // An id of another version of this library may have a revision that this one does not support.
    if (revision === undefined) return undefined;
    const [name, version] = session.client;
    const client = describeClient({ name, version }, capabilities, revision.version);
    const begun = { revision, client, declared: new Set(declared) };
    return { key, begun, endsAt: startedAt + this.#lifetimeMs };
  }
}

const LISTS = ['tools', 'prompts', 'resources'];

function shorten(text: string | undefined): string | undefined {
  let short = text;
  while (short !== undefined && bytesOf(short) > MAX_TEXT_BYTES)
    short = copyStart(short, Math.min(MAX_TEXT_BYTES, short.length >> 1));
  return short;
}

/** Capabilities with their members, which are flags. */
const FLAGS = { elicitation: ['form', 'url'], sampling: ['tools', 'context'], roots: [] } as const;

function shortenCapabilities(capabilities: ClientCapabilities): ClientCapabilities {
  if (bytesOf(capabilities) <= MAX_CAPABILITY_BYTES) return capabilities;
  const known = Object.entries(FLAGS).filter(([name]) => isObject(capabilities[name]));
  return Object.fromEntries(
    known.map(([name, flags]) => {
      const given = capabilities[name] as Readonly<Record<string, unknown>>;
      return [
        name,
        Object.fromEntries(flags.filter((flag) => isObject(given[flag])).map((flag) => [flag, {}])),
      ];
    }),
  );
}

function bytesOf(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}
