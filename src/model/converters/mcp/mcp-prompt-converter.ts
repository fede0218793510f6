import type { McpPrompt, McpPromptArgument } from '../../mcp-types.ts';
import { PromptArgument } from '../../prompt-argument.ts';
import { Prompt } from '../../prompt.ts';
import { convertPresent } from '../converter-base.ts';
import { PromptConverterBase } from '../prompt-converter-base.ts';
import { cloneJson } from './json.ts';
import { copyIcons, emptyLists, orAbsent, toWireObject } from './wire-object.ts';

/** Converts prompts to and from the entries of `prompts/list`. */
export class McpPromptConverter extends PromptConverterBase<McpPrompt> {
  override convertFromPrompt(prompt: Prompt): McpPrompt {
    return toWireObject<McpPrompt>(
      {
        name: prompt.name,
        title: prompt.title,
        description: prompt.description,
        arguments: orAbsent(prompt.arguments.map(fromArgument)),
        icons: copyIcons(prompt.icons),
        _meta: cloneJson(prompt.meta),
      },
      prompt.extensions,
    );
  }

  override convertToPrompt(wire: McpPrompt): Prompt {
    const { name, title, description, arguments: list, icons, _meta, ...others } = wire;
    return new Prompt({
      name,
      title,
      description,
      arguments: convertPresent(list ?? [], toArgument),
      icons: copyIcons(icons),
      meta: cloneJson(_meta),
      extensions: { ...emptyLists({ arguments: list }), ...cloneJson(others) },
    });
  }
}

function fromArgument(argument: PromptArgument): McpPromptArgument {
  return toWireObject<McpPromptArgument>(
    {
      name: argument.name,
      title: argument.title,
      description: argument.description,
      required: argument.required,
      icons: copyIcons(argument.icons),
      _meta: cloneJson(argument.meta),
    },
    argument.extensions,
  );
}

function toArgument(wire: McpPromptArgument): PromptArgument {
  const { name, title, description, required, icons, _meta, ...others } = wire;
  return new PromptArgument({
    name,
    title,
    description,
    required,
    icons: copyIcons(icons),
    meta: cloneJson(_meta),
    extensions: cloneJson(others),
  });
}
