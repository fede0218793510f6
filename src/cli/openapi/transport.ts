import type { TransportConfig } from '../../config/file/config-types.ts';
import type { ServeHttpOptions } from '../../transport/http/serve-http.ts';
import { UsageError } from '../terminal/command.ts';
import { httpOptions } from '../target/transport-flags.ts';
import type { Given, Settings } from './plan/settings.ts';

/** Options for serving over HTTP; undefined for standard input and output. */
export function readTransport(settings: Settings): ServeHttpOptions | undefined {
  const { call } = settings;
  const { stdio, http, transport, ...flags } = call.flags;
  const chosen = settings.choice('transport', ['stdio', 'http']);
  if (stdio === true && http === true) throw new UsageError('Use either --stdio or --http, not both.');
  const short = http === true ? 'http' : stdio === true ? 'stdio' : undefined;
  if (transport !== undefined && short !== undefined && short !== chosen)
    throw new UsageError(`Use either --transport ${chosen ?? ''} or --${short}, not both.`);
  const type = short ?? chosen ?? 'stdio';
  return httpOptions(
    { ...call, flags },
    type === 'stdio' ? { type } : { type, ...readHttpVariables(settings) },
  );
}

function readHttpVariables(settings: Settings): Omit<TransportConfig & { readonly type: 'http' }, 'type'> {
  const { flags } = settings.call;
  const find = (flag: string): Given | undefined =>
    flags[flag] === undefined ? settings.find(flag) : undefined;
  const [port, host, path] = [find('port'), find('host')?.value, find('path')];
  if (path !== undefined && !path.value.startsWith('/'))
    throw new UsageError(`${path.by} must begin with "/"; received "${path.value}".`);
  return {
    ...(port === undefined ? {} : { port: readPort(port) }),
    ...(host === undefined ? {} : { host }),
    ...(path === undefined ? {} : { path: path.value }),
  };
}

function readPort({ value, by }: Given): number {
  if (/^\d{1,5}$/.test(value) && Number(value) <= 65_535) return Number(value);
  throw new UsageError(`${by} must be a number from 0 to 65535; received "${value}".`);
}
