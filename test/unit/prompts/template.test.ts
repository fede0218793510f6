import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { PromptsManager } from '../../../src/index.ts';

const list = [{ name: 'a', required: true }, { name: 'b' }] as const;

async function render(template: string, given: Record<string, string>): Promise<string> {
  const manager = new PromptsManager().addPrompt({ name: 't', arguments: list, template });
  const reply = await manager.getPrompt({ name: 't', arguments: given });
  if (reply.kind !== 'value') throw new Error(JSON.stringify(reply));
  expect(reply.value.messages).toHaveLength(1);
  const [message] = reply.value.messages;
  expect(message?.role).toBe('user');
  return message?.content.type === 'text' ? message.content.text : '';
}

describe('a template', () => {
  test('gets the values of its arguments, as often as it names them', async () => {
    expect(await render('{{a}}, {{ b }} and {{a}}!', { a: 'x', b: 'y' })).toBe('x, y and x!');
  });

  test('has nothing where an optional argument is missing', async () => {
    expect(await render('[{{b}}]', { a: 'x' })).toBe('[]');
  });

  test('without placeholders is the message', async () => {
    expect(await render('Hello', { a: 'x' })).toBe('Hello');
    expect(await render('', { a: 'x' })).toBe('');
  });

  test('keeps single braces', async () => {
    expect(await render('{a} {"k": {{a}} }', { a: '1' })).toBe('{a} {"k": 1 }');
  });

  test.each([
    [String.raw`\{{a}} is {{a}}`, '{{a}} is x'],
    [String.raw`\\{{a}}`, String.raw`\x`],
    [String.raw`\\\{{a}}`, String.raw`\{{a}}`],
    [String.raw`\\\\{{a}}`, String.raw`\\x`],
    ['C:\\dir\\n \\{ \\}} {{a}}\\', 'C:\\dir\\n \\{ \\}} x\\'],
    [String.raw`\{{ never closed`, '{{ never closed'],
    [String.raw`{{a}}\{{b}}{{a}}`, 'x{{b}}x'],
    [String.raw`\{{{{a}}`, '{{x'],
  ])('has braces as text behind a backslash: %s', async (template, rendered) => {
    expect(await render(template, { a: 'x', b: 'y' })).toBe(rendered);
  });

  test('never reads a value again', async () => {
    expect(await render('{{a}}', { a: '{{b}}', b: 'secret' })).toBe('{{b}}');
    expect(await render('{{a}}{{b}}', { a: '{{', b: 'a}}' })).toBe('{{a}}');
    expect(await render('{{a}}', { a: "$& $1 $' $` $$" })).toBe("$& $1 $' $` $$");
  });

  test('values replace their placeholders, whatever they contain', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), fc.string(), async (a, b) => {
        expect(await render('<{{a}}|{{b}}|{{a}}>', { a, b })).toBe(`<${a}|${b}|${a}>`);
      }),
      { numRuns: 50 },
    );
  });

  test('writes numbers and objects of a schema as JSON', async () => {
    const manager = new PromptsManager().addPrompt({
      name: 't',
      inputSchema: z.object({ n: z.number(), o: z.object({ k: z.string() }), none: z.null().optional() }),
      template: '{{n}} {{o}} {{none}}.',
    });
    expect(await manager.getPrompt({ name: 't', arguments: { n: '4', o: '{"k":"v"}' } })).toMatchObject({
      value: { messages: [{ content: { text: '4 {"k":"v"} .' } }] },
    });
  });
});

describe('a template is refused at registration', () => {
  test.each([
    ['with an unknown placeholder', 'Hi {{c}}', 'Prompt "t": unknown argument {{c}} in the template.'],
    [
      'with a misspelt placeholder',
      'Hi {{topick}}',
      'Prompt "t": unknown argument {{topick}} in the template. Did you mean "topic"?',
    ],
    ['with an empty placeholder', 'Hi {{}}', 'Prompt "t": unknown argument {{}} in the template.'],
    [
      'with a placeholder that is not closed',
      'Hi {{topic, how are you',
      'Prompt "t": the template has a "{{" without "}}", at "{{topic, how are you". For literal braces, write \\{{.',
    ],
    [
      'with a member of every object',
      '{{toString}}',
      'Prompt "t": unknown argument {{toString}} in the template.',
    ],
  ])('%s', (_, template, message) => {
    const prompts = new PromptsManager();
    expect(() => prompts.addPrompt({ name: 't', arguments: [{ name: 'topic' }], template })).toThrow(message);
  });
});
