import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { OutboundOptions } from '../../../outbound/outbound-client.ts';
import { UsageError } from '../../terminal/command.ts';
import { assertFile } from '../../target/target.ts';
import type { Settings } from './settings.ts';

type TlsOptions = NonNullable<OutboundOptions['tls']>;

/** How the API and this side prove who they are; without the servers that it is for. */
export type TlsSettings = Omit<TlsOptions, 'origins'>;

/** The certificate, the key and the authority of a command line; undefined if nothing is said of them. */
export function readTls(settings: Settings): TlsSettings | undefined {
  const [cert, key, ca] = ['client-cert', 'client-key', 'ca-cert'].map((flag) => readPem(settings, flag));
  if ((cert === undefined) !== (key === undefined))
    throw new UsageError(
      `--client-cert and --client-key belong together; --client-${cert === undefined ? 'cert' : 'key'} is missing.`,
    );
  const given = settings.find('client-key-passphrase');
  const passphrase = given && settings.secret(given.value, given.by);
  if (passphrase !== undefined && key === undefined)
    throw new UsageError(`${given?.by ?? ''} is for a private key: --client-key is missing.`);
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
    throw new UsageError(`${given.by}: ${file} cannot be read.`);
  }
}

/** The options for the server that they are for. A certificate for one that does not ask for any is a mistake. */
export function tlsFor(tls: TlsSettings, origin: string): TlsOptions | undefined {
  if (origin.startsWith('https:')) return { ...tls, origins: [origin] };
  if (tls.cert === undefined && tls.ca === undefined) return undefined;
  throw new UsageError(
    `A certificate is for https:, and the API is at ${origin}. Leave the certificates out, or give another --base-url.`,
  );
}
