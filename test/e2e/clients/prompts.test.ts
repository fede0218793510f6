import { describe, expect, test } from 'vitest';
import { COMBINATIONS, useScenario } from '../../support/served-clients.ts';

describe.each(COMBINATIONS)('the $client client over $transport', (combination) => {
  const open = useScenario(combination);
  const ref = { type: 'ref/prompt', name: 'travel' };

  test('lists the prompts of all pages, with their arguments and icons', async () => {
    expect(await open().listPrompts()).toEqual([
      { name: 'hello', description: 'Says hello' },
      {
        name: 'travel',
        title: 'Plan a trip',
        icons: [{ src: 'https://example.com/travel.svg' }],
        arguments: [
          { name: 'city', description: 'Where to', required: true },
          { name: 'street', description: 'Which street', required: false },
        ],
      },
      { name: 'review', description: 'Embeds a resource' },
      { name: 'introduce', description: 'Asks before it answers' },
    ]);
  });

  test('gets a prompt that is a text as one message of the user', async () => {
    const { messages } = await open().official.getPrompt({ name: 'hello' });
    expect(messages).toEqual([{ role: 'user', content: { type: 'text', text: 'Hello!' } }]);
  });

  test('gets a prompt with its arguments filled in', async () => {
    const params = { name: 'travel', arguments: { city: 'Rome', street: 'Via Appia' } };
    const { description, messages } = await open().official.getPrompt(params);
    expect(description).toBe('A trip to Rome');
    expect(messages).toEqual([
      { role: 'user', content: { type: 'text', text: 'Plan a trip to Rome.' } },
      { role: 'assistant', content: { type: 'text', text: 'Via Appia' } },
    ]);
  });

  test('gets a resource inside a prompt', async () => {
    const { messages } = await open().official.getPrompt({ name: 'review' });
    expect(messages).toEqual([
      {
        role: 'user',
        content: {
          type: 'resource',
          resource: { uri: 'scenario://readme', mimeType: 'text/markdown', text: '# Read me' },
        },
      },
    ]);
  });

  test.each([
    ['a prompt that does not exist', { name: 'travle' }, /Unknown prompt: travle$/],
    ['a prompt without the argument it needs', { name: 'travel' }, /city/],
  ])('is refused %s', async (_what, params, message) => {
    const call = open().official.getPrompt(params);
    await expect(call).rejects.toMatchObject({ code: -32602 });
    await expect(call).rejects.toThrow(message);
  });

  test('completes arguments of prompts', async () => {
    const { official } = open();
    const city = await official.complete({ ref, argument: { name: 'city', value: 'pa' } });
    expect(city.completion).toEqual({ values: ['Paris', 'Parma'], total: 2, hasMore: false });
  });

  test('completes an argument by what was chosen for another', async () => {
    const street = await open().official.complete({
      ref,
      argument: { name: 'street', value: 'Via ' },
      context: { arguments: { city: 'Rome' } },
    });
    expect(street.completion).toMatchObject({ values: ['Via 1 Rome'] });
  });

  test('completes variables of resource templates', async () => {
    const { completion } = await open().official.complete({
      ref: { type: 'ref/resource', uri: 'scenario://users/{id}' },
      argument: { name: 'id', value: 'an' },
    });
    expect(completion).toMatchObject({ values: ['anna', 'anton'] });
  });
});
