import type { Group } from '../group.ts';
import { type Batch, ConverterBase } from './converter-base.ts';

/**
 * Converts groups, with everything below them, to and from another form. Subclasses implement the two single
 * conversions.
 */
export abstract class GroupConverterBase<TForeign> extends ConverterBase<Group, TForeign> {
  abstract convertFromGroup(group: Group): TForeign | null | undefined;

  abstract convertToGroup(foreign: TForeign): Group | null | undefined;

  convertFromGroups(groups: Batch<Group>): TForeign[] {
    return this.convertFromBatch(groups);
  }

  convertToGroups(foreign: Batch<TForeign>): Group[] {
    return this.convertToBatch(foreign);
  }

  override convertFrom(source: Group): TForeign | null | undefined {
    return this.convertFromGroup(source);
  }

  override convertTo(target: TForeign): Group | null | undefined {
    return this.convertToGroup(target);
  }
}
