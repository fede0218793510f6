import fc from 'fast-check';
import type { BaseModelOptions } from '../../../../src/model/base-model.ts';
import { Group } from '../../../../src/model/group.ts';
import { PromptArgument } from '../../../../src/model/prompt-argument.ts';
import { Prompt, type PromptOptions } from '../../../../src/model/prompt.ts';
import { Resource, type ResourceOptions } from '../../../../src/model/resource.ts';
import { ToolAnnotations } from '../../../../src/model/tool-annotations.ts';
import { Tool, type ToolOptions } from '../../../../src/model/tool.ts';
import { annotations, icons, jsonObject, others } from './arbitraries.ts';

const text = fc.string({ maxLength: 8 });
const maybe = <TValue>(value: fc.Arbitrary<TValue>): fc.Arbitrary<TValue | undefined> =>
  fc.option(value, { nil: undefined });
const flag = maybe(fc.boolean());

const options: fc.Arbitrary<Required<BaseModelOptions>> = fc.record({
  name: text,
  title: maybe(text),
  description: maybe(text),
  meta: maybe(jsonObject),
  icons: maybe(icons),
  // An extension with the name of a member would be read back as that member.
  extensions: others(['name', 'title', 'description', 'icons', '_meta', 'uri', 'size', 'tools', 'groups']),
});

const toolAnnotations = fc
  .record({
    title: maybe(text),
    readOnlyHint: flag,
    destructiveHint: flag,
    idempotentHint: flag,
    openWorldHint: flag,
    returnDirect: flag,
    extensions: others(['title']),
  })
  .map((hints) => new ToolAnnotations(hints));

const tool: fc.Arbitrary<ToolOptions> = fc
  .record({
    own: options,
    inputSchema: jsonObject.map((object) => ({ ...object, type: 'object' as const })),
    outputSchema: maybe(jsonObject),
    annotations: maybe(toolAnnotations),
  })
  .map(({ own, ...rest }) => ({ ...own, ...rest }));

const promptArgument = fc
  .tuple(options, flag)
  .map(([own, required]) => new PromptArgument({ ...own, required }));

const prompt: fc.Arbitrary<PromptOptions> = fc
  .tuple(options, fc.uniqueArray(promptArgument, { maxLength: 3, selector: ({ name }) => name }))
  .map(([own, list]) => ({ ...own, arguments: list }));

const resource: fc.Arbitrary<ResourceOptions> = fc
  .record({
    own: options,
    uri: text,
    size: maybe(fc.nat()),
    mimeType: maybe(text),
    annotations: maybe(annotations),
  })
  .map(({ own, ...rest }) => ({ ...own, ...rest }));

/** Names differ within a pool, so no two leaves are equal by accident. */
function pool<TLeaf extends { readonly name: string }>(leaf: fc.Arbitrary<TLeaf>): fc.Arbitrary<TLeaf[]> {
  return fc.uniqueArray(leaf, { maxLength: 4, selector: ({ name }) => name });
}

/** For a few groups: its properties, its parent among the earlier groups, and its leaves from the pools. */
const plan = fc.array(
  fc.record({
    own: options,
    separator: maybe(text),
    above: fc.nat(),
    picks: fc.infiniteStream(fc.boolean()),
  }),
  { minLength: 1, maxLength: 6 },
);

/** A tree of groups in which leaves have any number of parents. */
export const group: fc.Arbitrary<Group> = fc
  .record({ plan, pools: fc.tuple(pool(tool), pool(prompt), pool(resource)) })
  .map(({ plan: steps, pools }) => {
    // Leaves are created here and not in the pools, which shrinking uses repeatedly.
    const tools = pools[0].map((leaf) => new Tool(leaf));
    const prompts = pools[1].map((leaf) => new Prompt(leaf));
    const resources = pools[2].map((leaf) => new Resource(leaf));
    const groups: Group[] = [];
    for (const [index, { own, separator, above, picks }] of steps.entries()) {
      const picked = (): boolean => picks.next().value;
      // Siblings need different names, which the index provides.
      const next = new Group({ ...own, name: `${own.name}${index}`, separator });
      groups[above % groups.length]?.addChildGroup(next);
      groups.push(next);
      for (const leaf of tools.filter(picked)) next.addChildTool(leaf);
      for (const leaf of prompts.filter(picked)) next.addChildPrompt(leaf);
      for (const leaf of resources.filter(picked)) next.addChildResource(leaf);
    }
    return groups[0] ?? new Group({ name: 'none' });
  });
