import type { Resource } from '../resource.ts';
import { type Batch, ConverterBase } from './converter-base.ts';

/** Converts resources to and from another form. Subclasses implement the two single conversions. */
export abstract class ResourceConverterBase<TForeign> extends ConverterBase<Resource, TForeign> {
  abstract convertFromResource(resource: Resource): TForeign | null | undefined;

  abstract convertToResource(foreign: TForeign): Resource | null | undefined;

  convertFromResources(resources: Batch<Resource>): TForeign[] {
    return this.convertFromBatch(resources);
  }

  convertToResources(foreign: Batch<TForeign>): Resource[] {
    return this.convertToBatch(foreign);
  }

  override convertFrom(source: Resource): TForeign | null | undefined {
    return this.convertFromResource(source);
  }

  override convertTo(target: TForeign): Resource | null | undefined {
    return this.convertToResource(target);
  }
}
