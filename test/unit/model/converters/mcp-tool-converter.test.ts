import { describe, expect, test } from 'vitest';
import { McpToolConverter } from '../../../../src/model/converters/mcp/mcp-tool-converter.ts';
import { ToolAnnotations } from '../../../../src/model/tool-annotations.ts';
import { Tool } from '../../../../src/model/tool.ts';

const converter = new McpToolConverter();

describe('from the model', () => {
  test('a full tool is written with its members in a fixed order', () => {
    const tool = new Tool({
      extensions: { execution: { taskSupport: 'optional' } },
      meta: { 'example.com/team': 'core' },
      icons: [{ theme: 'dark', sizes: ['48x48'], mimeType: 'image/png', src: 'https://example.com/i.png' }],
      annotations: new ToolAnnotations({
        returnDirect: true,
        openWorldHint: true,
        idempotentHint: false,
        destructiveHint: false,
        readOnlyHint: true,
        title: 'List',
        extensions: { costHint: 3 },
      }),
      outputSchema: { type: 'array' },
      inputSchema: { type: 'object', properties: { page: { type: 'integer' } } },
      description: 'Lists users',
      title: 'List users',
      name: 'list',
    });
    expect(JSON.stringify(converter.convertFromTool(tool))).toBe(
      '{"name":"list","title":"List users","description":"Lists users",' +
        '"inputSchema":{"type":"object","properties":{"page":{"type":"integer"}}},' +
        '"outputSchema":{"type":"array"},' +
        '"annotations":{"title":"List","readOnlyHint":true,"destructiveHint":false,"idempotentHint":false,' +
        '"openWorldHint":true,"returnDirect":true,"costHint":3},' +
        '"icons":[{"src":"https://example.com/i.png","mimeType":"image/png","sizes":["48x48"],"theme":"dark"}],' +
        '"_meta":{"example.com/team":"core"},"execution":{"taskSupport":"optional"}}',
    );
  });

  test('unset members are not written', () => {
    const wire = converter.convertFromTool(new Tool({ name: 'list', inputSchema: { type: 'object' } }));
    expect(Object.keys(wire)).toEqual(['name', 'inputSchema']);
    expect(wire).toStrictEqual({ name: 'list', inputSchema: { type: 'object' } });
  });

  test('values that are false, zero or empty are written', () => {
    const tool = new Tool({
      name: '',
      title: '',
      inputSchema: { type: 'object' },
      annotations: new ToolAnnotations({ readOnlyHint: false }),
      icons: [],
      meta: {},
      extensions: { rank: 0, note: null },
    });
    expect(converter.convertFromTool(tool)).toStrictEqual({
      name: '',
      title: '',
      inputSchema: { type: 'object' },
      annotations: { readOnlyHint: false },
      icons: [],
      _meta: {},
      rank: 0,
      note: null,
    });
  });

  test('a member of the model wins over an extension of the same name', () => {
    const tool = new Tool({ name: 'list', inputSchema: { type: 'object' }, extensions: { name: 'other' } });
    expect(converter.convertFromTool(tool)).toStrictEqual({ name: 'list', inputSchema: { type: 'object' } });
  });
});

describe('to the model', () => {
  test('every member is read', () => {
    const tool = converter.convertToTool({
      name: 'list',
      title: 'List users',
      description: 'Lists users',
      inputSchema: { type: 'object' },
      outputSchema: { type: 'array' },
      annotations: { title: 'List', readOnlyHint: true, destructiveHint: false },
      icons: [{ src: 'https://example.com/i.png' }],
      _meta: { team: 'core' },
    });
    expect(tool).toBeInstanceOf(Tool);
    expect(tool.name).toBe('list');
    expect(tool.title).toBe('List users');
    expect(tool.description).toBe('Lists users');
    expect(tool.inputSchema).toEqual({ type: 'object' });
    expect(tool.outputSchema).toEqual({ type: 'array' });
    expect(tool.annotations).toBeInstanceOf(ToolAnnotations);
    expect(tool.annotations?.title).toBe('List');
    expect(tool.annotations?.readOnlyHint).toBe(true);
    expect(tool.annotations?.destructiveHint).toBe(false);
    expect(tool.annotations?.idempotentHint).toBeUndefined();
    expect(tool.icons).toEqual([{ src: 'https://example.com/i.png' }]);
    expect(tool.meta).toEqual({ team: 'core' });
    expect(tool.extensions).toEqual({});
  });

  test('members the model does not know survive the way there and back', () => {
    const wire = {
      name: 'list',
      inputSchema: { type: 'object' as const },
      annotations: { readOnlyHint: true, costHint: 'high' },
      icons: [{ src: 'a.png', alt: 'A' }],
      execution: { taskSupport: 'required' },
    };
    const tool = converter.convertToTool(wire);
    expect(tool.extensions).toEqual({ execution: { taskSupport: 'required' } });
    expect(tool.annotations?.extensions).toEqual({ costHint: 'high' });
    expect(converter.convertFromTool(tool)).toStrictEqual(wire);
  });

  test('empty annotations are not the same as none', () => {
    const wire = { name: 'list', inputSchema: { type: 'object' as const }, annotations: {} };
    expect(converter.convertFromTool(converter.convertToTool(wire))).toStrictEqual(wire);
  });
});

