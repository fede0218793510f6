import { describe, expect, test } from 'vitest';
import { ConverterBase } from '../../../../src/model/converters/converter-base.ts';
import { GroupConverterBase } from '../../../../src/model/converters/group-converter-base.ts';
import { PromptConverterBase } from '../../../../src/model/converters/prompt-converter-base.ts';
import { ResourceConverterBase } from '../../../../src/model/converters/resource-converter-base.ts';
import { ToolAnnotationsConverterBase } from '../../../../src/model/converters/tool-annotations-converter-base.ts';
import { ToolConverterBase } from '../../../../src/model/converters/tool-converter-base.ts';
import { Group } from '../../../../src/model/group.ts';
import { Prompt } from '../../../../src/model/prompt.ts';
import { Resource } from '../../../../src/model/resource.ts';
import { ToolAnnotations } from '../../../../src/model/tool-annotations.ts';
import { Tool } from '../../../../src/model/tool.ts';

/** Numbers to words; 0 has no word, and an unknown word has no number. */
class WordConverter extends ConverterBase<number, string> {
  override convertFrom(source: number): string | null {
    return source === 0 ? null : '|'.repeat(source);
  }

  override convertTo(target: string): number | undefined {
    return /^\|+$/.test(target) ? target.length : undefined;
  }
}

describe('a batch', () => {
  test('drops what has no counterpart, in both directions, and keeps the order', () => {
    const converter = new WordConverter();
    expect(converter.convertFromBatch([2, 0, 1])).toEqual(['||', '|']);
    expect(converter.convertToBatch(['|||', 'x', '|'])).toEqual([3, 1]);
  });

  test('skips gaps in its input, in both directions', () => {
    const converter = new WordConverter();
    expect(converter.convertFromBatch([null, 1, undefined])).toEqual(['|']);
    expect(converter.convertToBatch([undefined, '||', null])).toEqual([2]);
  });

  test('keeps results that are merely falsy', () => {
    class Identity extends ConverterBase<number | string | boolean, number | string | boolean> {
      override convertFrom(source: number | string | boolean): number | string | boolean {
        return source;
      }
      override convertTo(target: number | string | boolean): number | string | boolean {
        return target;
      }
    }
    expect(new Identity().convertFromBatch([0, '', false])).toEqual([0, '', false]);
    expect(new Identity().convertToBatch([0, '', false])).toEqual([0, '', false]);
  });

  test('may be any iterable, and may be empty', () => {
    const converter = new WordConverter();
    expect(converter.convertFromBatch(new Set([1, 2]))).toEqual(['|', '||']);
    expect(converter.convertToBatch([])).toEqual([]);
  });
});

const HIDDEN = 'hidden';

class ToolNames extends ToolConverterBase<string> {
  override convertFromTool(tool: Tool): string | undefined {
    return tool.name === HIDDEN ? undefined : tool.name;
  }
  override convertToTool(foreign: string): Tool | null {
    return foreign === HIDDEN ? null : new Tool({ name: foreign, inputSchema: { type: 'object' } });
  }
}

class GroupNames extends GroupConverterBase<string> {
  override convertFromGroup(group: Group): string {
    return group.name;
  }
  override convertToGroup(foreign: string): Group {
    return new Group({ name: foreign });
  }
}

class PromptNames extends PromptConverterBase<string> {
  override convertFromPrompt(prompt: Prompt): string {
    return prompt.name;
  }
  override convertToPrompt(foreign: string): Prompt {
    return new Prompt({ name: foreign });
  }
}

class ResourceUris extends ResourceConverterBase<string> {
  override convertFromResource(resource: Resource): string {
    return resource.uri;
  }
  override convertToResource(foreign: string): Resource {
    return new Resource({ name: foreign, uri: foreign });
  }
}

class AnnotationTitles extends ToolAnnotationsConverterBase<string> {
  override convertFromToolAnnotations(annotations: ToolAnnotations): string | undefined {
    return annotations.title;
  }
  override convertToToolAnnotations(foreign: string): ToolAnnotations {
    return new ToolAnnotations({ title: foreign });
  }
}

describe('a converter for one kind', () => {
  test('converts tools one by one and in batches under either name', () => {
    const converter = new ToolNames();
    const tools = converter.convertToTools(['a', HIDDEN, null, 'b']);
    expect(tools.map((tool) => tool.name)).toEqual(['a', 'b']);
    expect(converter.convertFromTools([undefined, ...tools])).toEqual(['a', 'b']);
    expect(converter.convertTo('a')?.name).toBe('a');
    expect(converter.convertTo(HIDDEN)).toBeNull();
    expect(tools.map((tool) => converter.convertFrom(tool))).toEqual(['a', 'b']);
  });

  test('converts groups, prompts, resources and annotations alike', () => {
    const groups = new GroupNames();
    expect(groups.convertFromGroups(groups.convertToGroups(['a', null, 'b']))).toEqual(['a', 'b']);
    expect(groups.convertFrom(new Group({ name: 'g' }))).toBe('g');
    expect(groups.convertTo('g')).toBeInstanceOf(Group);

    const prompts = new PromptNames();
    expect(prompts.convertFromPrompts(prompts.convertToPrompts(['a', null, 'b']))).toEqual(['a', 'b']);
    expect(prompts.convertFrom(new Prompt({ name: 'p' }))).toBe('p');
    expect(prompts.convertTo('p')).toBeInstanceOf(Prompt);

    const resources = new ResourceUris();
    expect(resources.convertFromResources(resources.convertToResources(['a', null, 'b']))).toEqual([
      'a',
      'b',
    ]);
    expect(resources.convertFrom(new Resource({ name: 'r', uri: 'x:r' }))).toBe('x:r');
    expect(resources.convertTo('r')).toBeInstanceOf(Resource);

    const annotations = new AnnotationTitles();
    const list = annotations.convertToToolAnnotationsList(['a', null, 'b']);
    expect(annotations.convertFromToolAnnotationsList([...list, new ToolAnnotations()])).toEqual(['a', 'b']);
    expect(annotations.convertFrom(new ToolAnnotations({ title: 't' }))).toBe('t');
    expect(annotations.convertTo('t')).toBeInstanceOf(ToolAnnotations);
  });
});
