import { DOCUMENT_DEFAULTS } from '../../openapi/document/parse/document-limits.ts';
import { count, flag, text, textMap, texts, timeout } from './config-schema-parts.ts';
import type { SmallSchema } from '../file/small-schema.ts';

const textOrTexts = (description: string): SmallSchema => ({
  description,
  oneOf: [
    { title: 'a text', type: 'string' },
    { title: 'a list of texts', type: 'array', items: { type: 'string' } },
  ],
});

const ARGUMENT: SmallSchema = {
  type: 'object',
  additionalProperties: false,
  description: 'What is wanted of one argument.',
  properties: {
    name: text('What it is called instead.'),
    description: text('Tells the model what belongs here.'),
    hidden: flag('Not offered, and not sent unless it has a default.'),
    default: { description: 'Sent where the caller gives nothing.' },
    fixed: { description: 'Sent always; the caller does not see it.' },
    secret: flag('Whether its value is kept out of messages and logs.'),
    required: flag('Default: as the document says.'),
    allowSlashes: flag('For a parameter of the path: whether its values may have slashes.'),
  },
};

const OVERRIDE: SmallSchema = {
  type: 'object',
  additionalProperties: false,
  description: 'What is wanted of an operation that the document says differently or not at all.',
  properties: {
    name: {
      type: 'string',
      pattern: '^[A-Za-z0-9_-]{1,128}$',
      description: 'Letters, digits, "_" and "-".',
    },
    title: text('What people call it.'),
    description: text('Tells the model what it is for.'),
    hidden: flag('Whether it is left out.'),
    tags: texts('Beside those of the document.'),
    category: text('What kind of tool it is. Default: its first tag.'),
    annotations: {
      type: 'object',
      additionalProperties: false,
      description: 'Hints for clients. Default: by the method.',
      properties: {
        title: text('What people call it.'),
        readOnlyHint: flag('It changes nothing.'),
        destructiveHint: flag('It may destroy something.'),
        idempotentHint: flag('Twice is the same as once.'),
        openWorldHint: flag('It deals with the world outside.'),
        returnDirect: flag('Its result is shown as it is.'),
      },
    },
    scopes: texts('What a caller must have been granted, all of it; to others it does not exist.'),
    kind: { enum: ['tool', 'resource', 'resource-template', 'none'], description: 'What it becomes.' },
    timeoutMs: timeout('How long it may take.'),
    confirm: { enum: ['preview'], description: 'A call first shows what it would do.' },
    arguments: {
      type: 'object',
      additionalProperties: ARGUMENT,
      description:
        'By the names of the document: a parameter, a property of the body, or "body". "query.id" and the like tell two of one name apart.',
    },
    response: {
      type: 'object',
      additionalProperties: false,
      description: 'What becomes of the answer.',
      properties: {
        select: textOrTexts('JSON Pointers to the parts that are kept.'),
        maxChars: count('So many characters are shown at once.'),
      },
    },
  },
};

const CREDENTIAL: SmallSchema = {
  description: 'A text is a key, a token, or user:password, as the scheme has it.',
  oneOf: [
    { title: 'a text', type: 'string', minLength: 1 },
    {
      title: '{ "token" }',
      type: 'object',
      required: ['token'],
      additionalProperties: false,
      properties: { token: text('For bearer, OAuth 2 and OpenID Connect.') },
    },
    {
      title: '{ "apiKey" }',
      type: 'object',
      required: ['apiKey'],
      additionalProperties: false,
      properties: { apiKey: text('For schemes of the type apiKey.') },
    },
    {
      title: '{ "username", "password" }',
      type: 'object',
      required: ['username', 'password'],
      additionalProperties: false,
      properties: {
        username: { type: 'string', description: 'For basic authentication.' },
        password: { type: 'string', description: 'For basic authentication.' },
      },
    },
    {
      title: '{ "clientId", "clientSecret" }',
      type: 'object',
      required: ['clientId', 'clientSecret'],
      additionalProperties: false,
      properties: {
        clientId: text('OAuth 2 client credentials.'),
        clientSecret: text('Shown to the token URL alone.'),
        tokenUrl: text('Default: that of the document, if it is at an origin that credentials may go to.'),
        scopes: texts('Default: those that each operation needs.'),
        audience: text('Whom the tokens are for.'),
        resource: text('The same, as RFC 8707 has it.'),
        clientAuthentication: { enum: ['basic', 'post'], description: 'Default: basic.' },
      },
    },
  ],
};

const ROUTE_MAP: SmallSchema = {
  type: 'object',
  required: ['kind'],
  additionalProperties: false,
  description: 'What becomes of the operations that everything here holds for.',
  properties: {
    methods: texts('Any of them.'),
    path: text('The whole path, with "*" for any characters.'),
    tags: texts('Any of them.'),
    kind: { enum: ['tool', 'resource', 'resource-template', 'none'], description: 'What they become.' },
    override: { $ref: '#/$defs/openapiOverride' },
  },
};

