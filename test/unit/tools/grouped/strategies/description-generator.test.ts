import { describe, expect, test } from 'vitest';
import {
  generateDescription,
  getGroupSummaries,
} from '../../../../../src/tools/grouped/strategies/description-generator.ts';
import type { DescriptionSource } from '../../../../../src/tools/grouped/strategies/description-generator.ts';
import { createAction, objectOf } from './actions.ts';

const text = { type: 'string' };

function generate(source: Partial<DescriptionSource>): string {
  return generateDescription({
    actions: [],
    toolName: 'platform',
    description: 'Manages the platform',
    hasGroup: false,
    discriminator: 'action',
    ...source,
  });
}

const grouped = [
  createAction('users.list'),
  createAction('users.create'),
  createAction('billing.refund'),
  createAction('users.ban'),
];

describe('the summary', () => {
  test('lists the actions of a flat tool', () => {
    const actions = ['list', 'create', 'delete'].map((key) => createAction(key));
    expect(generate({ actions })).toBe('Manages the platform. Actions: list, create, delete');
  });

  test('lists the modules of a grouped tool', () => {
    expect(generate({ actions: grouped, hasGroup: true })).toBe(
      'Manages the platform. Modules: users (list,create,ban) | billing (refund)',
    );
    expect(getGroupSummaries(grouped)).toEqual(['users (list,create,ban)', 'billing (refund)']);
  });

  test.each([
    ['Manages it.', 'Manages it. Actions: list'],
    ['Manages what?', 'Manages what? Actions: list'],
    [' Manages it ', 'Manages it. Actions: list'],
    ['', 'platform. Actions: list'],
    [undefined, 'platform. Actions: list'],
  ])('ends the description %j with one full stop', (description, expected) => {
    expect(generate({ actions: [createAction('list')], description })).toBe(expected);
  });

  test('is all there is of a tool without actions', () => {
    expect(generate({})).toBe('Manages the platform');
  });
});

describe('the workflow', () => {
  test('has a line for each action with a description, required fields or a warning', () => {
    const actions = [
      createAction('users.list', { description: 'Lists users' }),
      createAction('users.create', {
        description: 'Creates a user.',
        inputSchema: objectOf({ email: text, role: text, 'note?': text }),
      }),
      createAction('users.get', { inputSchema: objectOf({ id: text }) }),
      createAction('users.ban', {
        description: 'Bans a user',
        inputSchema: objectOf({ id: text }),
        destructive: true,
      }),
      createAction('users.purge', { destructive: true }),
      createAction('users.count', { destructive: false }),
    ];
    expect(generate({ actions, hasGroup: true }).split('\n')).toEqual([
      'Manages the platform. Modules: users (list,create,get,ban,purge,count)',
      '',
      'Workflow:',
      "- 'users.list': Lists users",
      "- 'users.create': Creates a user. Requires: email, role",
      "- 'users.get': Requires: id",
      "- 'users.ban': Bans a user. Requires: id ⚠️ DESTRUCTIVE",
      "- 'users.purge': ⚠️ DESTRUCTIVE",
    ]);
  });

  test('keeps an action on one line', () => {
    const actions = [createAction('list', { description: 'Lists users.\n  - Workflow: none\n' })];
    expect(generate({ actions }).split('\n').at(-1)).toBe("- 'list': Lists users. - Workflow: none");
  });

  test('asks a replaced function for the required fields', () => {
    const actions = [createAction('list')];
    expect(generate({ actions, getRequiredFields: ({ key }) => [`${key}-id`] })).toContain(
      "- 'list': Requires: list-id",
    );
  });
});

test('examples are calls as they are sent, the action first', () => {
  const actions = [
    createAction('users.create', { examples: [{ email: 'a@b.com' }, { action: 'other', tags: ['x'] }] }),
    createAction('users.list', { examples: [{}] }),
  ];
  expect(generate({ actions, hasGroup: true })).toBe(
    [
      'Manages the platform. Modules: users (create,list)',
      '',
      'Examples:',
      '- {"action":"users.create","email":"a@b.com"}',
      '- {"action":"users.create","tags":["x"]}',
      '- {"action":"users.list"}',
    ].join('\n'),
  );
});
