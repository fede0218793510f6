import { expect, test } from 'vitest';
import { PromptArgument } from '../../../src/model/prompt-argument.ts';
import { Prompt } from '../../../src/model/prompt.ts';

test('a prompt keeps its arguments in the order they were added', () => {
  const file = new PromptArgument({ name: 'file', required: true });
  const depth = new PromptArgument({ name: 'depth' });
  const prompt = new Prompt({ name: 'review', arguments: [file] });
  expect(prompt.addArgument(depth)).toBe(true);
  expect(prompt.addArgument(depth)).toBe(false);
  expect(prompt.arguments.map(({ name, required }) => [name, required])).toEqual([
    ['file', true],
    ['depth', undefined],
  ]);
  expect(prompt.removeArgument(file)).toBe(true);
  expect(prompt.removeArgument(file)).toBe(false);
  expect(prompt.arguments).toEqual([depth]);
});

test('two arguments of one name are refused', () => {
  const twice = [
    new PromptArgument({ name: 'file', title: 'Source' }),
    new PromptArgument({ name: 'file', title: 'Target' }),
  ];
  expect(() => new Prompt({ name: 'copy', arguments: twice })).toThrow(
    'Cannot add prompt-argument "file" (Target) to prompt "copy": ' +
      'it already contains prompt-argument "file" (Source). Rename one of them.',
  );
});

test("changing the list a prompt was created with does not change the prompt's arguments", () => {
  const list = [new PromptArgument({ name: 'file' })];
  const prompt = new Prompt({ name: 'review', arguments: list });
  list.pop();
  expect(prompt.arguments).toHaveLength(1);
});

test('an argument is known by its bare name', () => {
  expect(new PromptArgument({ name: 'file' }).getFullyQualifiedName()).toBe('file');
});
