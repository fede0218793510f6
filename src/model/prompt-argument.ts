import { BaseModel, type BaseModelOptions } from './base-model.ts';

/** Options of {@link PromptArgument}. */
export interface PromptArgumentOptions extends BaseModelOptions {
  /** Default: `undefined` ("not stated"). */
  readonly required?: boolean | undefined;
}

/** One argument of a prompt. It is in no group, so its name is its fully qualified name. */
export class PromptArgument extends BaseModel {
  override readonly kind = 'prompt-argument' as const;

  /** `undefined` means "not stated"; clients treat it as optional. */
  required: boolean | undefined;

  constructor(options: PromptArgumentOptions) {
    super(options);
    this.required = options.required;
  }
}
