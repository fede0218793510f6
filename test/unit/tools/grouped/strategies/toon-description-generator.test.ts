import { decode } from '@toon-format/toon';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { summarize } from '../../../../../src/tools/grouped/strategies/description-generator.ts';
import type { DescriptionSource } from '../../../../../src/tools/grouped/strategies/description-generator.ts';
import {
  generateToonDescription,
  toActionTable,
} from '../../../../../src/tools/grouped/strategies/toon-description-generator.ts';
import { createAction, objectOf } from './actions.ts';

const text = { type: 'string' };
const source: DescriptionSource = {
  actions: [
    createAction('users.list', { description: 'Lists users' }),
    createAction('users.ban', {
      description: 'Bans a user, for good',
      inputSchema: objectOf({ id: text, reason: text }),
      destructive: true,
    }),
    createAction('billing.refund', { inputSchema: objectOf({ id: text }) }),
  ],
  toolName: 'platform',
  description: 'Manages the platform',
  hasGroup: true,
  discriminator: 'action',
};

describe('a description with a table', () => {
  test('of a grouped tool has one table for each group', () => {
    expect(generateToonDescription(source)).toBe(
      [
        'Manages the platform. Modules: users (list,ban) | billing (refund)',
        '',
        'users[2]{action,desc,required,destructive}:',
        '  list,Lists users,"",false',
        '  ban,"Bans a user, for good","id,reason",true',
        'billing[1]{action,desc,required,destructive}:',
        '  refund,"",id,false',
      ].join('\n'),
    );
  });

  test('of a flat tool has one table', () => {
    const actions = [
      createAction('list', { description: 'Lists users' }),
      createAction('ban', { destructive: true }),
    ];
    expect(generateToonDescription({ ...source, actions, hasGroup: false })).toBe(
      [
        'Manages the platform. Actions: list, ban',
        '',
        '[2]{action,desc,required,destructive}:',
        '  list,Lists users,"",false',
        '  ban,"","",true',
      ].join('\n'),
    );
  });

  test('asks a replaced function for the required fields', () => {
    const actions = [createAction('list')];
    const table = toActionTable({ ...source, actions, hasGroup: false, getRequiredFields: () => ['a', 'b'] });
    expect(table).toEqual([{ action: 'list', desc: '', required: 'a,b', destructive: false }]);
  });

  test('decodes to the table it was made of, whatever the words are', () => {
    const words = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom(
        '1',
        '-0',
        '1e5',
        'true',
        'null',
        '- x',
        '[2]: a,b',
        '"',
        'a,b',
        'a\nb',
        'a: b',
        ' x ',
        '#',
        '\t|',
      ),
    );
    const action = fc.record({
      actionName: words,
      groupName: fc.oneof(fc.constantFrom('users', '1', 'a b', '', '__proto__'), words),
      description: fc.option(words, { nil: undefined }),
      fields: fc.uniqueArray(words, { maxLength: 3 }),
      destructive: fc.option(fc.boolean(), { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.array(action, { maxLength: 5 }), fc.boolean(), (list, hasGroup) => {
        const actions = list.map(({ fields, ...members }, index) =>
          createAction(`k${index}`, {
            ...members,
            inputSchema: objectOf(Object.fromEntries(fields.map((name) => [`${name}!`, text]))),
          }),
        );
        const input = { ...source, description: 'It', actions, hasGroup };
        const table = generateToonDescription(input).slice(summarize(input).length + 2);
        expect(decode(table)).toEqual(toActionTable(input));
      }),
      { numRuns: 500 },
    );
  });
});
