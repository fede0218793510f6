import { describe, expect, test } from 'vitest';
import { Group } from '../../../src/model/group.ts';
import { Prompt } from '../../../src/model/prompt.ts';
import { Tool } from '../../../src/model/tool.ts';

const group = (name: string, separator?: string): Group => new Group({ name, separator });

/** One tool in `users`, which is below `platform`, and in `admin`, a separate tree. */
function sharedTool(): { platform: Group; users: Group; admin: Group; search: Tool } {
  const [platform, users, admin] = [group('platform'), group('users'), group('admin', '/')];
  const search = new Tool({ name: 'search', inputSchema: { type: 'object' } });
  platform.addChildGroup(users);
  users.addChildTool(search);
  admin.addChildTool(search);
  return { platform, users, admin, search };
}

describe('a leaf in several groups', () => {
  test('knows all of them, in the order it was added', () => {
    const { users, admin, search } = sharedTool();
    expect(search.parentGroups).toEqual([users, admin]);
    expect(search.parentGroups[1]).toBe(admin);
  });

  test('takes its name from the first one unless told', () => {
    const { users, admin, search } = sharedTool();
    expect(search.getFullyQualifiedName()).toBe('platform.users.search');
    expect(search.getFullyQualifiedName(users)).toBe('platform.users.search');
    expect(search.getFullyQualifiedName(admin)).toBe('admin/search');
  });

  test('has one name per group, each joined by the separator of its own tree', () => {
    const { search } = sharedTool();
    expect(search.getFullyQualifiedNames()).toEqual(['platform.users.search', 'admin/search']);
    expect(search.getFullyQualifiedNames('_')).toEqual(['platform_users_search', 'admin_search']);
    expect(search.getFullyQualifiedName(undefined, '_')).toBe('platform_users_search');
  });

  test('takes its name from the next group once the first has let it go', () => {
    const { users, admin, search } = sharedTool();
    users.removeChildTool(search);
    expect(search.getFullyQualifiedName()).toBe('admin/search');
    expect(search.parentGroups).toEqual([admin]);
    expect(admin.childTools).toEqual([search]);
  });

  test('refuses to be named by a group it is not in', () => {
    const { platform, search } = sharedTool();
    expect(() => search.getFullyQualifiedName(platform)).toThrow(
      'The tool "search" is not in group "platform".',
    );
  });

  test('reaches every root once', () => {
    const { platform, admin, search } = sharedTool();
    const billing = group('billing');
    platform.addChildGroup(billing);
    billing.addChildTool(search);
    const roots = search.getRoots();
    expect(roots).toHaveLength(2);
    expect(roots[0]).toBe(platform);
    expect(roots[1]).toBe(admin);
  });

  test('does not let its list of parents be changed from outside', () => {
    const { users, search } = sharedTool();
    (search.parentGroups as Group[]).length = 0;
    expect(search.parentGroups).toHaveLength(2);
    search.syncParent(group('stranger'));
    search.syncParent(users);
    expect(search.getFullyQualifiedNames()).toEqual(['platform.users.search', 'admin/search']);
  });
});

describe('a leaf in no group', () => {
  test('is known by its bare name and has no root', () => {
    const prompt = new Prompt({ name: 'greet' });
    expect(prompt.getFullyQualifiedName()).toBe('greet');
    expect(prompt.getFullyQualifiedNames()).toEqual(['greet']);
    expect(prompt.parentGroups).toEqual([]);
    expect(prompt.getRoots()).toEqual([]);
  });
});
