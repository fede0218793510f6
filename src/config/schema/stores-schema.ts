import { count, text } from './config-schema-parts.ts';
import type { SmallSchema } from '../file/small-schema.ts';

const REDIS: SmallSchema = {
  title: '{ "redis": { "url" } }',
  type: 'object',
  required: ['redis'],
  additionalProperties: false,
  properties: {
    redis: {
      type: 'object',
      required: ['url'],
      additionalProperties: false,
      description:
        'Stores in one Redis, which several processes and machines share. Needs the package ioredis or redis.',
      properties: {
        url: text('redis://user:password@host:6379/0, or rediss:// for TLS.'),
        prefix: {
          type: 'string',
          pattern: String.raw`^[\w.:/-]{1,64}$`,
          description: 'Start of all keys. Default: toolwright.',
        },
        nodes: count(
          'Number of processes that share the rate limits; only used while Redis is not available. Default: 2.',
        ),
      },
    },
  },
};

const SQLITE: SmallSchema = {
  title: '{ "sqlite": { "path" } }',
  type: 'object',
  required: ['sqlite'],
  additionalProperties: false,
  properties: {
    sqlite: {
      type: 'object',
      required: ['path'],
      additionalProperties: false,
      description:
        'Stores in one SQLite file, which the processes of one machine share. Needs the package libsql.',
      properties: { path: text('File, relative to this file. It is created if it does not exist.') },
    },
  },
};

export const STORES: SmallSchema = {
  oneOf: [REDIS, SQLITE],
  description: 'Stores of rate limits, caches, confirmations, state and tasks. Default: in memory.',
};

/** The same rule as that of `createServer`. */
export const REQUEST_STATE_KEYS: SmallSchema = {
  type: 'array',
  minItems: 1,
  items: { type: 'string', minLength: 32 },
  description:
    'Secrets that encrypt request states and the ids of shared sessions, the same on all machines. The first encrypts, all decrypt. Take them from the environment.',
};
