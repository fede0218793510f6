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
  title: text('What people call it.'),
  description: text('Tells the model, or the person, what it is for.'),
  tags: texts('For policies; not sent.'),
  scopes: texts('What a caller must have been granted, all of it; to others it does not exist.'),
  timeoutMs: timeout('How long it may take.'),
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
      description: 'What a person fills in.',
      items: {
        type: 'object',
        required: ['name'],
        additionalProperties: false,
        properties: {
          name: text('As the template names it.'),
          title: text('What people call it.'),
          description: text('What belongs here.'),
          required: flag('Default: false.'),
        },
      },
    },
    complete: {
      type: 'object',
      additionalProperties: { type: 'array', items: { type: 'string' } },
      description: 'Values that are offered, by argument.',
    },
    template: {
      type: 'string',
      description: 'The message, with {{argument}} in it. Write \\{{ for braces that are meant.',
    },
    messages: {
      type: 'array',
      minItems: 1,
      description: 'Several messages in place of a template.',
      items: {
        type: 'object',
        required: ['role', 'text'],
        additionalProperties: false,
        properties: {
          role: { enum: ['user', 'assistant'], description: 'Who says it.' },
          text: { type: 'string', description: 'A template.' },
        },
      },
    },
  },
};

const RESOURCE_SHARED: Readonly<Record<string, SmallSchema>> = {
  name: text('What people and models call it.'),
  ...SHARED,
  cacheHint: {
    type: 'object',
    required: ['ttlMs'],
    additionalProperties: false,
    description: 'How long, and for whom, it may be kept.',
    properties: { ttlMs: count('Milliseconds.', 0), scope: { enum: ['public', 'private'] } },
  },
};

export const RESOURCE: SmallSchema = {
  title: 'a resource ({ "uri", "name", "text" or "file" })',
  type: 'object',
  required: ['uri', 'name'],
  additionalProperties: false,
  properties: {
    uri: text('Its address: docs://manual.'),
    ...RESOURCE_SHARED,
    mimeType: text('Default: by the name of the file, or text/plain.'),
    text: { type: 'string', description: 'Its content.' },
    blob: { type: 'string', description: 'Its content in base64.' },
    file: text('The file with its content, beside this one. Read anew each time.'),
  },
};

export const DIRECTORY: SmallSchema = {
  title: 'a folder ({ "directory", "uri", "name" })',
  type: 'object',
  required: ['directory', 'uri', 'name'],
  additionalProperties: false,
  properties: {
    directory: text('The folder, beside this file.'),
    uri: text('What the addresses of its files begin with; ends with "/".'),
    ...RESOURCE_SHARED,
    hidden: flag('Whether what begins with a dot is served. Default: false.'),
    maxBytes: count('The largest file that is read. Default: 1 MiB.'),
  },
};
