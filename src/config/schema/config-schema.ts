import { MAX_TIMER_MS } from '../../errors/options/rules.ts';
import { EXPOSURES, GROUPED_SCHEMAS } from '../../registry/exposure/exposure.ts';
import { SERVER_DEFAULTS } from '../../server/server-options.ts';
import { AUTH, POLICY, PRINCIPAL } from './auth-schema.ts';
import { allowVariables } from './allow-variables.ts';
import {
  count,
  DIRECTORY,
  flag,
  MISSING_SCOPES,
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
import { OUTBOUND } from './outbound-schema.ts';
import { REQUEST_STATE_KEYS, STORES } from './stores-schema.ts';
import type { SmallSchema } from '../file/small-schema.ts';

const MODULE: SmallSchema = {
  title: 'a module ({ "module": "./file.js" })',
  type: 'object',
  required: ['module'],
  additionalProperties: false,
  properties: {
    module: text('A module, relative to this file, or a package. Its exported definitions are added.'),
    export: text('Name of the export. Default: "default".'),
  },
};

const ARGUMENT: SmallSchema = {
  type: 'object',
  additionalProperties: false,
  description: 'One argument of the tool.',
  properties: {
    type: {
      enum: ['string', 'number', 'integer', 'boolean', 'array', 'object'],
      description: 'JSON type. Default: string.',
      default: 'string',
    },
    description: text('Description for the model.'),
    required: flag('Whether it is required. Default: false; true for path arguments.'),
    in: {
      enum: ['path', 'query', 'header', 'body'],
      description:
        'Location in the request. Default: path if the URL names it, query for GET, HEAD and DELETE, otherwise body.',
    },
    as: text('Name of the parameter in the request. Default: the name of the argument.'),
    secret: flag('Whether to keep its value out of messages and logs. Default: false.'),
    default: { description: 'Value that is sent if the argument is omitted.' },
    enum: { type: 'array', minItems: 1, items: {}, description: 'Allowed values.' },
    minimum: { type: 'number' },
    maximum: { type: 'number' },
    minLength: count('Minimum number of characters.', 0),
    maxLength: count('Maximum number of characters.', 0),
    pattern: text('Regular expression that the string, or a part of it, must match.'),
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
      description: 'HTTP method. Default: GET.',
    },
    url: text('URL, such as https://api.example.com/users/{id}. Braces name arguments; only in the path.'),
    headers: textMap(
      'Headers of every request. Take secrets from the environment: "Bearer ${env:API_TOKEN}".',
    ),
    query: textMap('Query parameters of every request.'),
    body: { type: 'object', description: 'Members of the request body of every request.' },
    bodyType: {
      enum: ['json', 'form'],
      default: 'json',
      description: 'Encoding of the request body. Default: json.',
    },
    response: {
      type: 'object',
      additionalProperties: false,
      description: 'Conversion of the response to the result.',
      properties: {
        select: {
          type: 'string',
          pattern: '^(?:/.*)?$',
          description:
            'JSON Pointer to the part of the response to return, such as /data/items. The response must be JSON.',
        },
        as: {
          enum: ['auto', 'json', 'text'],
          default: 'auto',
          description: 'Type of the response. Default: auto, which uses the content type.',
        },
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
    missingScopes: MISSING_SCOPES,
    category: text('Category of the tool.'),
    annotations: {
      type: 'object',
      additionalProperties: false,
      description: 'Annotations for clients. Default: by the HTTP method.',
      properties: {
        readOnlyHint: flag('The tool is read-only.'),
        destructiveHint: flag('The tool may be destructive.'),
        idempotentHint: flag('The tool is idempotent.'),
        openWorldHint: flag('The tool interacts with external systems.'),
      },
    },
    arguments: { type: 'object', additionalProperties: ARGUMENT, description: 'Arguments by name.' },
    http: HTTP,
  },
};

const LIMITS: SmallSchema = {
  type: 'object',
  additionalProperties: false,
  description: 'See docs/limits.md.',
  properties: {
    timeoutMs: timeout('Timeout of a call in milliseconds.'),
    maxResultBytes: count('Maximum size of a result in bytes.'),
    ...Object.fromEntries(
      Object.keys(SERVER_DEFAULTS)
        .filter((name) => name !== 'requestStateTtlMs' && name !== 'taskTtlMs')
        .map((name) => [name, limitOf(name)]),
    ),
  },
};

/** Limits in milliseconds have a maximum, because a timer with a longer time fires immediately. */
function limitOf(name: string): SmallSchema {
  const limit = count('See docs/limits.md.');
  return name.endsWith('Ms') ? { ...limit, maximum: MAX_TIMER_MS } : limit;
}

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
    host: text(
      'Address to listen on. Default: 127.0.0.1. Addresses other than loopback require allowedHosts.',
    ),
    port: {
      type: 'integer',
      minimum: 0,
      maximum: 65_535,
      description: 'Port. Default: 3000; 0 picks a free port.',
    },
    path: { type: 'string', pattern: '^/', description: 'Path of the endpoint. Default: /mcp.' },
    allowedHosts: texts('Allowed Host headers.'),
    allowedOrigins: texts('Allowed Origin headers, for clients in a browser.'),
    clientAddress: {
      type: 'object',
      required: ['forwardedFor'],
      additionalProperties: false,
      description:
        'Source of client addresses, by which anonymous callers are rate limited. Default: the connection.',
      properties: {
        forwardedFor: {
          ...texts(
            'Addresses and ranges of trusted proxies, whose X-Forwarded-For is used, such as 10.0.0.0/8.',
          ),
          minItems: 1,
        },
      },
    },
    requireSameCatalog: {
      type: 'boolean',
      description:
        'Whether /readyz fails while the catalog differs from that of other nodes with the same stores. Default: false.',
    },
  },
};

