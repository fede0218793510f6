import { expect, test } from 'vitest';
import { toListenError } from '../../../src/transport/http/listen-error.ts';

/** As thrown by Node; tests that run as root cannot cause all of them. */
function errno(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`listen ${code}: 0.0.0.0:80`), { code });
}

test.each([
  [
    'EADDRINUSE',
    'port',
    'port-in-use',
    'serveHttp: port 80 is in use. Choose another port; 0 picks a free one.',
  ],
  [
    'EACCES',
    'port',
    'port-not-allowed',
    'serveHttp: permission denied for port 80. Choose a port from 1024 to 65535; 0 picks a free one.',
  ],
  [
    'EADDRNOTAVAIL',
    'host',
    'no-such-address',
    'serveHttp: this machine has no address "0.0.0.0". Use "127.0.0.1", or "0.0.0.0" for all its addresses.',
  ],
  [
    'EMFILE',
    'port',
    'cannot-listen',
    'serveHttp: cannot listen on "0.0.0.0", port 80: listen EMFILE: 0.0.0.0:80.',
  ],
])('%s', (code, option, reason, message) => {
  const cause = errno(code);
  expect(toListenError(cause, { host: '0.0.0.0', port: 80 })).toMatchObject({
    message,
    option,
    reason,
    cause,
  });
});
