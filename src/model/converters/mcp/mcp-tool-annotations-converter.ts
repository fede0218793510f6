import type { McpToolAnnotations } from '../../mcp-types.ts';
import { ToolAnnotations } from '../../tool-annotations.ts';
import { ToolAnnotationsConverterBase } from '../tool-annotations-converter-base.ts';
import { cloneJson } from './json.ts';
import { toWireObject } from './wire-object.ts';

/** Converts tool annotations to and from the `annotations` of an MCP tool. */
export class McpToolAnnotationsConverter extends ToolAnnotationsConverterBase<McpToolAnnotations> {
  override convertFromToolAnnotations(annotations: ToolAnnotations): McpToolAnnotations {
    return toWireObject<McpToolAnnotations>(
      {
        title: annotations.title,
        readOnlyHint: annotations.readOnlyHint,
        destructiveHint: annotations.destructiveHint,
        idempotentHint: annotations.idempotentHint,
        openWorldHint: annotations.openWorldHint,
        returnDirect: annotations.returnDirect,
      },
      annotations.extensions,
    );
  }

  override convertToToolAnnotations(wire: McpToolAnnotations): ToolAnnotations {
    const { title, readOnlyHint, destructiveHint, idempotentHint, openWorldHint, returnDirect, ...others } =
      wire;
    return new ToolAnnotations({
      title,
      readOnlyHint,
      destructiveHint,
      idempotentHint,
      openWorldHint,
      returnDirect,
      extensions: cloneJson(others),
    });
  }
}
