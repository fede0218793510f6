import { stravaError } from '../strava-error.ts';
import { STRAVA_SCOPES } from '../strava-settings.ts';
import type { AccessTokens } from './access-tokens.ts';
import { CallbackServer } from './callback-server.ts';
import type { CallbackParameters } from './callback-server.ts';
import { PendingAuthorizations } from './pending-authorizations.ts';
import type { StoredTokens } from './stored-tokens.ts';
import type { TokenEndpoint } from './token-endpoint.ts';

/** An authorization that the user must grant in a browser. */
export interface ConnectAttempt {
  readonly url: string;
  /** Unix time in milliseconds; the address is not valid after it. */
  readonly expiresAt: number;
  /** Resolves when the user is connected; rejects if the permission was refused, replaced or not granted in time. */
  readonly finished: Promise<void>;
}

export interface DisconnectOutcome {
  readonly wasConnected: boolean;
  /** False if Strava could not be told: the user can remove the application at strava.com/settings/apps. */
  readonly isRevoked: boolean;
}

export interface ConnectionParts {
  readonly clientId: string;
  readonly authorizeUrl: string;
  readonly callbackPort: number;
  readonly stored: StoredTokens;
  readonly tokens: AccessTokens;
  readonly endpoint: TokenEndpoint;
  readonly now: () => number;
}

/** Connects and disconnects users by OAuth 2.0 with `state` and PKCE. */
export class StravaConnection {
  readonly #parts: ConnectionParts;
  readonly #pending: PendingAuthorizations;
  readonly #server: CallbackServer;
  /** Of users whose attempt has not ended. */
  readonly #attempts = new Map<string, ConnectAttempt>();

  constructor(parts: ConnectionParts) {
    this.#parts = parts;
    this.#pending = new PendingAuthorizations(parts.now);
    this.#server = new CallbackServer(parts.callbackPort, (parameters) => this.#finish(parameters));
  }

  async connect(user: string): Promise<ConnectAttempt> {
    const redirect = await this.#server.listen();
    const { promise, resolve, reject } = createOutcome();
    const { state, challenge, expiresAt } = this.#pending.add(user, (error) =>
      error === undefined ? resolve() : reject(error),
    );
    const url = new URL(this.#parts.authorizeUrl);
    url.search = new URLSearchParams({
      client_id: this.#parts.clientId,
      redirect_uri: redirect,
      response_type: 'code',
      approval_prompt: 'auto',
      scope: STRAVA_SCOPES.join(','),
      state,
      code_challenge: challenge,
      code_challenge_method: 'S256',
    }).toString();
    const attempt = { url: url.href, expiresAt, finished: promise };
    this.#attempts.set(user, attempt);
    const end = (): void => {
      if (this.#attempts.get(user) === attempt) this.#attempts.delete(user);
    };
    promise.then(end, end);
    return attempt;
  }

  /** The attempt of a user that has not ended. */
  findAttempt(user: string): ConnectAttempt | undefined {
    return this.#attempts.get(user);
  }

  isConnected(user: string): Promise<boolean> {
    return this.#parts.stored.has(user);
  }

  /** Removes the tokens in any case, and revokes the permission if Strava can be reached. */
  async disconnect(user: string): Promise<DisconnectOutcome> {
    const { stored, tokens, endpoint } = this.#parts;
    this.#pending.endOf(user, stravaError('refused', 'The user has disconnected.'));
    if (!(await stored.has(user))) return { wasConnected: false, isRevoked: false };
    const isRevoked = await tokens
      .get(user)
      .then(async (token) => endpoint.revoke(token))
      .then(() => true)
      // Without valid tokens there is nothing to revoke, or no means to do so.
      .catch(() => false);
    await stored.remove(user);
    return { wasConnected: true, isRevoked };
  }

  async close(): Promise<void> {
    this.#pending.endAll(stravaError('refused', 'The server is shutting down.'));
    await this.#server.close();
  }

  async #finish({ state, code, scope, error }: CallbackParameters): Promise<string> {
    const pending = this.#pending.take(state);
    if (pending === undefined) {
      throw stravaError(
        'refused',
        'This address is not valid: it is unknown, was used before, or has expired. Connect again.',
      );
    }
    try {
      if (error !== undefined || code === undefined) {
        throw stravaError('refused', 'The permission was not granted in Strava. Connect again to grant it.');
      }
      assertScope(scope);
      await this.#parts.stored.save(
        pending.user,
        await this.#parts.endpoint.exchange(code, pending.verifier),
      );
    } catch (failure) {
      pending.finish(failure);
      throw failure;
    }
    pending.finish();
    return 'Strava is connected. You can close this page.';
  }
}

function assertScope(scope: string): void {
  const accepted = scope.split(/[\s,]+/);
  if (accepted.includes('activity:read') || accepted.includes('activity:read_all')) return;
  throw stravaError(
    'refused',
    'The permission to view activities was not granted. Connect again and keep "View data about your activities" checked.',
  );
}

function createOutcome(): { promise: Promise<void>; resolve: () => void; reject: (error: unknown) => void } {
  let resolve = (): void => {};
  let reject = (_error: unknown): void => {};
  const promise = new Promise<void>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  // The caller need not wait for the outcome.
  promise.catch(() => {});
  return { promise, resolve, reject };
}
