import type * as sdk from '@modelcontextprotocol/server';
import type { ToolSchema } from '@modelcontextprotocol/core';
import { expectTypeOf, test } from 'vitest';
import type { z } from 'zod';
import type { ConverterBase } from '../../src/model/converters/converter-base.ts';
import type { McpGroupConverter } from '../../src/model/converters/mcp/mcp-group-converter.ts';
import type { McpToolConverter } from '../../src/model/converters/mcp/mcp-tool-converter.ts';
import type { GroupNode } from '../../src/model/group-item.ts';
import type { Group } from '../../src/model/group.ts';
import type * as ours from '../../src/model/mcp-types.ts';
import type { Tool } from '../../src/model/tool.ts';

/** The SDK has `title?: string | undefined`; we omit absent members. Otherwise the two must agree. */
type Exact<TValue> = TValue extends readonly (infer TItem)[]
  ? Exact<TItem>[]
  : TValue extends object
    ? { [TKey in keyof TValue]: Exact<Exclude<TValue[TKey], undefined>> }
    : TValue;

test('our types are assignable to those of the SDK', () => {
  expectTypeOf<ours.McpTool>().toExtend<sdk.Tool>();
  expectTypeOf<ours.McpTool>().toExtend<z.input<typeof ToolSchema>>();
  expectTypeOf<ours.McpToolAnnotations>().toExtend<sdk.ToolAnnotations>();
  expectTypeOf<ours.McpIcon>().toExtend<sdk.Icon>();
  expectTypeOf<ours.McpPrompt>().toExtend<sdk.Prompt>();
  expectTypeOf<ours.McpPromptArgument>().toExtend<sdk.PromptArgument>();
  expectTypeOf<ours.McpResource>().toExtend<sdk.Resource>();
  expectTypeOf<ours.McpAnnotations>().toExtend<sdk.Annotations>();
  expectTypeOf<ours.McpContentBlock>().toExtend<sdk.ContentBlock>();
  expectTypeOf<ours.McpCallToolResult>().toExtend<sdk.CallToolResult>();
  expectTypeOf<ours.McpPromptMessage>().toExtend<sdk.PromptMessage>();
  expectTypeOf<ours.McpGetPromptResult>().toExtend<sdk.GetPromptResult>();
  expectTypeOf<ours.McpReadResourceResult>().toExtend<sdk.ReadResourceResult>();
  expectTypeOf<ours.McpResourceTemplate>().toExtend<sdk.ResourceTemplateType>();
  expectTypeOf<ours.McpCompletion>().toExtend<sdk.CompleteResult['completion']>();
});

test('the types of the SDK are assignable to ours', () => {
  expectTypeOf<Exact<sdk.Tool>>().toExtend<ours.McpTool>();
  expectTypeOf<Exact<sdk.ToolAnnotations>>().toExtend<ours.McpToolAnnotations>();
  expectTypeOf<Exact<sdk.Icon>>().toExtend<ours.McpIcon>();
  expectTypeOf<Exact<sdk.Prompt>>().toExtend<ours.McpPrompt>();
  expectTypeOf<Exact<sdk.PromptArgument>>().toExtend<ours.McpPromptArgument>();
  expectTypeOf<Exact<sdk.Resource>>().toExtend<ours.McpResource>();
  expectTypeOf<Exact<sdk.Annotations>>().toExtend<ours.McpAnnotations>();
  expectTypeOf<Exact<sdk.ContentBlock>>().toExtend<ours.McpContentBlock>();
  expectTypeOf<Exact<sdk.CallToolResult>>().toExtend<ours.McpCallToolResult>();
  expectTypeOf<Exact<sdk.PromptMessage>>().toExtend<ours.McpPromptMessage>();
  expectTypeOf<Exact<sdk.GetPromptResult>>().toExtend<ours.McpGetPromptResult>();
  expectTypeOf<Exact<sdk.ReadResourceResult>>().toExtend<ours.McpReadResourceResult>();
  expectTypeOf<Exact<sdk.ResourceTemplateType>>().toExtend<ours.McpResourceTemplate>();
  expectTypeOf<Exact<sdk.CompleteResult['completion']>>().toExtend<ours.McpCompletion>();
});

test('every member the SDK names is one of ours, but for those that travel as extensions', () => {
  expectTypeOf<Exclude<keyof sdk.Tool, keyof ours.McpTool>>().toEqualTypeOf<'execution'>();
  expectTypeOf<Exclude<keyof sdk.ToolAnnotations, keyof ours.McpToolAnnotations>>().toEqualTypeOf<never>();
  expectTypeOf<Exclude<keyof sdk.Prompt, keyof ours.McpPrompt>>().toEqualTypeOf<never>();
  expectTypeOf<Exclude<keyof sdk.Resource, keyof ours.McpResource>>().toEqualTypeOf<never>();
  expectTypeOf<
    Exclude<keyof sdk.ResourceTemplateType, keyof ours.McpResourceTemplate>
  >().toEqualTypeOf<never>();
  expectTypeOf<Exclude<keyof sdk.PromptMessage, keyof ours.McpPromptMessage>>().toEqualTypeOf<never>();
  expectTypeOf<Exclude<keyof sdk.Icon, keyof ours.McpIcon>>().toEqualTypeOf<never>();
});

test('child lists and parents are read-only', () => {
  expectTypeOf<Group['childTools']>().toEqualTypeOf<readonly Tool[]>();
  expectTypeOf<Group['childGroups']>().toEqualTypeOf<readonly Group[]>();
  expectTypeOf<Tool['parentGroups']>().toEqualTypeOf<readonly GroupNode[]>();
  expectTypeOf<Group>().toExtend<GroupNode>();
});

test('converters to the wire always have an answer, and fit where any converter does', () => {
  expectTypeOf<McpToolConverter['convertFromTool']>().returns.toEqualTypeOf<ours.McpTool>();
  expectTypeOf<McpToolConverter['convertToTool']>().returns.toEqualTypeOf<Tool>();
  expectTypeOf<McpToolConverter>().toExtend<ConverterBase<Tool, ours.McpTool>>();
  expectTypeOf<McpGroupConverter>().toExtend<ConverterBase<Group, ours.McpGroup>>();
});
