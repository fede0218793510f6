import { describe, expect, test } from 'vitest';
import { McpPromptConverter } from '../../../../src/model/converters/mcp/mcp-prompt-converter.ts';
import { McpResourceConverter } from '../../../../src/model/converters/mcp/mcp-resource-converter.ts';
import { McpToolAnnotationsConverter } from '../../../../src/model/converters/mcp/mcp-tool-annotations-converter.ts';
import { PromptArgument } from '../../../../src/model/prompt-argument.ts';
import { Prompt } from '../../../../src/model/prompt.ts';
import { Resource } from '../../../../src/model/resource.ts';
import { ToolAnnotations } from '../../../../src/model/tool-annotations.ts';

describe('prompts', () => {
  const converter = new McpPromptConverter();

  test('a full prompt is written with its members in a fixed order', () => {
    const prompt = new Prompt({
      extensions: { future: 1 },
      meta: { team: 'core' },
      icons: [{ src: 'a.png' }],
      arguments: [
        new PromptArgument({ required: true, description: 'Where', title: 'File', name: 'file' }),
        new PromptArgument({
          name: 'depth',
          required: false,
          icons: [{ src: 'd.png' }],
          meta: { unit: 'levels' },
        }),
        new PromptArgument({ name: 'rest', extensions: { variadic: true } }),
      ],
      description: 'Reviews a file',
      title: 'Review',
      name: 'review',
    });
    expect(JSON.stringify(converter.convertFromPrompt(prompt))).toBe(
      '{"name":"review","title":"Review","description":"Reviews a file","arguments":[' +
        '{"name":"file","title":"File","description":"Where","required":true},' +
        '{"name":"depth","required":false,"icons":[{"src":"d.png"}],"_meta":{"unit":"levels"}},' +
        '{"name":"rest","variadic":true}],' +
        '"icons":[{"src":"a.png"}],"_meta":{"team":"core"},"future":1}',
    );
  });

  test('every member is read', () => {
    const prompt = converter.convertToPrompt({
      name: 'review',
      title: 'Review',
      description: 'Reviews a file',
      arguments: [{ name: 'file', title: 'File', description: 'Where', required: true }, { name: 'depth' }],
      icons: [{ src: 'a.png' }],
      _meta: { team: 'core' },
    });
    expect(prompt).toBeInstanceOf(Prompt);
    expect([prompt.name, prompt.title, prompt.description]).toEqual(['review', 'Review', 'Reviews a file']);
    expect(prompt.arguments).toHaveLength(2);
    expect(prompt.arguments[0]).toBeInstanceOf(PromptArgument);
    expect(prompt.arguments[0]).toMatchObject({
      name: 'file',
      title: 'File',
      description: 'Where',
      required: true,
    });
    expect(prompt.arguments[1]?.required).toBeUndefined();
    expect(prompt.icons).toEqual([{ src: 'a.png' }]);
    expect(prompt.meta).toEqual({ team: 'core' });
  });

  test('an empty list of arguments and a missing one survive a round trip', () => {
    const empty = { name: 'review', arguments: [] };
    const none = { name: 'review' };
    expect(converter.convertFromPrompt(converter.convertToPrompt(empty))).toStrictEqual(empty);
    expect(converter.convertFromPrompt(converter.convertToPrompt(none))).toStrictEqual(none);
  });

  test('an argument added to an empty list is written', () => {
    const prompt = converter.convertToPrompt({ name: 'review', arguments: [] });
    prompt.addArgument(new PromptArgument({ name: 'file' }));
    expect(converter.convertFromPrompt(prompt)).toStrictEqual({
      name: 'review',
      arguments: [{ name: 'file' }],
    });
  });

  test('two arguments of one name are refused', () => {
    expect(() =>
      converter.convertToPrompt({ name: 'copy', arguments: [{ name: 'a' }, { name: 'a' }] }),
    ).toThrow(
      'Cannot add prompt-argument "a" to prompt "copy": it already contains prompt-argument "a". Rename one of them.',
    );
  });
});

describe('resources', () => {
  const converter = new McpResourceConverter();

  test('a full resource is written with its members in a fixed order', () => {
    const resource = new Resource({
      extensions: { future: 1 },
      meta: { team: 'core' },
      icons: [{ src: 'a.png' }],
      annotations: { lastModified: '2026-01-02T03:04:05Z', priority: 0, audience: ['user', 'assistant'] },
      size: 0,
      mimeType: 'text/plain',
      description: 'The log',
      title: 'Log',
      name: 'log',
      uri: 'file:///log',
    });
    expect(JSON.stringify(converter.convertFromResource(resource))).toBe(
      '{"uri":"file:///log","name":"log","title":"Log","description":"The log","mimeType":"text/plain","size":0,' +
        '"annotations":{"audience":["user","assistant"],"priority":0,"lastModified":"2026-01-02T03:04:05Z"},' +
        '"icons":[{"src":"a.png"}],"_meta":{"team":"core"},"future":1}',
    );
  });

  test('every member is read, and unknown annotations survive', () => {
    const annotations = {
      audience: ['user' as const],
      priority: 0.5,
      lastModified: '2026-01-02',
      mood: 'calm',
    };
    const wire = {
      uri: 'file:///log',
      name: 'log',
      title: 'Log',
      description: 'The log',
      mimeType: 'text/plain',
      size: 12,
      annotations,
      icons: [{ src: 'a.png' }],
      _meta: { team: 'core' },
      future: 1,
    };
    const resource = converter.convertToResource(wire);
    expect(resource).toBeInstanceOf(Resource);
    expect(resource).toMatchObject({
      uri: 'file:///log',
      name: 'log',
      title: 'Log',
      description: 'The log',
      mimeType: 'text/plain',
      size: 12,
      annotations: { audience: ['user'], priority: 0.5, lastModified: '2026-01-02', mood: 'calm' },
      icons: [{ src: 'a.png' }],
      meta: { team: 'core' },
      extensions: { future: 1 },
    });
    expect(converter.convertFromResource(resource)).toStrictEqual(wire);
    annotations.audience.pop();
    annotations.priority = 1;
    expect(resource.annotations).toMatchObject({ audience: ['user'], priority: 0.5 });
  });

  test('unset members are not written', () => {
    expect(converter.convertFromResource(new Resource({ name: 'log', uri: 'file:///log' }))).toStrictEqual({
      uri: 'file:///log',
      name: 'log',
    });
  });
});

describe('tool annotations', () => {
  const converter = new McpToolAnnotationsConverter();

  test('all hints are written and read', () => {
    const wire = {
      title: 'Wipe',
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: true,
      openWorldHint: false,
      returnDirect: true,
      costHint: 'high',
    };
    const annotations = converter.convertToToolAnnotations(wire);
    expect(annotations).toBeInstanceOf(ToolAnnotations);
    expect(annotations).toMatchObject({
      title: 'Wipe',
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: true,
      openWorldHint: false,
      returnDirect: true,
      extensions: { costHint: 'high' },
    });
    expect(converter.convertFromToolAnnotations(annotations)).toStrictEqual(wire);
  });

  test('undeclared hints are not written', () => {
    expect(converter.convertFromToolAnnotations(new ToolAnnotations())).toStrictEqual({});
    expect(converter.convertFromToolAnnotations(new ToolAnnotations({ openWorldHint: false }))).toStrictEqual(
      {
        openWorldHint: false,
      },
    );
  });
});
