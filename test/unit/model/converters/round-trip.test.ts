import { deepStrictEqual } from 'node:assert/strict';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { McpGroupConverter } from '../../../../src/model/converters/mcp/mcp-group-converter.ts';
import { McpPromptConverter } from '../../../../src/model/converters/mcp/mcp-prompt-converter.ts';
import { McpResourceConverter } from '../../../../src/model/converters/mcp/mcp-resource-converter.ts';
import { McpToolConverter } from '../../../../src/model/converters/mcp/mcp-tool-converter.ts';
import type { GroupItem } from '../../../../src/model/group-item.ts';
import type { Group } from '../../../../src/model/group.ts';
import type { Prompt } from '../../../../src/model/prompt.ts';
import { wireGroup, wirePrompt, wireResource, wireTool } from './arbitraries.ts';
import { group as modelGroup } from './model-arbitraries.ts';

const groups = new McpGroupConverter();
const prompts = new McpPromptConverter();
const resources = new McpResourceConverter();
const tools = new McpToolConverter();

describe('from the wire to the model and back nothing is lost', () => {
  test('for tools', () => {
    fc.assert(
      fc.property(wireTool, (wire) =>
        deepStrictEqual(tools.convertFromTool(tools.convertToTool(wire)), wire),
      ),
    );
  });

  test('for prompts', () => {
    fc.assert(
      fc.property(wirePrompt, (wire) =>
        deepStrictEqual(prompts.convertFromPrompt(prompts.convertToPrompt(wire)), wire),
      ),
    );
  });

  test('for resources', () => {
    fc.assert(
      fc.property(wireResource, (wire) =>
        deepStrictEqual(resources.convertFromResource(resources.convertToResource(wire)), wire),
      ),
    );
  });

  test('for whole trees', () => {
    fc.assert(
      fc.property(wireGroup, (wire) =>
        deepStrictEqual(groups.convertFromGroup(groups.convertToGroup(wire)), wire),
      ),
    );
  });

  test('and the bytes are the same when it is done again', () => {
    fc.assert(
      fc.property(wireGroup, (wire) => {
        const once = groups.convertFromGroup(groups.convertToGroup(wire));
        const twice = groups.convertFromGroup(groups.convertToGroup(once));
        expect(JSON.stringify(twice)).toBe(JSON.stringify(once));
      }),
    );
  });
});

test('from the model to the wire and back nothing is lost', () => {
  fc.assert(
    fc.property(modelGroup, (group) => {
      // Cloned, so that no shared object is reused.
      const wire = structuredClone(groups.convertFromGroup(group));
      deepStrictEqual(outline(groups.convertToGroup(wire)), outline(group));
    }),
  );
});

test('the trees above do share leaves and do carry hostile members', () => {
  const models = fc.sample(modelGroup, { numRuns: 100, seed: 1 });
  expect(
    models.filter((group) => group.childTools.some((tool) => tool.parentGroups.length > 1)).length,
  ).toBeGreaterThan(9);
  const texts = fc.sample(wireGroup, { numRuns: 100, seed: 1 }).map((wire) => JSON.stringify(wire));
  expect(texts.filter((text) => text.includes('"__proto__":')).length).toBeGreaterThan(9);
});

/** The whole model as plain data, with the position and identity of each leaf. */
function outline(group: Group, seen: Map<GroupItem, number> = new Map()): unknown {
  const leaf = (item: GroupItem): unknown => {
    const id = seen.get(item) ?? seen.size;
    seen.set(item, id);
    return [id, Object.entries(item), item.getFullyQualifiedNames().toSorted(), item.getRoots().length];
  };
  return {
    own: Object.entries(group),
    name: group.getFullyQualifiedName(),
    tools: group.childTools.map(leaf),
    prompts: group.childPrompts.map((prompt: Prompt) => [leaf(prompt), prompt.arguments]),
    resources: group.childResources.map(leaf),
    groups: group.childGroups.map((child) => outline(child, seen)),
  };
}
