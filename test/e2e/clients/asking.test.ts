import { describe, expect, test } from 'vitest';
import { COMBINATIONS, useScenario } from '../../support/served-clients.ts';

const accept = (content: object): object => ({ action: 'accept', content });

describe.each(COMBINATIONS)('the $client client over $transport', (combination) => {
  const { era } = combination;
  const open = useScenario(combination);

  test('is asked what a schema of a library says, and its answer is checked and completed', async () => {
    const client = open();
    const asked: unknown[] = [];
    client.answers.elicit = (params) => {
      asked.push(params);
      return accept({ name: 'Rex' });
    };
    const { structuredContent } = await client.callTool('name_pet');
    expect(structuredContent).toEqual({ action: 'accept', content: { name: 'Rex', age: 0 } });
    expect(asked).toEqual([
      {
        mode: 'form',
        message: 'Which pet?',
        requestedSchema: {
          type: 'object',
          properties: {
            name: { type: 'string', minLength: 1, description: 'What to call it' },
            age: { type: 'integer', minimum: 0, maximum: 9_007_199_254_740_991, default: 0 },
          },
          required: ['name'],
        },
      },
    ]);
  });

  test.each(['decline', 'cancel'])('may %s', async (action) => {
    const client = open();
    client.answers.elicit = () => ({ action });
    expect((await client.callTool('name_pet')).structuredContent).toEqual({ action });
    expect((await client.callTool('pick_colour')).structuredContent).toEqual({ action });
  });

  test('is asked what a JSON Schema says, word for word', async () => {
    const client = open();
    const asked: unknown[] = [];
    client.answers.elicit = ({ requestedSchema }) => {
      asked.push(requestedSchema);
      return accept({ colour: 'red' });
    };
    const { structuredContent } = await client.callTool('pick_colour');
    expect(structuredContent).toEqual({ action: 'accept', content: { colour: 'red' } });
    expect(asked).toEqual([
      {
        type: 'object',
        properties: { colour: { type: 'string', enum: ['red', 'blue'] } },
        required: ['colour'],
      },
    ]);
  });

  test.each([
    ['pick_even', [{ number: 3 }, { number: 4 }], 'even: 4'],
    ['pick_even', [{}, { number: 1 }, { number: 6 }], 'even: 6'],
  ])('is asked by %s again while its answer does not fit: %j', async (name, answers, text) => {
    const client = open();
    const left = [...answers];
    client.answers.elicit = () => accept(left.shift() ?? { number: 0 });
    expect(await client.callText(name)).toBe(text);
    expect(left).toEqual([]);
  });

  test('is asked two things at once', async () => {
    const client = open();
    const asked: unknown[] = [];
    client.answers.elicit = ({ message }) => {
      asked.push(message);
      return accept(message === 'Which pet?' ? { name: 'Rex' } : { colour: 'blue' });
    };
    const text = await client.callText('ask_both', { key: crypto.randomUUID() });
    // In one round: the handler runs again once, not once for each elicitation.
    expect(text).toBe(`Rex, blue, entered ${era === 'modern' ? 2 : 1}`);
    expect(asked).toEqual(['Which pet?', 'Which colour?']);
  });

  test('never causes a step to be done twice, however often the handler is run', async () => {
    const client = open();
    const left = ['red', 'blue'];
    client.answers.elicit = () => accept({ colour: left.shift() });
    const { structuredContent } = await client.callTool('book', { key: crypto.randomUUID() });
    expect(structuredContent).toEqual({
      // A handler of 2026-07-28 starts again with every response; in earlier revisions it waits.
      entered: era === 'modern' ? 3 : 1,
      charged: 1,
      receipt: 1,
      seats: ['red', 'blue'],
    });
  });

  test('lends its model', async () => {
    const client = open();
    const asked: unknown[] = [];
    client.answers.sample = (params) => {
      asked.push(params);
      return { role: 'assistant', model: 'tiny', content: { type: 'text', text: 'Paris' } };
    };
    expect(await client.callText('ask_model')).toBe('tiny: Paris');
    expect(asked).toEqual([
      {
        messages: [{ role: 'user', content: { type: 'text', text: 'The capital of France?' } }],
        maxTokens: 10,
      },
    ]);
  });

  test('is sent to a page', async () => {
    const client = open();
    const asked: unknown[] = [];
    client.answers.elicit = (params) => {
      asked.push(params);
      return { action: 'accept' };
    };
    expect(await client.callText('ask_url')).toBe('accept');
    expect(asked).toEqual([
      {
        mode: 'url',
        message: 'Sign in, please.',
        url: 'https://example.com/sign-in',
        ...(era === 'legacy' ? { elicitationId: expect.any(String) as string } : {}),
      },
    ]);
  });

  test('is asked by prompts and by resources too', async () => {
    const client = open();
    client.answers.elicit = ({ message }) => accept({ name: message === 'Whose?' ? 'Bob' : 'Ada' });
    const { messages } = await client.official.getPrompt({ name: 'introduce' });
    expect(messages).toEqual([{ role: 'user', content: { type: 'text', text: 'I am Ada.' } }]);
    const { contents } = await client.official.readResource({ uri: 'scenario://asking' });
    expect(contents).toMatchObject([{ uri: 'scenario://asking', text: 'Of Bob' }]);
  });

  test('says where it works', async () => {
    const client = open();
    client.answers.roots = () => ({ roots: [{ uri: 'file:///home/ada', name: 'home' }] });
    expect(await client.callText('ask_roots')).toBe('home file:///home/ada');
  });

  test('is asked before something is done that has to be confirmed', async () => {
    const client = open();
    const id = crypto.randomUUID();
    const asked: unknown[] = [];
    const deleted = async (): Promise<unknown> => (await client.callTool('deleted_notes')).structuredContent;
    const before = (await deleted()) as { ids: string[] };
    for (const answer of [accept({ confirm: false }), { action: 'decline' }, { action: 'cancel' }]) {
      client.answers.elicit = ({ message }) => {
        asked.push(message);
        return answer;
      };
      expect(await client.callTool('delete_note', { id })).toMatchObject({
        isError: true,
        content: [{ type: 'text', text: 'The user declined. Nothing was done.' }],
      });
    }
    expect(await deleted()).toEqual(before);
    client.answers.elicit = () => accept({ confirm: true });
    expect(await client.callText('delete_note', { id })).toBe(`Deleted ${id}.`);
    expect(await deleted()).toEqual({ ids: [...before.ids, id] });
    expect(asked).toEqual(Array(3).fill(`delete_note: The note ${id} would be deleted.`));
  });
});

