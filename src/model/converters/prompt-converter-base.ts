import type { Prompt } from '../prompt.ts';
import { type Batch, ConverterBase } from './converter-base.ts';

/** Converts prompts to and from another form. Subclasses implement the two single conversions. */
export abstract class PromptConverterBase<TForeign> extends ConverterBase<Prompt, TForeign> {
  abstract convertFromPrompt(prompt: Prompt): TForeign | null | undefined;

  abstract convertToPrompt(foreign: TForeign): Prompt | null | undefined;

  convertFromPrompts(prompts: Batch<Prompt>): TForeign[] {
    return this.convertFromBatch(prompts);
  }

  convertToPrompts(foreign: Batch<TForeign>): Prompt[] {
    return this.convertToBatch(foreign);
  }

  override convertFrom(source: Prompt): TForeign | null | undefined {
    return this.convertFromPrompt(source);
  }

  override convertTo(target: TForeign): Prompt | null | undefined {
    return this.convertToPrompt(target);
  }
}
