import { DefinitionError } from '../errors/errors.ts';
import { isObject } from '../base/is-object.ts';
import {
  assertOptions,
  BOOLEAN,
  FUNCTION,
  isListOf,
  NON_EMPTY,
  required,
  SCHEMA,
  STRING,
} from '../errors/options/rules.ts';
import type { Rules } from '../errors/options/rules.ts';
import { McpPromptConverter } from '../model/converters/mcp/mcp-prompt-converter.ts';
import type { McpGetPromptResult, McpPrompt } from '../model/mcp-types.ts';
import { Prompt } from '../model/prompt.ts';
import type { CompiledTool } from '../pipeline/tool/compiled-tool.ts';
import type { Write } from '../pipeline/component-reply.ts';
import { deepFreeze } from '../base/json/deep-freeze.ts';
import { assertToolName } from '../tools/compile/assert-definition.ts';
import type { ToolSettings } from '../tools/compile/tool-settings.ts';
import { assertComponent } from '../tools/components/component-definition.ts';
import { compileComponent } from '../tools/components/compile-component.ts';
import type { BareComponent } from '../tools/components/component-unit.ts';
import { compileCompleters } from './compile-completers.ts';
import type { CompletableEntry } from './compile-completers.ts';
import { compileArguments } from './prompt-arguments.ts';
import type { AnyPromptDefinition } from './prompt-definition.ts';
import { writePromptResult } from './prompt-result.ts';
import { compilePromptTemplate } from './prompt-template.ts';

/** A compiled prompt. */
export interface PromptEntry extends CompletableEntry {
  readonly listed: McpPrompt;
  readonly write: Write<McpGetPromptResult>;
}

/** Compiles a validated definition. */
export function compilePrompt(
  definition: AnyPromptDefinition<never>,
  settings: ToolSettings,
): BareComponent<PromptEntry> {
  const { name: key, title, description, icons, _meta: meta } = definition;
  const { listed: args, input } = compileArguments(definition, settings);
  const names = args.map(({ name }) => name);
  const handler = toHandler(definition, names);
  const surround = compileComponent({ kind: 'prompt', key, definition, input, handler }, settings);
  const completers = compileCompleters({ kind: 'prompt', key, definition, names }, settings);
  const model = new Prompt({
    name: key,
    title,
    description,
    arguments: args,
    icons: icons === undefined ? undefined : [...icons],
    meta,
  });
  const listed = deepFreeze(new McpPromptConverter().convertFromPrompt(model));
  const json = JSON.stringify(listed);
  const { maxResultBytes } = settings.collaborators;
  const write: PromptEntry['write'] = (returned) => writePromptResult(returned, description, maxResultBytes);
  const parts = { key, json, listed, write };
  return (middleware) => ({ ...parts, tool: surround(middleware), completers: completers(middleware) });
}

function toHandler(
  { name, handler, template }: AnyPromptDefinition<never>,
  names: readonly string[],
): CompiledTool['handler'] {
  if (template === undefined) return handler as unknown as CompiledTool['handler'];
  const render = compilePromptTemplate(template, { owner: `Prompt "${name}"`, names });
  return ({ input }) => render(input as object);
}

const RULES: Rules = {
  inputSchema: SCHEMA,
  arguments: [isListOf(isObject), 'an array of objects with a name: [{ name: "file", required: true }]'],
  complete: [isObject, 'an object with an array or a function for each argument'],
  handler: FUNCTION,
  template: STRING,
};

const ARGUMENT: Rules = { name: required(NON_EMPTY), title: STRING, description: STRING, required: BOOLEAN };

/** Rejects invalid prompt definitions. */
export function assertPrompt(definition: AnyPromptDefinition<never>): void {
  if (typeof definition !== 'object' || definition === null || Array.isArray(definition)) {
    throw new DefinitionError('A prompt definition must be an object: { name, template }.');
  }
  assertToolName(definition.name, 'prompt');
  const owner = `Prompt "${definition.name}"`;
  assertComponent(definition, RULES, owner);
  const { inputSchema, arguments: list = [], handler, template } = definition;
  if ((handler === undefined) === (template === undefined)) {
    throw new DefinitionError(`${owner} needs exactly one of handler and template.`, { option: 'handler' });
  }
  if (inputSchema !== undefined && definition.arguments !== undefined) {
    throw new DefinitionError(`${owner}: use either inputSchema or arguments, not both.`, {
      option: 'arguments',
    });
  }
  const seen = new Set<string>();
  for (const [index, argument] of list.entries()) {
    assertOptions(owner, argument, ARGUMENT, 'arguments', index);
    const { name } = argument;
    if (seen.has(name))
      throw new DefinitionError(`${owner}: duplicate argument "${name}".`, {
        option: 'arguments',
        path: [index, 'name'],
        received: name,
      });
    seen.add(name);
  }
}
