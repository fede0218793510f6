import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { OutboundOptions } from '../../../outbound/outbound-client.ts';
import { UsageError } from '../../terminal/command.ts';
import { assertFile } from '../../target/target.ts';
import type { Settings } from './settings.ts';

type TlsOptions = NonNullable<OutboundOptions['tls']>;

/** TLS options without the origins that they apply to. */
export type TlsSettings = Omit<TlsOptions, 'origins'>;

/** Reads the client certificate, its key and the certificate authority; undefined if none is given. */
export function readTls(settings: Settings): TlsSettings | undefined {
  const [cert, key, ca] = ['client-cert', 'client-key', 'ca-cert'].map((flag) => readPem(settings, flag));
  if ((cert === undefined) !== (key === undefined))
    throw new UsageError(
      `--client-cert and --client-key must be used together: --client-${cert === undefined ? 'cert' : 'key'} is missing.`,
    );
  const given = settings.find('client-key-passphrase');
  const passphrase = given && settings.secret(given.value, given.by);
  if (passphrase !== undefined && key === undefined)
    throw new UsageError(`${given?.by ?? ''} requires --client-key.`);
  const rejectUnauthorized = settings.yesNo('reject-unauthorized') ?? true;
  if (cert === undefined && ca === undefined && rejectUnauthorized) return undefined;
  return {
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
    ...(passphrase === undefined ? {} : { passphrase }),
    ...(ca === undefined ? {} : { ca }),
    rejectUnauthorized,
  };
}

function readPem(settings: Settings, flag: string): Buffer | undefined {
  const given = settings.find(flag);
  if (given === undefined) return undefined;
  const file = resolve(settings.call.terminal.cwd, given.value);
  assertFile(file);
  try {
    return readFileSync(file);
  } catch {
    throw new UsageError(`${given.by}: cannot read ${file}.`);
  }
}

/** TLS options for an origin. A certificate for an origin without TLS is a usage error. */
export function tlsFor(tls: TlsSettings, origin: string): TlsOptions | undefined {
  if (origin.startsWith('https:')) return { ...tls, origins: [origin] };
  if (tls.cert === undefined && tls.ca === undefined) return undefined;
  throw new UsageError(
    `Certificates require https:, but the API is at ${origin}. Remove the certificates, or set another --base-url.`,
  );
}
