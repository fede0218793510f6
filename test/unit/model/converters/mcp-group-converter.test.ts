import { describe, expect, test } from 'vitest';
import { McpGroupConverter } from '../../../../src/model/converters/mcp/mcp-group-converter.ts';
import { Group } from '../../../../src/model/group.ts';
import { Prompt } from '../../../../src/model/prompt.ts';
import { Resource } from '../../../../src/model/resource.ts';
import { Tool } from '../../../../src/model/tool.ts';

const converter = new McpGroupConverter();
const search = { name: 'search', inputSchema: { type: 'object' as const } };

describe('from the model', () => {
  test('a tree is written nested, members in a fixed order, a shared leaf below each of its parents', () => {
    const platform = new Group({
      extensions: { future: 1 },
      meta: { team: 'core' },
      icons: [{ src: 'a.png' }],
      separator: '/',
      description: 'All of it',
      title: 'Platform',
      name: 'platform',
    });
    const users = new Group({ name: 'users' });
    const tool = new Tool(search);
    users.addChildTool(tool);
    platform.addChildResource(new Resource({ name: 'log', uri: 'file:///log' }));
    platform.addChildPrompt(new Prompt({ name: 'greet' }));
    platform.addChildTool(tool);
    platform.addChildGroup(users);
    expect(JSON.stringify(converter.convertFromGroup(platform))).toBe(
      '{"name":"platform","title":"Platform","description":"All of it","separator":"/",' +
        '"icons":[{"src":"a.png"}],"_meta":{"team":"core"},' +
        '"groups":[{"name":"users","tools":[{"name":"search","inputSchema":{"type":"object"}}]}],' +
        '"tools":[{"name":"search","inputSchema":{"type":"object"}}],' +
        '"prompts":[{"name":"greet"}],"resources":[{"uri":"file:///log","name":"log"}],"future":1}',
    );
  });

  test('a group with nothing in it is only its name', () => {
    expect(converter.convertFromGroup(new Group({ name: 'empty' }))).toStrictEqual({ name: 'empty' });
  });

  test('a subtree is written without what is above it', () => {
    const [platform, users] = [new Group({ name: 'platform' }), new Group({ name: 'users' })];
    platform.addChildGroup(users);
    expect(converter.convertFromGroups([users, null])).toStrictEqual([{ name: 'users' }]);
  });
});

