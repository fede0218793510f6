import { X509Certificate } from 'node:crypto';
import { Agent as HttpsAgent } from 'node:https';
import type { AgentOptions } from 'node:https';
import { createSecureContext } from 'node:tls';
import type { SecureContext } from 'node:tls';
import { DefinitionError } from '../errors/errors.ts';
import type { ErrorDataOptions } from '../errors/errors.ts';
import { ANY, assertOptions, BOOLEAN, required, secret, STRING } from '../errors/options/rules.ts';
import type { Rule, Rules } from '../errors/options/rules.ts';
import { wrongValue } from '../errors/options/wrong-value.ts';
import { readOrigin } from './read-origin.ts';

/** Client certificate and trusted certificate authorities for some servers (mutual TLS). */
export interface TlsOptions {
  /**
   * Origins that these options apply to, such as `https://api.example.com`. Other origins get no client certificate and use the default
   * authorities.
   */
  readonly origins: readonly string[];
  /** Client certificate in PEM, followed by its intermediate certificates. */
  readonly cert?: string | Buffer;
  /** Private key of the client certificate in PEM. */
  readonly key?: string | Buffer;
  /** Client certificate and private key as PKCS#12, instead of `cert` and `key`. */
  readonly pfx?: Buffer;
  /** Passphrase of the private key, if it is encrypted. */
  readonly passphrase?: string;
  /** Certificate authorities of these servers in PEM, instead of the default ones. */
  readonly ca?: string | Buffer | readonly (string | Buffer)[];
  /** `false` accepts any server certificate. For tests. Default: `true`. */
  readonly rejectUnauthorized?: boolean;
}

const PEM: Rule = secret([
  (value) => isBytes(value) || (typeof value === 'string' && value !== ''),
  'PEM, as a non-empty string or Buffer',
]);

const OPTIONS: Rules<keyof TlsOptions> = {
  origins: required([
    (value) => Array.isArray(value) && value.length > 0,
    'an array of origins, such as ["https://api.example.com"]',
  ]),
  cert: PEM,
  key: PEM,
  pfx: secret([isBytes, 'the bytes of a PKCS#12 file, in a Buffer']),
  passphrase: secret(STRING),
  ca: ANY,
  rejectUnauthorized: BOOLEAN,
};

/** An empty value would be ignored as if the option were absent. */
function isBytes(value: unknown): boolean {
  return Buffer.isBuffer(value) && value.length > 0;
}

/** Client certificate and trusted authorities for the configured origins. The key is parsed once. */
export class TlsIdentity {
  readonly agent: HttpsAgent;
  readonly #origins: ReadonlySet<string>;
  readonly #hasCertificate: boolean;

  constructor(options: TlsOptions, pool: AgentOptions) {
    assertOptions(OWNER, options, OPTIONS, 'tls');
    this.#origins = new Set(readOrigins(options.origins));
    this.#hasCertificate = options.cert !== undefined || options.pfx !== undefined;
    const { rejectUnauthorized = true } = options;
    this.agent = new HttpsAgent({ ...pool, secureContext: readContext(options), rejectUnauthorized });
  }

  /** Whether connections to this origin use this identity. */
  isFor(origin: string): boolean {
    return this.#origins.has(origin);
  }

  /** Whether a client certificate is presented to this origin. */
  presentsCertificateTo(origin: string): boolean {
    return this.#hasCertificate && this.#origins.has(origin);
  }
}

function readOrigins(given: readonly unknown[]): string[] {
  return given.map((each, index) => {
    const origin = readOrigin(each);
    if (origin?.startsWith('https:') === true) return origin;
    const expected = 'an origin such as "https://api.example.com"';
    throw wrongValue(OWNER, { option: 'tls', path: ['origins', index], expected, value: each });
  });
}

function readContext({ cert, key, pfx, passphrase, ca }: TlsOptions): SecureContext {
  if (pfx !== undefined && (cert !== undefined || key !== undefined))
    throw mistake('pfx', 'use either pfx, or cert and key, not both.');
  const missing = cert === undefined ? 'cert' : 'key';
  if ((cert === undefined) !== (key === undefined))
    throw mistake(missing, `cert and key belong together; ${missing} is missing.`);
  const authorities = ca === undefined ? undefined : readAuthorities(ca);
  try {
    return createSecureContext({
      ...(cert === undefined ? {} : { cert }),
      ...(key === undefined ? {} : { key }),
      ...(pfx === undefined ? {} : { pfx }),
      ...(passphrase === undefined ? {} : { passphrase }),
      ...(authorities === undefined ? {} : { ca: authorities }),
    });
  } catch (error) {
    const received = reasonOf(error);
    const what = pfx === undefined ? 'cert and key' : 'pfx';
    throw mistake(pfx === undefined ? 'cert' : 'pfx', `${what} cannot be used: ${received}.`, {
      cause: error,
      reason: 'unusable-certificate',
      received,
    });
  }
}

/** OpenSSL silently skips invalid certificates here and would then trust no authority. */
function readAuthorities(ca: NonNullable<TlsOptions['ca']>): (string | Buffer)[] {
  const all = (Array.isArray(ca) ? ca : [ca]) as (string | Buffer)[];
  for (const each of all) {
    try {
      void new X509Certificate(each);
    } catch (error) {
      const expected = 'certificates in PEM, beginning with -----BEGIN CERTIFICATE-----';
      throw wrongValue(OWNER, { option: 'tls', path: ['ca'], expected, cause: error });
    }
  }
  return all;
}

const REASONS: Readonly<Record<string, string>> = {
  ERR_OSSL_X509_KEY_VALUES_MISMATCH: 'the key belongs to another certificate',
  ERR_OSSL_EVP_BAD_DECRYPT: 'the passphrase is wrong',
  ERR_OSSL_BAD_DECRYPT: 'the passphrase is wrong',
  ERR_OSSL_PEM_NO_START_LINE: 'it is not PEM, which begins with -----BEGIN',
  ERR_OSSL_UNSUPPORTED: 'it is not PEM, which begins with -----BEGIN',
};

/** Messages of OpenSSL contain nothing of the key. */
function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return (code === undefined ? undefined : REASONS[code]) ?? message;
}

const OWNER = 'Outbound requests';

function mistake(member: keyof TlsOptions, message: string, data: ErrorDataOptions = {}): DefinitionError {
  return new DefinitionError(`${OWNER}: tls: ${message}`, { ...data, option: 'tls', path: [member] });
}
