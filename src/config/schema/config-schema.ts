import { MAX_TIMER_MS } from '../../errors/options/rules.ts';
import { EXPOSURES, GROUPED_SCHEMAS } from '../../registry/exposure/exposure.ts';
import { SERVER_DEFAULTS } from '../../server/server-options.ts';
import { AUTH, POLICY, PRINCIPAL } from './auth-schema.ts';
import { allowVariables } from './allow-variables.ts';
import {
  count,
  DIRECTORY,
  flag,
  NAME,
  PROMPT,
  RESOURCE,
  SHARED,
  text,
  textMap,
  texts,
  timeout,
} from './config-schema-parts.ts';
import { OPENAPI, OPENAPI_DEFINITIONS } from './openapi-schema.ts';
import type { SmallSchema } from '../file/small-schema.ts';

const MODULE: SmallSchema = {
  title: 'a module ({ "module": "./file.js" })',
  type: 'object',
  required: ['module'],
  additionalProperties: false,
  properties: {
    module: text('A JavaScript module beside this file, or a package. What it exports is added.'),
    export: text('The name of the export. Default: "default".'),
  },
};

const ARGUMENT: SmallSchema = {
  type: 'object',
  additionalProperties: false,
  description: 'One argument of the tool.',
  properties: {
    type: {
      enum: ['string', 'number', 'integer', 'boolean', 'array', 'object'],
      description: 'Default: string.',
      default: 'string',
    },
    description: text('Tells the model what belongs here.'),
    required: flag('Default: false; true for what is in the path.'),
    in: {
      enum: ['path', 'query', 'header', 'body'],
      description:
        'Where it goes. Default: the path if the URL names it, else the query for GET, HEAD and DELETE, and the body for the others.',
    },
    as: text('Its name over there. Default: its own.'),
    secret: flag('Whether its value is kept out of messages and logs.'),
    default: { description: 'Sent when nothing is given.' },
    enum: { type: 'array', minItems: 1, items: {}, description: 'The values there are.' },
    minimum: { type: 'number' },
    maximum: { type: 'number' },
    minLength: count('The least characters.', 0),
    maxLength: count('The most characters.', 0),
    pattern: text('A regular expression for the whole text or a part of it.'),
    items: { $ref: '#/$defs/items' },
  },
};

const HTTP: SmallSchema = {
  type: 'object',
  required: ['url'],
  additionalProperties: false,
  description: 'The request that the tool sends.',
  properties: {
    method: {
      enum: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
      default: 'GET',
      description: 'Default: GET.',
    },
    url: text('Where it goes: https://api.example.com/users/{id}. Braces name arguments, in the path alone.'),
    headers: textMap(
      'Headers of every request. Secrets come from the environment: "Bearer ${env:API_TOKEN}".',
    ),
    query: textMap('Parameters of every request.'),
    body: { type: 'object', description: 'Members of the body of every request.' },
    bodyType: {
      enum: ['json', 'form'],
      default: 'json',
      description: 'How the body is written. Default: json.',
    },
    response: {
      type: 'object',
      additionalProperties: false,
      description: 'What becomes of the answer.',
      properties: {
        select: {
          type: 'string',
          pattern: '^(?:/.*)?$',
          description:
            'A JSON Pointer to the part that is given to the model: /data/items. The answer must be JSON.',
        },
        as: { enum: ['auto', 'json', 'text'], default: 'auto', description: 'Default: by its content type.' },
      },
    },
  },
};

const HTTP_TOOL: SmallSchema = {
  title: 'an HTTP tool ({ "name", "description", "http" })',
  type: 'object',
  required: ['name', 'description', 'http'],
  additionalProperties: false,
  properties: {
    name: NAME,
    ...SHARED,
    category: text('What kind of tool it is.'),
    annotations: {
      type: 'object',
      additionalProperties: false,
      description: 'Hints for clients. Default: by the method.',
      properties: {
        readOnlyHint: flag('It changes nothing.'),
        destructiveHint: flag('It may destroy something.'),
        idempotentHint: flag('Twice is the same as once.'),
        openWorldHint: flag('It deals with the world outside.'),
      },
    },
    arguments: { type: 'object', additionalProperties: ARGUMENT, description: 'By their names.' },
    http: HTTP,
  },
};

const LIMITS: SmallSchema = {
  type: 'object',
  additionalProperties: false,
  description: 'See docs/limits.md.',
  properties: {
    timeoutMs: timeout('How long a call may take.'),
    maxResultBytes: count('The largest result that is sent.'),
    ...Object.fromEntries(
      Object.keys(SERVER_DEFAULTS)
        .filter((name) => name !== 'requestStateTtlMs' && name !== 'taskTtlMs')
        .map((name) => [name, limitOf(name)]),
    ),
  },
};

/** Times are held by timers, which end at once where a time is too long for them. */
function limitOf(name: string): SmallSchema {
  const limit = count('See docs/limits.md.');
  return name.endsWith('Ms') ? { ...limit, maximum: MAX_TIMER_MS } : limit;
}

const TLS: SmallSchema = {
  type: 'object',
  required: ['origins'],
  additionalProperties: false,
  description: 'A certificate of this side, and whose certificates it trusts.',
  properties: {
    origins: {
      ...texts('The servers that all of this is for, and no others: https://api.example.com.'),
      minItems: 1,
    },
    cert: text('The file with the certificate: PEM.'),
    key: text('The file with its private key: PEM.'),
    pfx: text('The file with both: PKCS#12.'),
    passphrase: text('Of the private key.'),
    ca: {
      description: 'Who signs the certificates of these servers, in the place of the usual authorities: PEM.',
      oneOf: [
        { title: 'a file', type: 'string', minLength: 1 },
        { title: 'a list of files', type: 'array', minItems: 1, items: { type: 'string', minLength: 1 } },
      ],
    },
  },
};

