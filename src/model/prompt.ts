import type { BaseModelOptions } from './base-model.ts';
import { ChildList } from './child-list.ts';
import { GroupItem } from './group-item.ts';
import type { PromptArgument } from './prompt-argument.ts';

/** Options of {@link Prompt}. */
export interface PromptOptions extends BaseModelOptions {
  readonly arguments?: Iterable<PromptArgument> | undefined;
}

/**
 * A message template that users can select.
 *
 * @example
 * const prompt = new Prompt({
 *   name: 'review',
 *   arguments: [new PromptArgument({ name: 'file', required: true })],
 * });
 */
export class Prompt extends GroupItem {
  override readonly kind = 'prompt' as const;
  readonly #arguments: ChildList<PromptArgument> = new ChildList(this);

  constructor(options: PromptOptions) {
    super(options);
    for (const argument of options.arguments ?? []) this.addArgument(argument);
  }

  get arguments(): readonly PromptArgument[] {
    return this.#arguments.items;
  }

  /** Returns false if it was already there; throws if another argument has its name. */
  addArgument(argument: PromptArgument): boolean {
    return this.#arguments.add(argument);
  }

  /** Returns false if it was not there. */
  removeArgument(argument: PromptArgument): boolean {
    return this.#arguments.remove(argument);
  }
}
