import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ToolwrightError } from '../../errors/errors.ts';
import { Destinations } from '../../outbound/destinations.ts';
import { OutboundClient } from '../../outbound/outbound-client.ts';
import type { TlsOptions } from '../../outbound/tls-identity.ts';
import type { Config, TlsFiles } from '../file/config-types.ts';
import type { Mistake } from '../file/small-schema.ts';

/** The files that a configuration names. */
export interface ConfigFiles {
  readonly folder: string;
  /** Told of each file before it is read. */
  readonly onFile: (file: string) => void;
}

/** What sends the requests of a server, and what is wrong with its settings. Where they are wrong, it has the usual ones. */
export interface CreatedClient {
  readonly client: OutboundClient;
  readonly mistakes: readonly Mistake[];
}

/** Makes the client that all tools of a configuration share. */
export async function createClient(
  { tls, ...outbound }: NonNullable<Config['outbound']>,
  configFiles: ConfigFiles,
): Promise<CreatedClient> {
  const read = tls === undefined ? undefined : await readTls(tls, configFiles);
  const mistakes = [...findHostMistakes(outbound.allowPrivate), ...(read?.mistakes ?? [])];
  if (mistakes.length > 0) return { client: new OutboundClient(), mistakes };
  try {
    const options = { ...outbound, ...(read === undefined ? {} : { tls: read.options }) };
    return { client: new OutboundClient(options), mistakes };
  } catch (error) {
    if (!(error instanceof ToolwrightError)) throw error;
    const mistake = { path: error.option === 'tls' ? ['tls'] : [], message: `is wrong: ${error.message}` };
    return { client: new OutboundClient(), mistakes: [mistake] };
  }
}

/** Each of the hosts is looked at by itself, so that the one that is wrong can be pointed at. */
function findHostMistakes(allowed: boolean | readonly string[] = []): Mistake[] {
  if (typeof allowed === 'boolean') return [];
  return allowed.flatMap((host, index): Mistake[] => {
    try {
      void new Destinations([host]);
      return [];
    } catch (error) {
      if (!(error instanceof ToolwrightError)) throw error;
      return [{ path: ['allowPrivate', index], message: `is wrong: ${error.message}` }];
    }
  });
}

interface ReadTls {
  readonly options: TlsOptions;
  readonly mistakes: readonly Mistake[];
}

async function readTls(files: TlsFiles, { folder, onFile }: ConfigFiles): Promise<ReadTls> {
  const { cert, key, pfx, ca, ...rest } = files;
  const mistakes: Mistake[] = [];
  const read = async (path: Mistake['path'], file: string): Promise<Buffer> => {
    const full = resolve(folder, file);
    onFile(full);
    try {
      return await readFile(full);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
      const why = code === 'ENOENT' ? `There is no file ${full}.` : `${full} could not be read (${code}).`;
      mistakes.push({ path: ['tls', ...path], message: `cannot be read: ${why}` });
      return Buffer.alloc(0);
    }
  };
  const authorities = typeof ca === 'string' ? [await read(['ca'], ca)] : [];
  if (typeof ca === 'object')
    for (const [index, file] of ca.entries()) authorities.push(await read(['ca', index], file));
  const options = {
    ...rest,
    ...(cert === undefined ? {} : { cert: await read(['cert'], cert) }),
    ...(key === undefined ? {} : { key: await read(['key'], key) }),
    ...(pfx === undefined ? {} : { pfx: await read(['pfx'], pfx) }),
    ...(ca === undefined ? {} : { ca: authorities }),
  };
  return { options, mistakes };
}
