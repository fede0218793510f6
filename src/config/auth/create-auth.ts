import { resolve } from 'node:path';
import { apiKeys, MemoryApiKeyStore, toApiKeyRecord } from '../../auth/api-keys.ts';
import type { ApiKeyRecord } from '../../auth/api-keys.ts';
import { anyOf } from '../../auth/combine.ts';
import { sendThrough } from '../../auth/identity-fetch.ts';
import { introspection } from '../../auth/introspection.ts';
import { jwt } from '../../auth/jwt.ts';
import { loadJose, loadOauth } from '../../auth/peers/load-peers.ts';
import { ProtectedResource } from '../../auth/protected-resource.ts';
import type { AuthOptions } from '../../auth/protected-resource.ts';
import { trustedHeaders } from '../../auth/trusted-headers.ts';
import type { Verifier } from '../../auth/verifier.ts';
import { isFunction } from '../../errors/options/rules.ts';
import { systemClock } from '../../base/time/clock.ts';
import { ToolwrightError } from '../../errors/errors.ts';
import type { OutboundClient } from '../../outbound/outbound-client.ts';
import { isCode } from '../file/is-code.ts';
import type { Mistake } from '../file/small-schema.ts';
import type { ConfigFiles } from '../http/create-client.ts';
import { ApiKeyFile, timeOf, withTime } from './api-key-file.ts';
import { toJwtConfig } from './preset-options.ts';
import type { ApiKeyConfig, ApiKeysConfig, AuthConfig, VerifierConfig } from '../file/auth-config.ts';

/** Authentication of a configuration, and its mistakes. */
export interface CreatedAuth {
  /** Undefined where there are mistakes. */
  readonly auth: AuthOptions | undefined;
  readonly mistakes: readonly Mistake[];
}

/** The outbound client and the folder that verifiers use. */
export interface AuthParts extends ConfigFiles {
  /** Sends requests to identity providers. */
  readonly client: OutboundClient;
}

/** Creates the authentication of a configuration. A file of code may have a verifier or options of `toolwright/auth` in its place. */
export async function createAuth(
  given: AuthConfig | AuthOptions | Verifier | undefined,
  parts: AuthParts,
): Promise<CreatedAuth> {
  if (given === undefined) return { auth: undefined, mistakes: [] };
  const builder = new AuthBuilder(parts);
  const auth = isCode(given) ? toOptions(given as AuthOptions | Verifier) : await builder.build(given);
  await builder.check(auth);
  const { mistakes } = builder;
  return { auth: mistakes.length === 0 ? auth : undefined, mistakes };
}

function toOptions(given: AuthOptions | Verifier): AuthOptions {
  return isFunction(given.verify) ? { verify: given as Verifier } : (given as AuthOptions);
}

type Path = readonly (number | string)[];

class AuthBuilder {
  readonly mistakes: Mistake[] = [];
  readonly #parts: AuthParts;

  constructor(parts: AuthParts) {
    this.#parts = parts;
  }

  async build(config: AuthConfig): Promise<AuthOptions | undefined> {
    const {
      jwt: _jwt,
      preset: _preset,
      introspection: _introspection,
      ...others
    } = config as Record<string, unknown>;
    const { apiKeys: _keys, trustedHeaders: _headers, anyOf: _any, ...options } = others;
    const verify = 'anyOf' in config ? await this.#createAll(config.anyOf) : await this.#create(config, []);
    return verify && { ...(options as Omit<AuthOptions, 'verify'>), verify };
  }

  /** Finds the mistakes that the server would find when it begins to serve. */
  async check(auth: AuthOptions | undefined): Promise<void> {
    if (auth !== undefined) await this.#try([], () => new ProtectedResource(auth, systemClock));
  }

  async #createAll(configs: readonly VerifierConfig[]): Promise<Verifier | undefined> {
    const verifiers: Verifier[] = [];
    for (const [index, config] of configs.entries()) {
      const verifier = await this.#create(config, ['anyOf', index]);
      if (verifier !== undefined) verifiers.push(verifier);
    }
    return verifiers.length === configs.length ? anyOf(...verifiers) : undefined;
  }

  async #create(config: VerifierConfig, at: Path): Promise<Verifier | undefined> {
    const fetch = sendThrough(this.#parts.client, IDENTITY_TIMEOUT_MS);
    if ('jwt' in config)
      return this.#try([...at, 'jwt'], async () => {
        await loadJose('jwt');
        return jwt({ ...config.jwt, fetch });
      });
    if ('preset' in config)
      return this.#try([...at, 'preset'], async () => {
        await loadJose('jwt');
        return jwt({ ...toJwtConfig(config.preset), fetch });
      });
    if ('introspection' in config)
      return this.#try([...at, 'introspection'], async () => {
        await loadOauth();
        return introspection({ ...config.introspection, fetch });
      });
    if ('apiKeys' in config) return this.#createApiKeys(config.apiKeys, [...at, 'apiKeys']);
    return this.#try([...at, 'trustedHeaders'], () => trustedHeaders(config.trustedHeaders));
  }

  async #createApiKeys(config: ApiKeysConfig, at: Path): Promise<Verifier | undefined> {
    const { header } = config;
    const options = header === undefined ? {} : { header };
    if ('file' in config) {
      const file = resolve(this.#parts.folder, config.file);
      this.#parts.onFile(file);
      const store = new ApiKeyFile(file);
      await this.#tryFile([...at, 'file'], () => store.load());
      return apiKeys(store, options);
    }
    const records: ApiKeyRecord[] = [];
    for (const [index, key] of config.keys.entries()) {
      const record = await this.#try([...at, 'keys', index], () => toRecord(key));
      if (record !== undefined) records.push(record);
    }
    return apiKeys(new MemoryApiKeyStore(records), options);
  }

  async #tryFile(path: Path, load: () => Promise<void>): Promise<void> {
    try {
      await this.#try(path, load);
    } catch (error) {
      const { code = 'unknown' } = error as NodeJS.ErrnoException;
      this.mistakes.push({ path, message: `cannot be read (${code})` });
    }
  }

  async #try<TMade>(path: Path, make: () => Promise<TMade> | TMade): Promise<TMade | undefined> {
    try {
      return await make();
    } catch (error) {
      if (!(error instanceof ToolwrightError)) throw error;
      const option = error.option === undefined ? [] : [error.option, ...(error.path ?? [])];
      this.mistakes.push({ path: [...path, ...option], message: `is wrong: ${error.message}` });
      return undefined;
    }
  }
}

/** Time that a request to an identity provider may take: callers wait for it. */
const IDENTITY_TIMEOUT_MS = 5000;

function toRecord(config: ApiKeyConfig): ApiKeyRecord {
  if ('hash' in config) return withTime(config);
  const { key, principal, expiresAt } = config;
  return toApiKeyRecord(key, principal, expiresAt === undefined ? {} : { expiresAt: timeOf(expiresAt) });
}
