import { describe, expect, test } from 'vitest';
import { COMBINATIONS, useScenario } from '../../support/served-clients.ts';

describe.each(COMBINATIONS)('the $client client over $transport', (combination) => {
  const { era } = combination;
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

  test('lists the resources of all pages, with their icons', async () => {
    expect(await open().listResources()).toEqual([
      {
        uri: 'scenario://readme',
        name: 'readme',
        mimeType: 'text/markdown',
        icons: [{ src: 'https://example.com/readme.svg' }],
      },
      { uri: 'scenario://pixel', name: 'pixel', mimeType: 'image/png' },
      { uri: 'scenario://watched', name: 'watched' },
      { uri: 'scenario://asking', name: 'asking' },
    ]);
  });

  test('lists resource templates', async () => {
    expect(await open().listResourceTemplates()).toEqual([
      { uriTemplate: 'scenario://users/{id}', name: 'user', mimeType: 'application/json' },
    ]);
  });

  test.each([
    ['text', { uri: 'scenario://readme', mimeType: 'text/markdown', text: '# Read me' }],
    ['bytes', { uri: 'scenario://pixel', mimeType: 'image/png', blob: 'iVBORw==' }],
    [
      'what a template stands for',
      { uri: 'scenario://users/7', mimeType: 'application/json', text: '{"id":"7"}' },
    ],
  ])('reads %s', async (_what, contents) => {
    const read = await open().official.readResource({ uri: contents.uri });
    expect(read.contents).toEqual([contents]);
  });

  test.each(['scenario://nowhere', 'scenario://users/nobody'])(
    'gets an error for the unknown %s',
    async (uri) => {
      await expect(open().official.readResource({ uri })).rejects.toMatchObject({
        // Before 2026-07-28 the code was -32002; version 2 of the client reports the new one in both cases.
        code: combination.client === 'v1' ? -32002 : -32602,
        message: expect.stringContaining(`Resource not found: ${uri}`) as string,
        data: { uri },
      });
    },
  );

  test('hears of changes of what it subscribed to, and of nothing else', async () => {
    const client = open();
    const updated = 'notifications/resources/updated';
    const changed = 'notifications/tools/list_changed';
    const uris = (): unknown[] =>
      client.heard.filter(({ method }) => method === updated).map(({ params }) => params?.['uri']);
    const unsubscribe = await subscribe();
    const first = client.next(updated);
    await client.callText('touch_readme');
    await client.callText('touch_watched');
    await first;
    expect(uris()).toEqual([uri]);
    await unsubscribe();
    if (era === 'modern') await client.listen({ toolsListChanged: true });
    // Notifications arrive in order: an earlier update would have arrived by now.
    const later = client.next(changed);
    await client.callText('touch_watched');
    await client.callText('add_tool');
    await later;
    expect(uris()).toEqual([uri]);
  });

  const uri = 'scenario://watched';

  async function subscribe(): Promise<() => Promise<unknown>> {
    const client = open();
    const { official } = client;
    if (era === 'legacy') {
      await official.subscribeResource({ uri });
      return () => official.unsubscribeResource({ uri });
    }
    const subscription = await client.listen({ resourceSubscriptions: [uri, 'scenario://nowhere'] });
    expect(subscription.honoredFilter).toEqual({ resourceSubscriptions: [uri] });
    return () => subscription.close();
  }

  if (era === 'legacy') {
    test('cannot subscribe to what does not exist', async () => {
      await expect(open().official.subscribeResource({ uri: 'scenario://nowhere' })).rejects.toMatchObject({
        code: combination.client === 'v1' ? -32002 : -32602,
      });
    });
  }
});