const FILTERS: Readonly<Record<string, SmallSchema>> = {
  includeTools: texts('Only these: names of tools, operationIds, or "GET /pets/{id}"; "*" stands for any.'),
  includeTags: texts('Only operations with one of these tags.'),
  includeOperations: texts('Only these: HTTP methods, or anything that includeTools takes.'),
  includeMethods: texts('Only these HTTP methods.'),
  includeResources: texts('"pets": a fixed part of the path is called so. "/pets": the path begins so.'),
  excludeTags: texts('No operations with one of these tags.'),
  excludeTools: texts('None of these; wins over what is included.'),
  excludeOperations: texts('None of these: HTTP methods, or anything that excludeTools takes.'),
  excludePaths: texts('No operations of these paths: "/admin/*".'),
  includeDeprecated: flag('Default: true.'),
};

const DOCUMENT: SmallSchema = {
  title: 'an OpenAPI document ({ "document" })',
  type: 'object',
  required: ['document'],
  additionalProperties: false,
  description: 'An OpenAPI document whose operations become tools.',
  properties: {
    document: text('A file beside this one, or an http: or https: URL.'),
    overlays: texts('OpenAPI Overlays, applied in this order: files beside this one, or URLs.'),
    documentHeaders: textMap('Headers for fetching the document; they go to its own origin alone.'),
    references: {
      type: 'object',
      additionalProperties: false,
      description:
        'Where files may be that the document refers to. Default: its own folder, or its own origin.',
      properties: {
        roots: texts('Folders.'),
        origins: texts('Such as https://api.example.com.'),
      },
    },
    limits: {
      type: 'object',
      additionalProperties: false,
      description: 'How much is read of the document. See docs/limits.md.',
      properties: Object.fromEntries(
        Object.keys(DOCUMENT_DEFAULTS).map((name) => [
          name,
          name === 'maxDocumentDepth'
            ? { ...count('See docs/limits.md.'), maximum: 1000 }
            : count('See docs/limits.md.'),
        ]),
      ),
    },
    baseUrl: text('Where the API is. Default: what the document says.'),
    serverVariables: textMap("Values for variables in the addresses of the document's servers."),
    namespace: {
      type: 'string',
      pattern: '^[A-Za-z_][A-Za-z0-9_-]*$',
      description: 'Stands before every name, with "_" behind it. Several documents need one each.',
    },
    maxNameLength: { ...count('Default: 64.'), maximum: 128 },
    abbreviate: {
      enum: ['off', 'long', 'always'],
      description: 'Short forms for common words: never, in names that are too long, in all. Default: off.',
    },
    argumentNames: {
      enum: ['safe', 'exact'],
      description: '"safe": names that every model vendor takes. Default: safe.',
    },
    maxDescription: count('The longest description of a tool. Default: 1024.'),
    maxArgumentDescription: count('The longest description of an argument. Default: 500.'),
    maxSchemaChars: count("The longest definitions of a tool's schema. Default: 150000."),
    stripHtml: flag('Whether HTML is taken out of descriptions. Default: false.'),
    mode: {
      enum: ['all', 'explicit', 'dynamic'],
      description:
        'All that filters let through; only what includeTools names; or three tools that list, describe and call operations. Default: all.',
    },
    groupBy: { enum: ['none', 'tag'], description: '"tag": one grouped tool for each tag. Default: none.' },
    ...FILTERS,
    routeMaps: {
      type: 'array',
      items: ROUTE_MAP,
      description: 'What becomes of operations. The first that fits counts.',
    },
    overrides: {
      type: 'object',
      additionalProperties: { $ref: '#/$defs/openapiOverride' },
      description: 'What is wanted of single operations, by operationId or "GET /pets/{id}".',
    },
    credentials: {
      type: 'object',
      additionalProperties: CREDENTIAL,
      description: "By the names of the document's security schemes.",
    },
    headers: textMap('Headers of every request. They go where credentials go.'),
    origins: texts('Where credentials may go, beside the origin of the API: https://id.example.com.'),
    outputSchemas: flag('Whether answers are described to clients. Default: false.'),
    preferredBodies: texts('Media types of bodies, the most wanted first.'),
    allowSlashes: flag(
      'Whether values of path parameters may have slashes, which are sent as %2F, or as they are where a parameter spans segments. Default: true.',
    ),
    redirects: flag(
      'Whether redirects of GET and HEAD within the origin of the API are followed, at most 5. Default: true.',
    ),
    validate: {
      enum: ['strict', 'lenient'],
      description: `"lenient": parts of a schema (allOf) that forbid each other's properties do not forbid them. Default: strict.`,
    },
    maxResponseChars: count('So many characters of an answer are shown at once. Default: 50000.'),
    maxBinaryBytes: count('Larger binary answers are described only. Default: 7 MiB.'),
  },
};

/** What `$ref`s of the member `openapi` lead to. */
export const OPENAPI_DEFINITIONS: Readonly<Record<string, SmallSchema>> = {
  openapiDocument: DOCUMENT,
  openapiOverride: OVERRIDE,
};

/** One document, or several. In a file of code, an entry may have functions. */
export const OPENAPI: SmallSchema = {
  description: 'OpenAPI documents. Their tools are listed before all others.',
  oneOf: [
    { $ref: '#/$defs/openapiDocument' },
    {
      title: 'a list of them',
      type: 'array',
      items: { oneOf: [{ $ref: '#/$defs/openapiDocument' }] },
    },
  ],
};