describe('copies', () => {
  test('changing the wire object afterwards does not change the model', () => {
    const wire = {
      name: 'list',
      inputSchema: { type: 'object' as const },
      annotations: { readOnlyHint: true },
      icons: [{ src: 'a.png', sizes: ['1x1'] }],
      _meta: { nested: { deep: [1] } },
      future: { list: [1] },
    };
    const tool = converter.convertToTool(wire);
    wire.annotations.readOnlyHint = false;
    wire.icons[0]?.sizes.push('2x2');
    wire.icons.push({ src: 'b.png', sizes: [] });
    wire._meta.nested.deep.push(2);
    wire.future.list.push(2);
    expect(tool.annotations?.readOnlyHint).toBe(true);
    expect(tool.icons).toEqual([{ src: 'a.png', sizes: ['1x1'] }]);
    expect(tool.meta).toEqual({ nested: { deep: [1] } });
    expect(tool.extensions).toEqual({ future: { list: [1] } });
  });

  test('changing what was written does not change the model', () => {
    const tool = new Tool({
      name: 'list',
      inputSchema: { type: 'object' },
      annotations: new ToolAnnotations({ readOnlyHint: true }),
      icons: [{ src: 'a.png', sizes: ['1x1'] }],
      meta: { nested: { deep: [1] } },
      extensions: { future: { list: [1] } },
    });
    const wire = converter.convertFromTool(tool);
    Object.assign(wire.annotations ?? {}, { readOnlyHint: false });
    wire.icons?.[0]?.sizes?.push('2x2');
    Object.assign(wire._meta?.['nested'] ?? {}, { deep: 'gone' });
    Object.assign(Reflect.get(wire, 'future') ?? {}, { list: 'gone' });
    expect(tool.annotations?.readOnlyHint).toBe(true);
    expect(tool.icons).toEqual([{ src: 'a.png', sizes: ['1x1'] }]);
    expect(tool.meta).toEqual({ nested: { deep: [1] } });
    expect(tool.extensions).toEqual({ future: { list: [1] } });
  });

  test('schemas are shared, not copied', () => {
    const inputSchema = { type: 'object' as const };
    const outputSchema = { type: 'array' };
    const tool = converter.convertToTool({ name: 'list', inputSchema, outputSchema });
    expect(tool.inputSchema).toBe(inputSchema);
    expect(converter.convertFromTool(tool).outputSchema).toBe(outputSchema);
  });
});

test('members called __proto__ stay members and reach no prototype', () => {
  const text =
    '{"name":"list","inputSchema":{"type":"object","properties":{"__proto__":{"type":"string"}}},' +
    '"annotations":{"__proto__":{"readOnlyHint":true}},"icons":[{"src":"a","__proto__":{"theme":"dark"}}],' +
    '"_meta":{"__proto__":{"polluted":true},"deep":{"__proto__":{"polluted":true}}},' +
    '"__proto__":{"title":"polluted"}}';
  const tool = converter.convertToTool(JSON.parse(text));
  expect(tool.title).toBeUndefined();
  expect(tool.annotations?.readOnlyHint).toBeUndefined();
  expect(tool.meta?.['polluted']).toBeUndefined();
  expect(Object.getPrototypeOf(tool.extensions)).toBe(Object.prototype);

  const wire = converter.convertFromTool(tool);
  expect(JSON.stringify(wire)).toBe(text);
  expect(wire.title).toBeUndefined();
  expect(wire.icons?.[0]?.theme).toBeUndefined();
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
});
