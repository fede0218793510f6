import type { McpTool } from '../../mcp-types.ts';
import { Tool } from '../../tool.ts';
import { ToolConverterBase } from '../tool-converter-base.ts';
import { cloneJson } from './json.ts';
import { McpToolAnnotationsConverter } from './mcp-tool-annotations-converter.ts';
import { copyIcons, toWireObject } from './wire-object.ts';

/**
 * Converts tools to and from the entries of `tools/list`. Both forms share the two schemas, which may be large and
 * are never changed in place; everything else is copied.
 *
 * @example
 * const converter = new McpToolConverter();
 * const tool = converter.convertToTool({ name: 'list', inputSchema: { type: 'object' } });
 * converter.convertFromTool(tool); // { name: 'list', inputSchema: { type: 'object' } }
 */
export class McpToolConverter extends ToolConverterBase<McpTool> {
  readonly #annotations: McpToolAnnotationsConverter = new McpToolAnnotationsConverter();

  override convertFromTool(tool: Tool): McpTool {
    return toWireObject<McpTool>(
      {
        name: tool.name,
        title: tool.title,
        description: tool.description,
        inputSchema: tool.inputSchema,
        outputSchema: tool.outputSchema,
        annotations: tool.annotations && this.#annotations.convertFromToolAnnotations(tool.annotations),
        icons: copyIcons(tool.icons),
        _meta: cloneJson(tool.meta),
      },
      tool.extensions,
    );
  }

  override convertToTool(wire: McpTool): Tool {
    const { name, title, description, inputSchema, outputSchema, annotations, icons, _meta, ...others } =
      wire;
    return new Tool({
      name,
      title,
      description,
      inputSchema,
      outputSchema,
      annotations: annotations && this.#annotations.convertToToolAnnotations(annotations),
      icons: copyIcons(icons),
      meta: cloneJson(_meta),
      extensions: cloneJson(others),
    });
  }
}