/** The schema of a configuration after environment variables are substituted. */
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
      description: 'Elements of an array.',
      properties: {
        type: { enum: ['string', 'number', 'integer', 'boolean', 'object'] },
        description: text('Description for the model.'),
        enum: { type: 'array', minItems: 1, items: {} },
      },
    },
  },
  properties: {
    $schema: { type: 'string', description: 'URL or path of this JSON Schema, for editors.' },
    name: text('Name of the server.'),
    version: { ...text('Version of the server. Default: 0.0.0.'), default: '0.0.0' },
    title: text('Display name.'),
    description: text('Description of the server.'),
    websiteUrl: text('Website of the server.'),
    instructions: text(
      'Instructions for the model: what the server is for, and how to use its tools together.',
    ),
    openapi: OPENAPI,
    tools: { type: 'array', items: { oneOf: [HTTP_TOOL, MODULE] }, description: 'Tools.' },
    extraTools: {
      type: 'array',
      items: { oneOf: [HTTP_TOOL, MODULE] },
      description: 'More tools, listed after the others.',
    },
    prompts: { type: 'array', items: { oneOf: [PROMPT, MODULE] }, description: 'Prompts.' },
    resources: { type: 'array', items: { oneOf: [RESOURCE, DIRECTORY, MODULE] }, description: 'Resources.' },
    exposure: { enum: EXPOSURES, description: 'How tools are listed. Default: grouped.' },
    pinned: texts('With search and auto: names of tools that are also listed. Default: none.'),
    groupedSchemas: {
      enum: GROUPED_SCHEMAS,
      description:
        'Whether a grouped tool advertises the schemas of all actions (full), or one line for each (brief). Default: full.',
    },
    errors: {
      enum: ['masked', 'messages'],
      default: 'masked',
      description: 'Whether callers get the redacted messages of unexpected errors. Default: masked.',
    },
    rateLimit: {
      type: 'object',
      required: ['limit', 'perMs'],
      additionalProperties: false,
      description: 'Rate limit of each caller.',
      properties: {
        limit: count('Maximum number of calls in a window.'),
        perMs: count('Length of the window in milliseconds.'),
      },
    },
    limits: LIMITS,
    outbound: OUTBOUND,
    auth: AUTH,
    policy: POLICY,
    missingScopes: {
      ...MISSING_SCOPES,
      default: 'hide',
      description:
        'Whether callers without the scopes of a tool do not see it (hide), or get a 403 when they call it (challenge). Default: hide.',
    },
    principal: { ...PRINCIPAL, description: 'The caller over stdio. Default: the anonymous caller.' },
    stores: STORES,
    requestStateKeys: REQUEST_STATE_KEYS,
    transport: { oneOf: [STDIO, OVER_HTTP], description: 'Transport of the server. Default: stdio.' },
  },
};

/** The JSON Schema of a configuration file, for editors. `toolwright schema` prints it. */
export const CONFIG_SCHEMA: SmallSchema & { readonly $schema: string } = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  ...allowVariables(CONFIG_RULES),
};