describe('to the model', () => {
  test('every member is read and every parent is set', () => {
    const group = converter.convertToGroup({
      name: 'platform',
      title: 'Platform',
      description: 'All of it',
      separator: '/',
      icons: [{ src: 'a.png' }],
      _meta: { team: 'core' },
      groups: [{ name: 'users', tools: [search] }],
      prompts: [{ name: 'greet' }],
      resources: [{ name: 'log', uri: 'file:///log' }],
    });
    expect(group).toBeInstanceOf(Group);
    expect(group).toMatchObject({
      name: 'platform',
      title: 'Platform',
      description: 'All of it',
      separator: '/',
      icons: [{ src: 'a.png' }],
      meta: { team: 'core' },
    });
    expect(group.childGroups[0]?.parent).toBe(group);
    expect(group.childGroups[0]?.childTools[0]?.getFullyQualifiedName()).toBe('platform/users/search');
    expect(group.childPrompts[0]?.getFullyQualifiedName()).toBe('platform/greet');
    expect(group.childResources[0]?.getFullyQualifiedName()).toBe('platform/log');
  });

  test('equal leaves in several places become one leaf with several parents', () => {
    const group = converter.convertToGroup({
      name: 'platform',
      tools: [search],
      groups: [
        {
          name: 'users',
          tools: [{ inputSchema: { type: 'object' }, name: 'search' }],
          prompts: [{ name: 'greet' }],
          resources: [{ name: 'log', uri: 'file:///log' }],
        },
        {
          name: 'admin',
          tools: [{ ...search }],
          prompts: [{ name: 'greet' }],
          resources: [{ name: 'log', uri: 'file:///log' }],
        },
      ],
    });
    expect(group.childTools[0]?.getFullyQualifiedNames()).toEqual([
      'platform.search',
      'platform.users.search',
      'platform.admin.search',
    ]);
    const [users, admin] = group.childGroups;
    expect(users?.childTools[0]).toBe(group.childTools[0]);
    expect(users?.childPrompts[0]).toBe(admin?.childPrompts[0]);
    expect(users?.childResources[0]).toBe(admin?.childResources[0]);
    expect(users?.childPrompts[0]?.parentGroups).toHaveLength(2);
  });

  test('leaves of one name that differ anywhere stay apart', () => {
    const deep = (maximum: number): object => ({ type: 'object', properties: { page: { maximum } } });
    const group = converter.convertToGroup(
      JSON.parse(
        JSON.stringify({
          name: 'platform',
          tools: [{ name: 'search', inputSchema: deep(1) }],
          groups: [
            { name: 'a', tools: [{ name: 'search', inputSchema: deep(2) }] },
            { name: 'b', tools: [{ name: 'search', inputSchema: deep(1), title: 'Search' }] },
            { name: 'c', tools: [{ name: 'search', inputSchema: deep(2) }] },
          ],
        }),
      ),
    );
    const [a, b, c] = group.childGroups.map((child) => child.childTools[0]);
    expect(new Set([group.childTools[0], a, b, c]).size).toBe(3);
    expect(a).toBe(c);
  });

  test('a batch is one document: a leaf in two trees has two roots', () => {
    const [platform, admin] = converter.convertToGroups([
      { name: 'platform', tools: [search] },
      undefined,
      { name: 'admin', tools: [{ ...search }] },
    ]);
    const tool = platform?.childTools[0];
    expect(admin?.childTools[0]).toBe(tool);
    expect(tool?.getRoots().map((root) => root.name)).toEqual(['platform', 'admin']);
  });

  test('two single conversions share nothing', () => {
    const wire = { name: 'platform', tools: [search] };
    const [first, second] = [converter.convertToGroup(wire), converter.convertToGroup(wire)];
    expect(first.childTools[0]).not.toBe(second.childTools[0]);
  });

  test('two different children of one kind and name are refused', () => {
    expect(() =>
      converter.convertToGroup({
        name: 'platform',
        tools: [
          { ...search, title: 'A' },
          { ...search, title: 'B' },
        ],
      }),
    ).toThrow(
      'Cannot add tool "search" (B) to group "platform": it already contains tool "platform.search" (A). ' +
        'Rename one of them.',
    );
    expect(() =>
      converter.convertToGroup({ name: 'platform', groups: [{ name: 'a' }, { name: 'a' }] }),
    ).toThrow(
      'Cannot add group "a" to group "platform": it already contains group "platform.a". Rename one of them.',
    );
  });

  test('the same leaf listed twice in one group is listed once', () => {
    const group = converter.convertToGroup({ name: 'platform', tools: [search, { ...search }] });
    expect(group.childTools).toHaveLength(1);
  });

  test('empty lists and absent ones survive a round trip', () => {
    const wire = { name: 'platform', groups: [{ name: 'users', prompts: [] }], tools: [], resources: [] };
    const group = converter.convertToGroup(wire);
    expect(converter.convertFromGroup(group)).toStrictEqual(wire);
    group.addChildTool(new Tool(search));
    expect(converter.convertFromGroup(group).tools).toStrictEqual([search]);
  });

  test('changing a list of the wire object afterwards does not change the model', () => {
    const wire = { name: 'platform', tools: [] as (typeof search)[], groups: [{ name: 'users' }] };
    const group = converter.convertToGroup(wire);
    wire.tools.push(search);
    wire.groups.pop();
    expect(converter.convertFromGroup(group)).toStrictEqual({
      name: 'platform',
      groups: [{ name: 'users' }],
      tools: [],
    });
  });

  test('gaps in nested lists are skipped', () => {
    const group = converter.convertToGroup(
      JSON.parse('{"name":"g","groups":[null,{"name":"a"}],"prompts":[{"name":"p","arguments":[null]}]}'),
    );
    expect(group.childGroups.map((child) => child.name)).toEqual(['a']);
    expect(group.childPrompts[0]?.arguments).toEqual([]);
  });

  test('members the model does not know survive, even one called __proto__', () => {
    const text =
      '{"name":"platform","groups":[{"name":"users","future":{"a":[1]}}],"__proto__":{"parent":"x"}}';
    const group = converter.convertToGroup(JSON.parse(text));
    expect(group.parent).toBeUndefined();
    expect(JSON.stringify(converter.convertFromGroup(group))).toBe(text);
  });
});
