import { describe, expect, test } from 'vitest';
import { Group } from '../../../src/model/group.ts';
import { ModelError } from '../../../src/model/model-error.ts';
import { Prompt } from '../../../src/model/prompt.ts';
import { Resource } from '../../../src/model/resource.ts';
import { Tool } from '../../../src/model/tool.ts';

const group = (name: string, separator?: string): Group => new Group({ name, separator });
const tool = (name: string, title?: string): Tool =>
  new Tool({ name, title, inputSchema: { type: 'object' } });

/** `platform` above `users` above `admin`. */
function tree(): { platform: Group; users: Group; admin: Group } {
  const [platform, users, admin] = [group('platform'), group('users'), group('admin')];
  platform.addChildGroup(users);
  users.addChildGroup(admin);
  return { platform, users, admin };
}

function failure(action: () => unknown): { code: string; message: string } {
  try {
    action();
  } catch (error) {
    if (error instanceof ModelError) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('names', () => {
  test('a fully qualified name runs from the root down, joined by dots', () => {
    expect(tree().admin.getFullyQualifiedName()).toBe('platform.users.admin');
  });

  test('a group without a parent is known by its bare name', () => {
    expect(group('platform').getFullyQualifiedName()).toBe('platform');
  });

  test('a separator given as an argument is used at every level', () => {
    expect(tree().admin.getFullyQualifiedName('/')).toBe('platform/users/admin');
  });

  test("the root's separator holds for the whole tree", () => {
    const { platform, admin } = tree();
    platform.separator = '::';
    expect(admin.getFullyQualifiedName()).toBe('platform::users::admin');
    expect(admin.getSeparator()).toBe('::');
  });

  test('the separator of a group below the root does not count until it is a root', () => {
    const root = group('root');
    const child = group('child', '/');
    const grandchild = group('grandchild');
    child.addChildGroup(grandchild);
    root.addChildGroup(child);
    expect(grandchild.getFullyQualifiedName()).toBe('root.child.grandchild');
    root.removeChildGroup(child);
    expect(grandchild.getFullyQualifiedName()).toBe('child/grandchild');
  });

  test('an empty separator is a separator', () => {
    const root = group('a', '');
    const child = group('b');
    root.addChildGroup(child);
    expect(child.getFullyQualifiedName()).toBe('ab');
  });

  test('a tree of a thousand levels still has names and a root', () => {
    const root = group('g');
    let deepest = root;
    for (let level = 1; level < 1000; level += 1) {
      const next = group('g');
      deepest.addChildGroup(next);
      deepest = next;
    }
    expect(deepest.getFullyQualifiedName()).toHaveLength(1999);
    expect(deepest.getRoot()).toBe(root);
  });
});

describe('child groups', () => {
  test('adding a group sets both sides', () => {
    const { platform, users } = tree();
    expect(platform.childGroups).toEqual([users]);
    expect(users.parent).toBe(platform);
    expect(users.getRoot()).toBe(platform);
    expect(platform.parent).toBeUndefined();
    expect(platform.getRoot()).toBe(platform);
  });

  test('removing a group clears both sides', () => {
    const { platform, users } = tree();
    expect(platform.removeChildGroup(users)).toBe(true);
    expect(platform.childGroups).toEqual([]);
    expect(users.parent).toBeUndefined();
    expect(platform.removeChildGroup(users)).toBe(false);
  });

  test('removing a group from one that does not hold it changes nothing', () => {
    const { platform, users, admin } = tree();
    expect(platform.removeChildGroup(admin)).toBe(false);
    expect(admin.parent).toBe(users);
  });

  test('adding a group twice is the same as adding it once', () => {
    const { platform, users } = tree();
    expect(platform.addChildGroup(users)).toBe(false);
    expect(platform.childGroups).toEqual([users]);
    expect(users.parent).toBe(platform);
  });

  test('adding a group that has another parent moves it', () => {
    const { platform, users, admin } = tree();
    expect(platform.addChildGroup(admin)).toBe(true);
    expect(users.childGroups).toEqual([]);
    expect(platform.childGroups).toEqual([users, admin]);
    expect(admin.parent).toBe(platform);
    expect(admin.getFullyQualifiedName()).toBe('platform.admin');
  });

  test('a refused move leaves the group where it was', () => {
    const { platform, users, admin } = tree();
    platform.addChildGroup(new Group({ name: 'admin', title: 'Owners' }));
    expect(failure(() => platform.addChildGroup(admin))).toEqual({
      code: 'DUPLICATE_NAME',
      message:
        'Cannot add group "platform.users.admin" to group "platform": ' +
        'it already contains group "platform.admin" (Owners). Rename one of them.',
    });
    expect(admin.parent).toBe(users);
    expect(users.childGroups).toEqual([admin]);
  });

  test('adding a group to itself is refused', () => {
    const platform = group('platform');
    expect(failure(() => platform.addChildGroup(platform))).toEqual({
      code: 'GROUP_CYCLE',
      message: 'Cannot add group "platform" to itself.',
    });
    expect(platform.childGroups).toEqual([]);
  });

  test('adding a group under its own descendant is refused', () => {
    const { platform, admin } = tree();
    expect(failure(() => admin.addChildGroup(platform))).toEqual({
      code: 'GROUP_CYCLE',
      message:
        'Cannot add group "platform" to group "platform.users.admin", which is below it: ' +
        'a group cannot contain itself.',
    });
    expect(admin.childGroups).toEqual([]);
    expect(platform.parent).toBeUndefined();
  });
});

describe('child tools, prompts and resources', () => {
  test('each kind has its own list, in the order of adding', () => {
    const platform = group('platform');
    const [list, ban] = [tool('list'), tool('ban')];
    const prompt = new Prompt({ name: 'list' });
    const resource = new Resource({ name: 'list', uri: 'file:///list' });
    platform.addChildTool(list);
    platform.addChildTool(ban);
    platform.addChildPrompt(prompt);
    platform.addChildResource(resource);
    expect(platform.childTools.map((child) => child.name)).toEqual(['list', 'ban']);
    expect(platform.childPrompts).toEqual([prompt]);
    expect(platform.childResources).toEqual([resource]);
    expect(platform.hasChild(ban)).toBe(true);
    expect(platform.hasChild(tool('ban'))).toBe(false);
  });

  test('adding and removing update both sides for every kind', () => {
    const platform = group('platform');
    const list = tool('list');
    const prompt = new Prompt({ name: 'greet' });
    const resource = new Resource({ name: 'log', uri: 'file:///log' });
    expect(platform.addChildTool(list)).toBe(true);
    expect(platform.addChildPrompt(prompt)).toBe(true);
    expect(platform.addChildResource(resource)).toBe(true);
    for (const item of [list, prompt, resource]) expect(item.parentGroups).toEqual([platform]);

    expect(platform.removeChildTool(list)).toBe(true);
    expect(platform.removeChildPrompt(prompt)).toBe(true);
    expect(platform.removeChildResource(resource)).toBe(true);
    for (const item of [list, prompt, resource]) expect(item.parentGroups).toEqual([]);
    expect([platform.childTools, platform.childPrompts, platform.childResources]).toEqual([[], [], []]);
    expect(platform.removeChildTool(list)).toBe(false);
  });

  test('adding a leaf twice is the same as adding it once', () => {
    const platform = group('platform');
    const list = tool('list');
    platform.addChildTool(list);
    expect(platform.addChildTool(list)).toBe(false);
    expect(platform.childTools).toEqual([list]);
    expect(list.parentGroups).toEqual([platform]);
  });

  test('a second tool of the same name is refused with both of them named', () => {
    const { users, admin } = tree();
    users.addChildTool(tool('search', 'Find a user'));
    const other = tool('search', 'Search the web');
    admin.addChildTool(other);
    expect(failure(() => users.addChildTool(other))).toEqual({
      code: 'DUPLICATE_NAME',
      message:
        'Cannot add tool "platform.users.admin.search" (Search the web) to group "platform.users": ' +
        'it already contains tool "platform.users.search" (Find a user). Rename one of them.',
    });
    expect(other.parentGroups).toEqual([admin]);
  });

  test('two resources of the same name are identified by their URIs in the message', () => {
    const platform = group('platform');
    platform.addChildResource(new Resource({ name: 'log', uri: 'file:///a' }));
    expect(
      failure(() => platform.addChildResource(new Resource({ name: 'log', uri: 'file:///b' }))).message,
    ).toBe(
      'Cannot add resource "log" <file:///b> to group "platform": ' +
        'it already contains resource "platform.log" <file:///a>. Rename one of them.',
    );
  });

  test('removing a namesake of a child removes nothing', () => {
    const platform = group('platform');
    const list = tool('list');
    platform.addChildTool(list);
    expect(platform.removeChildTool(tool('list'))).toBe(false);
    expect(platform.childTools).toEqual([list]);
  });

  test('names that objects inherit are ordinary names', () => {
    const platform = group('platform');
    for (const name of ['__proto__', 'constructor', 'toString']) platform.addChildTool(tool(name));
    expect(platform.childTools.map((child) => child.name)).toEqual(['__proto__', 'constructor', 'toString']);
  });

  test('a child list is an immutable snapshot', () => {
    const platform = group('platform');
    platform.addChildTool(tool('list'));
    platform.addChildTool(tool('ban'));
    const before = platform.childTools;
    expect(platform.childTools).toBe(before);
    expect(Object.isFrozen(before)).toBe(true);
    for (const child of before) platform.removeChildTool(child);
    expect(before).toHaveLength(2);
    expect(platform.childTools).toEqual([]);
  });
});