describe.each(COMBINATIONS)(
  'the $client client over $transport, which can be asked nothing',
  (combination) => {
    const { era } = combination;
    const open = useScenario(combination, {});

    test('is served by a tool that goes on without an answer', async () => {
      expect(await open().callText('ask_if_possible')).toBe('nobody to ask');
    });

    test.each([
      ['name_pet', 'elicitation', { elicitation: { form: {} } }],
      ['ask_model', 'sampling', { sampling: {} }],
      ['ask_url', 'elicitation.url', { elicitation: { url: {} } }],
      ['ask_roots', 'roots', { roots: {} }],
    ])('is told what %s would need: %s', async (name, need, requiredCapabilities) => {
      const message = `Missing client capability: ${need}.`;
      const call = open().callTool(name);
      if (era === 'modern') {
        await expect(call).rejects.toMatchObject({ code: -32021, data: { requiredCapabilities } });
        await expect(call).rejects.toThrow(message);
      } else {
        expect(await call).toMatchObject({ isError: true, content: [{ type: 'text', text: message }] });
      }
    });

    test('confirms with a token instead', async () => {
      const client = open();
      const id = crypto.randomUUID();
      const text = await client.callText('delete_note', { id });
      expect(text).toMatch(/^Nothing was done yet\. What would be done:\nThe note .* would be deleted\.\n/);
      const { token } = /confirmation_token "(?<token>[\da-f]+)"/.exec(text)?.groups ?? {};
      const confirmed = { id, confirmation_token: token };
      expect(await client.callText('delete_note', confirmed)).toBe(`Deleted ${id}.`);
      expect(await client.callTool('delete_note', confirmed)).toMatchObject({ isError: true });
    });
  },
);
