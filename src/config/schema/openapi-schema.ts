import { DOCUMENT_DEFAULTS } from '../../openapi/document/parse/document-limits.ts';
import { count, flag, MISSING_SCOPES, text, textMap, texts, timeout } from './config-schema-parts.ts';
import type { SmallSchema } from '../file/small-schema.ts';

const textOrTexts = (description: string): SmallSchema => ({
  description,
  oneOf: [
    { title: 'a string', type: 'string' },
    { title: 'an array of strings', type: 'array', items: { type: 'string' } },
  ],
});

const ARGUMENT: SmallSchema = {
  type: 'object',
  additionalProperties: false,
  description: 'Overrides of one argument.',
  properties: {
    name: text('New name of the argument.'),
    description: text('Description for the model.'),
    hidden: flag('Whether to hide it from callers; it is then sent only with a default. Default: false.'),
    default: { description: 'Value that is sent if the argument is omitted.' },
    fixed: { description: 'Value that is always sent; the argument is hidden from callers.' },
    secret: flag('Whether to keep its value out of messages and logs. Default: false.'),
    required: flag('Whether it is required. Default: as in the document.'),
    allowSlashes: flag('For a path parameter: whether its values may contain slashes.'),
  },
};

const OVERRIDE: SmallSchema = {
  type: 'object',
  additionalProperties: false,
  description: 'Overrides of one operation.',
  properties: {
    name: {
      type: 'string',
      pattern: '^[A-Za-z0-9_-]{1,128}$',
      description: 'Name of the tool: letters, digits, "_" and "-".',
    },
    title: text('Display name.'),
    description: text('Description for the model.'),
    hidden: flag('Whether to leave the operation out. Default: false.'),
    tags: texts('Tags in addition to those of the document.'),
    category: text('Category of the tool. Default: its first tag.'),
    annotations: {
      type: 'object',
      additionalProperties: false,
      description: 'Annotations for clients. Default: by the HTTP method.',
      properties: {
        title: text('Display name.'),
        readOnlyHint: flag('The tool is read-only.'),
        destructiveHint: flag('The tool may be destructive.'),
        idempotentHint: flag('The tool is idempotent.'),
        openWorldHint: flag('The tool interacts with external systems.'),
        returnDirect: flag('Clients may show the result to the user without processing by the model.'),
      },
    },
    scopes: texts('Scopes that the caller must have, all of them.'),
    missingScopes: MISSING_SCOPES,
    kind: { enum: ['tool', 'resource', 'resource-template', 'none'], description: 'Result of the import.' },
    timeoutMs: timeout('Timeout in milliseconds.'),
    confirm: { enum: ['preview'], description: 'Require confirmation: the first call returns a preview.' },
    arguments: {
      type: 'object',
      additionalProperties: ARGUMENT,
      description:
        'Overrides by the name in the document: a parameter, a property of the request body, or "body". Use "query.id" and the like if a name occurs twice.',
    },
    response: {
      type: 'object',
      additionalProperties: false,
      description: 'Conversion of the response to the result.',
      properties: {
        select: textOrTexts('JSON Pointers to the parts of the response to return.'),
        maxChars: count('Maximum characters of a response in one result.'),
      },
    },
  },
};

const CREDENTIAL: SmallSchema = {
  description: 'Credential. A string is a key, a token, or user:password, depending on the security scheme.',
  oneOf: [
    { title: 'a string', type: 'string', minLength: 1 },
    {
      title: '{ "token" }',
      type: 'object',
      required: ['token'],
      additionalProperties: false,
      properties: { token: text('Token for bearer, OAuth 2 and OpenID Connect.') },
    },
    {
      title: '{ "apiKey" }',
      type: 'object',
      required: ['apiKey'],
      additionalProperties: false,
      properties: { apiKey: text('Key for security schemes of type apiKey.') },
    },
    {
      title: '{ "username", "password" }',
      type: 'object',
      required: ['username', 'password'],
      additionalProperties: false,
      properties: {
        username: { type: 'string', description: 'User name for basic authentication.' },
        password: { type: 'string', description: 'Password for basic authentication.' },
      },
    },
    {
      title: '{ "clientId", "clientSecret" }',
      type: 'object',
      required: ['clientId', 'clientSecret'],
      additionalProperties: false,
      properties: {
        clientId: text('OAuth 2 client id.'),
        clientSecret: text('OAuth 2 client secret; sent only to the token URL.'),
        tokenUrl: text('Token URL. Default: that of the document, if credentials may be sent to its origin.'),
        scopes: texts('Scopes to request. Default: those of each operation.'),
        audience: text('Audience of the tokens.'),
        resource: text('Resource indicator of the tokens (RFC 8707).'),
        clientAuthentication: {
          enum: ['basic', 'post'],
          description: 'Client authentication. Default: basic.',
        },
      },
    },
  ],
};

const ROUTE_MAP: SmallSchema = {
  type: 'object',
  required: ['kind'],
  additionalProperties: false,
  description: 'Rule for the operations that match all of its conditions.',
  properties: {
    methods: texts('HTTP methods, any of which matches.'),
    path: text('The whole path; "*" matches any characters.'),
    tags: texts('Tags, any of which matches.'),
    kind: { enum: ['tool', 'resource', 'resource-template', 'none'], description: 'Result of the import.' },
    override: { $ref: '#/$defs/openapiOverride' },
  },
};

