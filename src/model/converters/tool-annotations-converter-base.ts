import type { ToolAnnotations } from '../tool-annotations.ts';
import { type Batch, ConverterBase } from './converter-base.ts';

/** Converts tool annotations to and from another form. Subclasses implement the two single conversions. */
export abstract class ToolAnnotationsConverterBase<TForeign> extends ConverterBase<
  ToolAnnotations,
  TForeign
> {
  abstract convertFromToolAnnotations(annotations: ToolAnnotations): TForeign | null | undefined;

  abstract convertToToolAnnotations(foreign: TForeign): ToolAnnotations | null | undefined;

  convertFromToolAnnotationsList(list: Batch<ToolAnnotations>): TForeign[] {
    return this.convertFromBatch(list);
  }

  convertToToolAnnotationsList(foreign: Batch<TForeign>): ToolAnnotations[] {
    return this.convertToBatch(foreign);
  }

  override convertFrom(source: ToolAnnotations): TForeign | null | undefined {
    return this.convertFromToolAnnotations(source);
  }

  override convertTo(target: TForeign): ToolAnnotations | null | undefined {
    return this.convertToToolAnnotations(target);
  }
}
