import type { Tool } from '../tool.ts';
import { type Batch, ConverterBase } from './converter-base.ts';

/** Converts tools to and from another form. Subclasses implement the two single conversions. */
export abstract class ToolConverterBase<TForeign> extends ConverterBase<Tool, TForeign> {
  abstract convertFromTool(tool: Tool): TForeign | null | undefined;

  abstract convertToTool(foreign: TForeign): Tool | null | undefined;

  convertFromTools(tools: Batch<Tool>): TForeign[] {
    return this.convertFromBatch(tools);
  }

  convertToTools(foreign: Batch<TForeign>): Tool[] {
    return this.convertToBatch(foreign);
  }

  override convertFrom(source: Tool): TForeign | null | undefined {
    return this.convertFromTool(source);
  }

  override convertTo(target: TForeign): Tool | null | undefined {
    return this.convertToTool(target);
  }
}