const FILTERS: Readonly<Record<string, SmallSchema>> = {
  includeTools: texts(
    'Only these: tool names, operationIds, or "GET /pets/{id}"; "*" matches any characters.',
  ),
  includeTags: texts('Only operations with one of these tags.'),
  includeOperations: texts('Only these: HTTP methods, or the same values as in includeTools.'),
  includeMethods: texts('Only these HTTP methods.'),
  includeResources: texts('Only paths with a segment "pets", or, for "/pets", paths that begin with it.'),
  excludeTags: texts('Exclude operations with one of these tags.'),
  excludeTools: texts('Exclude these; wins over the include filters.'),
  excludeOperations: texts('Exclude these: HTTP methods, or the same values as in excludeTools.'),
  excludePaths: texts('Exclude these paths, such as "/admin/*".'),
  includeDeprecated: flag('Whether to import deprecated operations. Default: true.'),
};

const DOCUMENT: SmallSchema = {
  title: 'an OpenAPI document ({ "document" })',
  type: 'object',
  required: ['document'],
  additionalProperties: false,
  description: 'An OpenAPI document whose operations become tools.',
  properties: {
    document: text('A file, relative to this file, or an http: or https: URL.'),
    overlays: texts('OpenAPI Overlays, applied in this order: files, relative to this file, or URLs.'),
    documentHeaders: textMap('Request headers for fetching the document; sent only to its origin.'),
    references: {
      type: 'object',
      additionalProperties: false,
      description: 'Where $ref may read from. Default: the folder or the origin of the document.',
      properties: {
        roots: texts('Folders in which $ref may read files.'),
        origins: texts('Origins from which $ref may fetch, such as https://api.example.com.'),
      },
    },
    limits: {
      type: 'object',
      additionalProperties: false,
      description: 'Limits of the document. See docs/limits.md.',
      properties: Object.fromEntries(
        Object.keys(DOCUMENT_DEFAULTS).map((name) => [
          name,
          name === 'maxDocumentDepth'
            ? { ...count('See docs/limits.md.'), maximum: 1000 }
            : count('See docs/limits.md.'),
        ]),
      ),
    },
    baseUrl: text('Base URL of the API. Default: the server in the document.'),
    serverVariables: textMap("Values of variables in the document's server URLs."),
    namespace: {
      type: 'string',
      pattern: '^[A-Za-z_][A-Za-z0-9_-]*$',
      description: 'Prefix of every tool name, followed by "_". Several documents need one each.',
    },
    maxNameLength: { ...count('Maximum length of tool names. Default: 64.'), maximum: 128 },
    abbreviate: {
      enum: ['off', 'long', 'always'],
      description:
        'Abbreviate common words in tool names: never, in names that are too long, or always. Default: off.',
    },
    argumentNames: {
      enum: ['safe', 'exact'],
      description: '"safe": only characters that every model vendor accepts. Default: safe.',
    },
    maxDescription: count('Maximum length of a tool description, in characters. Default: 1024.'),
    maxArgumentDescription: count('Maximum length of an argument description, in characters. Default: 500.'),
    maxSchemaChars: count('Maximum length of the input schema of a tool, in characters. Default: 150000.'),
    stripHtml: flag('Whether to remove HTML from descriptions. Default: false.'),
    mode: {
      enum: ['all', 'explicit', 'dynamic'],
      description:
        '"all": all operations that match the filters; "explicit": only those in includeTools; "dynamic": three tools that list, describe and call operations. Default: all.',
    },
    groupBy: { enum: ['none', 'tag'], description: '"tag": one grouped tool for each tag. Default: none.' },
    ...FILTERS,
    routeMaps: {
      type: 'array',
      items: ROUTE_MAP,
      description: 'Rules for operations. The first rule that matches is applied.',
    },
    overrides: {
      type: 'object',
      additionalProperties: { $ref: '#/$defs/openapiOverride' },
      description: 'Overrides by operationId or "GET /pets/{id}".',
    },
    credentials: {
      type: 'object',
      additionalProperties: CREDENTIAL,
      description: 'Credentials by security scheme.',
    },
    headers: textMap('Headers of every request; sent to the same origins as credentials.'),
    origins: texts('Origins to which credentials may be sent, in addition to that of the API.'),
    outputSchemas: flag('Whether to advertise output schemas. Default: false.'),
    preferredBodies: texts('Media types of request bodies, in order of preference.'),
    allowSlashes: flag(
      'Whether path parameters may contain slashes. They are sent as %2F, or unencoded if the parameter spans segments. Default: true.',
    ),
    redirects: flag(
      'Whether GET and HEAD follow up to 5 redirects within the origin of the API. Default: true.',
    ),
    validate: {
      enum: ['strict', 'lenient'],
      description:
        '"lenient": ignore additionalProperties: false in conflicting parts of allOf. Default: strict.',
    },
    maxResponseChars: count('Maximum characters of a response in one result. Default: 50000.'),
    maxBinaryBytes: count(
      'Maximum size of a binary response; larger ones are only described. Default: 7340032 (7 MiB).',
    ),
  },
};

/** Definitions for the `$ref`s of the member `openapi`. */
export const OPENAPI_DEFINITIONS: Readonly<Record<string, SmallSchema>> = {
  openapiDocument: DOCUMENT,
  openapiOverride: OVERRIDE,
};

/** One document or several. In a JavaScript or TypeScript file, entries may contain functions. */
export const OPENAPI: SmallSchema = {
  description: 'OpenAPI documents. Their tools are listed before all others.',
  oneOf: [
    { $ref: '#/$defs/openapiDocument' },
    {
      title: 'an array of OpenAPI documents',
      type: 'array',
      items: { oneOf: [{ $ref: '#/$defs/openapiDocument' }] },
    },
  ],
};
