import { TOOL_NAME_PATTERN } from '../../tools/compile/assert-definition.ts';
import { REGISTRY_DEFAULTS } from '../../tools/compile/tool-settings.ts';
import type { SmallSchema } from '../file/small-schema.ts';

export const text = (description: string): SmallSchema => ({ type: 'string', minLength: 1, description });
export const flag = (description: string): SmallSchema => ({ type: 'boolean', description });
export const count = (description: string, minimum = 1): SmallSchema => ({
  type: 'integer',
  minimum,
  description,
});
export const timeout = (description: string): SmallSchema => ({
  ...count(description),
  maximum: REGISTRY_DEFAULTS.maxTimeoutMs,
});
export const texts = (description: string): SmallSchema => ({
  type: 'array',
  items: { type: 'string' },
  description,
});
export const textMap = (description: string): SmallSchema => ({
  type: 'object',
  additionalProperties: { type: 'string' },
  description,
});

/** The name of a tool or a prompt. */
export const NAME: SmallSchema = {
  type: 'string',
  pattern: TOOL_NAME_PATTERN.source,
  description: 'Letters, digits, "_", "." and "-".',
};

/** Members that tools, prompts and resources share. */
export const SHARED: Readonly<Record<string, SmallSchema>> = {
  title: text('Display name.'),
  description: text('Description for the model or the user.'),
  tags: texts('Tags for policies; not sent to clients.'),
  scopes: texts('Scopes that the caller must have, all of them.'),
  timeoutMs: timeout('Timeout in milliseconds.'),
};

/** The setting of a tool. Prompts and resources are always hidden. */
export const MISSING_SCOPES: SmallSchema = {
  enum: ['hide', 'challenge'],
  description:
    'Whether callers without the scopes do not see the tool (hide), or get a 403 when they call it (challenge). Default: the setting of the server.',
};

export const PROMPT: SmallSchema = {
  title: 'a prompt ({ "name", "template" })',
  type: 'object',
  required: ['name'],
  additionalProperties: false,
  properties: {
    name: NAME,
    ...SHARED,
    arguments: {
      type: 'array',
      description: 'Arguments of the prompt.',
      items: {
        type: 'object',
        required: ['name'],
        additionalProperties: false,
        properties: {
          name: text('Name in the template.'),
          title: text('Display name.'),
          description: text('Description of the argument.'),
          required: flag('Default: false.'),
        },
      },
    },
    complete: {
      type: 'object',
      additionalProperties: { type: 'array', items: { type: 'string' } },
      description: 'Completion values by argument.',
    },
    template: {
      type: 'string',
      description: 'Template of the message, with {{argument}} placeholders. Write \\{{ for literal braces.',
    },
    messages: {
      type: 'array',
      minItems: 1,
      description: 'Several messages, instead of a template.',
      items: {
        type: 'object',
        required: ['role', 'text'],
        additionalProperties: false,
        properties: {
          role: { enum: ['user', 'assistant'], description: 'Role of the message.' },
          text: { type: 'string', description: 'Template of the message, with {{argument}} placeholders.' },
        },
      },
    },
  },
};

const RESOURCE_SHARED: Readonly<Record<string, SmallSchema>> = {
  name: text('Name of the resource.'),
  ...SHARED,
  cacheHint: {
    type: 'object',
    required: ['ttlMs'],
    additionalProperties: false,
    description: 'How clients may cache it.',
    properties: { ttlMs: count('Time to live in milliseconds.', 0), scope: { enum: ['public', 'private'] } },
  },
};

export const RESOURCE: SmallSchema = {
  title: 'a resource ({ "uri", "name", "text" or "file" })',
  type: 'object',
  required: ['uri', 'name'],
  additionalProperties: false,
  properties: {
    uri: text('URI, such as docs://manual.'),
    ...RESOURCE_SHARED,
    mimeType: text('MIME type. Default: by the extension of the file, or text/plain.'),
    text: { type: 'string', description: 'Content as text.' },
    blob: { type: 'string', description: 'Content as base64.' },
    file: text('File with the content, relative to this file. It is read at each request.'),
  },
};

export const DIRECTORY: SmallSchema = {
  title: 'a folder ({ "directory", "uri", "name" })',
  type: 'object',
  required: ['directory', 'uri', 'name'],
  additionalProperties: false,
  properties: {
    directory: text('Folder, relative to this file.'),
    uri: text('Prefix of the URIs of its files; must end with "/".'),
    ...RESOURCE_SHARED,
    hidden: flag('Whether to serve files and folders that begin with a dot. Default: false.'),
    maxBytes: count('Maximum size of a file. Default: 1048576 (1 MiB).'),
  },
};
