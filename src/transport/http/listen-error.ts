import { DefinitionError } from '../../errors/errors.ts';
import type { FindingReason } from '../../errors/finding.ts';

/** Address to listen on. */
interface Address {
  readonly host: string;
  readonly port: number;
}

interface Explained {
  readonly option: 'host' | 'port';
  readonly reason: FindingReason;
  readonly message: string;
}

const NO_SUCH_ADDRESS: ReadonlySet<string> = new Set([
  'EADDRNOTAVAIL',
  'EAFNOSUPPORT',
  'EAI_AGAIN',
  'ENOTFOUND',
]);
const NOT_ALLOWED: ReadonlySet<string> = new Set(['EACCES', 'EPERM']);

/** Converts an error of `listen` to a `DefinitionError` that says what to do. */
export function toListenError(error: NodeJS.ErrnoException, address: Address): DefinitionError {
  const { option, reason, message } = explain(error, address);
  const received = String(address[option]);
  return new DefinitionError(`serveHttp: ${message}`, { cause: error, option, reason, received });
}

function explain({ code = '', message }: NodeJS.ErrnoException, { host, port }: Address): Explained {
  if (code === 'EADDRINUSE')
    return {
      option: 'port',
      reason: 'port-in-use',
      message: `port ${port} is in use. Choose another port; 0 picks a free one.`,
    };
  if (NOT_ALLOWED.has(code))
    return {
      option: 'port',
      reason: 'port-not-allowed',
      message: `permission denied for port ${port}. Choose a port from 1024 to 65535; 0 picks a free one.`,
    };
  if (NO_SUCH_ADDRESS.has(code))
    return {
      option: 'host',
      reason: 'no-such-address',
      message: `this machine has no address "${host}". Use "127.0.0.1", or "0.0.0.0" for all its addresses.`,
    };
  return {
    option: 'port',
    reason: 'cannot-listen',
    message: `cannot listen on "${host}", port ${port}: ${message}.`,
  };
}
