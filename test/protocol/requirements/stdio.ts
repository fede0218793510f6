import { ALL, MODERN } from './requirement.ts';
import type { Requirements } from './requirement.ts';

/** Standard input and output. */
export const STDIO = {
  'stdio:lines': {
    behaviour:
      'A message is one line of JSON without line breaks, each way; blank lines and CRLF do no harm.',
    revisions: ALL,
    source: 'basic/transports/stdio',
  },
  'stdio:chunks': {
    behaviour: 'Lines and characters may arrive in pieces; the last line needs no end.',
    revisions: ALL,
    source: 'basic/transports/stdio',
  },
  'stdio:too-long': {
    behaviour: 'A line that is too long is refused once with -32600, and the next one is read.',
    revisions: ALL,
    source: 'own',
  },
  'stdio:not-utf8': {
    behaviour: 'A line that is not UTF-8 is refused with -32700, and the next one is read.',
    revisions: ALL,
    source: 'basic/transports: messages are UTF-8',
  },
  'stdio:parse-error': {
    behaviour: 'A line that is no JSON is refused with -32700, and the next one is read.',
    revisions: ALL,
    source: 'JSON-RPC 2.0',
  },
  'stdio:eof': {
    behaviour: 'When the input ends, what was asked is answered and the process exits.',
    revisions: ALL,
    source: 'basic/transports/stdio: Shutdown',
  },
  'stdio:only-messages': {
    behaviour: 'Nothing but messages is written to standard output, whatever tools print.',
    revisions: ALL,
    source: 'basic/transports/stdio',
  },
  'stdio:both-eras': {
    behaviour: 'One connection serves requests of both eras, as they come.',
    revisions: ALL,
    source: 'basic/versioning: Compatibility matrix',
  },
  'stdio:probe': {
    behaviour:
      'A probe with server/discover finds a modern server before any handshake, or learns its versions.',
    revisions: MODERN,
    source: 'basic/transports/stdio: Backward compatibility',
  },
  'stdio:no-requests': {
    behaviour: 'The server writes no requests to a client of 2026-07-28.',
    revisions: MODERN,
    source: 'basic/transports/stdio: Receiving messages',
  },
} as const satisfies Requirements;
