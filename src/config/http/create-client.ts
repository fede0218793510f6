import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ToolwrightError } from '../../errors/errors.ts';
import { Destinations } from '../../outbound/destinations.ts';
import { OutboundClient } from '../../outbound/outbound-client.ts';
import type { TlsOptions } from '../../outbound/tls-identity.ts';
import type { Config, TlsFiles } from '../file/config-types.ts';
import type { Mistake } from '../file/small-schema.ts';

/** Access to the files of a configuration. */
export interface ConfigFiles {
  readonly folder: string;
  /** Called with each file before it is read. */
  readonly onFile: (file: string) => void;
}

/** The client for outbound requests, and the mistakes in its options. With mistakes, it has the default options. */
export interface CreatedClient {
  readonly client: OutboundClient;
  readonly mistakes: readonly Mistake[];
}

/** Creates the client that all tools of a configuration share. */
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
    const mistake = { path: error.option === 'tls' ? ['tls'] : [], message: `is invalid: ${error.message}` };
    return { client: new OutboundClient(), mistakes: [mistake] };
  }
}

/** Validates each host separately, so that the mistake has its index. */
function findHostMistakes(allowed: boolean | readonly string[] = []): Mistake[] {
  if (typeof allowed === 'boolean') return [];
  return allowed.flatMap((host, index): Mistake[] => {
    try {
      void new Destinations([host]);
      return [];
    } catch (error) {
      if (!(error instanceof ToolwrightError)) throw error;
      return [{ path: ['allowPrivate', index], message: `is invalid: ${error.message}` }];
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
      const why = code === 'ENOENT' ? `file not found: ${full}.` : `${full} (${code}).`;
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