const OUTBOUND: SmallSchema = {
  type: 'object',
  additionalProperties: false,
  description: 'Limits of the requests that HTTP tools and OpenAPI tools send.',
  properties: {
    allowPrivate: {
      description: 'Hosts, addresses and ranges that are not public and may be asked all the same.',
      oneOf: [
        { title: 'true or false', type: 'boolean' },
        { title: 'a list of hosts, addresses and ranges', type: 'array', items: { type: 'string' } },
      ],
    },
    timeoutMs: { ...count('How long a request may take. Default: 30 s.'), maximum: MAX_TIMER_MS },
    maxResponseBytes: count('The largest answer. Default: 1 MiB.'),
    maxHeaderBytes: count('The headers of an answer, together. Default: 16 KiB.'),
    maxRetries: count('How often a request is tried again. Default: 2.', 0),
    maxConnections: count('Connections to one server at the same time. Default: 64.'),
    userAgent: text('Default: toolwright.'),
    tls: TLS,
  },
};

const STDIO: SmallSchema = {
  title: '{ "type": "stdio" }',
  type: 'object',
  required: ['type'],
  additionalProperties: false,
  properties: { type: { const: 'stdio' } },
};

const OVER_HTTP: SmallSchema = {
  title: '{ "type": "http", "port": 3000 }',
  type: 'object',
  required: ['type'],
  additionalProperties: false,
  properties: {
    type: { const: 'http' },
    host: text('Default: 127.0.0.1. Any other needs allowedHosts.'),
    port: { type: 'integer', minimum: 0, maximum: 65_535, description: 'Default: 3000; 0 picks a free one.' },
    path: { type: 'string', pattern: '^/', description: 'Default: /mcp.' },
    allowedHosts: texts('Hosts that requests may name.'),
    allowedOrigins: texts('Origins of browsers that may call.'),
    clientAddress: {
      type: 'object',
      required: ['forwardedFor'],
      additionalProperties: false,
      description:
        'Where the addresses of anonymous clients come from, which are limited by them. Default: the connection.',
      properties: {
        forwardedFor: {
          ...texts('Addresses and ranges of the proxies whose X-Forwarded-For is believed: 10.0.0.0/8.'),
          minItems: 1,
        },
      },
    },
  },
};

/** What a configuration may say, once variables of the environment are in their places. */
export const CONFIG_RULES: SmallSchema = {
  title: 'Configuration of a Toolwright server',
  type: 'object',
  required: ['name'],
  additionalProperties: false,
  $defs: {
    ...OPENAPI_DEFINITIONS,
    items: {
      type: 'object',
      additionalProperties: false,
      description: 'What an array is made of.',
      properties: {
        type: { enum: ['string', 'number', 'integer', 'boolean', 'object'] },
        description: text('Tells the model what belongs here.'),
        enum: { type: 'array', minItems: 1, items: {} },
      },
    },
  },
  properties: {
    $schema: { type: 'string', description: 'Where editors find this description.' },
    name: text('What the server calls itself.'),
    version: { ...text('Default: 0.0.0.'), default: '0.0.0' },
    title: text('What people call it.'),
    description: text('What it is for.'),
    websiteUrl: text('Where people find more.'),
    instructions: text('Tells a model what the server is for and how its parts belong together.'),
    openapi: OPENAPI,
    tools: { type: 'array', items: { oneOf: [HTTP_TOOL, MODULE] }, description: 'Tools.' },
    extraTools: {
      type: 'array',
      items: { oneOf: [HTTP_TOOL, MODULE] },
      description: 'More tools, listed behind the others.',
    },
    prompts: { type: 'array', items: { oneOf: [PROMPT, MODULE] }, description: 'Prompts.' },
    resources: { type: 'array', items: { oneOf: [RESOURCE, DIRECTORY, MODULE] }, description: 'Resources.' },
    exposure: { enum: EXPOSURES, description: 'How tools are shown. Default: grouped.' },
    pinned: texts('With search and auto: tools that are listed beside the search tools. Default: none.'),
    groupedSchemas: {
      enum: GROUPED_SCHEMAS,
      description:
        'The schemas of all actions in the list of a grouped tool, or a line for each. Default: full.',
    },
    errors: {
      enum: ['masked', 'messages'],
      default: 'masked',
      description: 'Whether callers get the messages of unexpected errors, redacted. Default: masked.',
    },
    rateLimit: {
      type: 'object',
      required: ['limit', 'perMs'],
      additionalProperties: false,
      description: 'Calls per caller in a window.',
      properties: { limit: count('Calls.'), perMs: count('Milliseconds.') },
    },
    limits: LIMITS,
    outbound: OUTBOUND,
    auth: AUTH,
    policy: POLICY,
    missingScopes: {
      enum: ['hide', 'challenge'],
      default: 'hide',
      description: 'What callers get who lack the scopes of a tool. Default: hide.',
    },
    principal: { ...PRINCIPAL, description: 'The caller over stdio. Default: the anonymous caller.' },
    transport: { oneOf: [STDIO, OVER_HTTP], description: 'How it is served. Default: stdio.' },
  },
};

/** What a configuration may say as it is written: for editors. */
export const CONFIG_SCHEMA: SmallSchema & { readonly $schema: string } = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  ...allowVariables(CONFIG_RULES),
};
