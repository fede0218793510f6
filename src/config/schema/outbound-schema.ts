import { MAX_TIMER_MS } from '../../errors/options/rules.ts';
import { count, text, texts } from './config-schema-parts.ts';
import type { SmallSchema } from '../file/small-schema.ts';

const TLS: SmallSchema = {
  type: 'object',
  required: ['origins'],
  additionalProperties: false,
  description: 'Client certificate and certificate authorities.',
  properties: {
    origins: {
      ...texts('Origins that these options apply to, such as https://api.example.com.'),
      minItems: 1,
    },
    cert: text('File with the client certificate, PEM.'),
    key: text('File with its private key, PEM.'),
    pfx: text('File with certificate and key, PKCS#12.'),
    passphrase: text('Passphrase of the private key.'),
    ca: {
      description: 'Certificate authorities for these origins, PEM. They replace the default ones.',
      oneOf: [
        { title: 'a file', type: 'string', minLength: 1 },
        { title: 'an array of files', type: 'array', minItems: 1, items: { type: 'string', minLength: 1 } },
      ],
    },
  },
};

export const OUTBOUND: SmallSchema = {
  type: 'object',
  additionalProperties: false,
  description: 'Limits of the requests that HTTP tools and OpenAPI tools send.',
  properties: {
    allowPrivate: {
      description: 'Private hosts, addresses and ranges to which requests are allowed.',
      oneOf: [
        { title: 'true or false', type: 'boolean' },
        { title: 'an array of hosts, addresses and ranges', type: 'array', items: { type: 'string' } },
      ],
    },
    timeoutMs: { ...count('Timeout of a request in milliseconds. Default: 30000.'), maximum: MAX_TIMER_MS },
    maxResponseBytes: count('Maximum size of a response. Default: 1048576 (1 MiB).'),
    maxHeaderBytes: count('Maximum size of all response headers. Default: 16384 (16 KiB).'),
    maxRetries: count('Maximum number of retries. Default: 2.', 0),
    maxConnections: count('Maximum number of concurrent connections to one origin. Default: 64.'),
    userAgent: text('User-Agent header. Default: toolwright.'),
    tls: TLS,
  },
};
