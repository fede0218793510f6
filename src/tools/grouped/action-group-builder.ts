import { DefinitionError } from '../../errors/errors.ts';
import { assertMiddleware } from '../../middleware/compile-chain.ts';
import type { AnyMiddleware, Middleware } from '../../middleware/middleware.ts';
import { fromFields } from '../../schema/nodes/fields-schema.ts';
import type { Schema } from '../../schema/nodes/schema-types.ts';
import type { MissingScopes } from '../tool-definition.ts';
import type {
  ActionDefinition,
  ActionScope,
  AnyActionDefinition,
  CommonFields,
} from './action/action-definition.ts';
import { assertAction, assertMissingScopes, assertScopes, assertTexts } from './action/action-record.ts';
import type { ActionRecord, GroupRecord } from './action/action-record.ts';

/** Builder that a group adds its actions to. */
export interface GroupOwner {
  readonly builderName: string;
  assertNotFrozen(): void;
}

/**
 * The actions of one group of a tool, with their shared settings. Created by `GroupedToolBuilder.group`.
 *
 * @example
 * createTool('platform').group('users', 'Manages users', (users) =>
 *   users.use(requireAdmin).action({ name: 'ban', destructive: true, schema: z.object({ id: z.string() }), handler: ban }),
 * );
 */
export class ActionGroupBuilder<TScope extends ActionScope = ActionScope> {
  readonly name: string;
  readonly #owner: GroupOwner;
  readonly #middleware: AnyMiddleware[] = [];
  readonly #commonSchemas: Schema[] = [];
  readonly #tags: string[] = [];
  readonly #scopes: string[] = [];
  readonly #actions: AnyActionDefinition[] = [];
  #description: string | undefined;
  #missingScopes: MissingScopes | undefined;
  #isClosed = false;

  constructor(name: string, description: string | undefined, owner: GroupOwner) {
    this.name = name;
    this.#description = description;
    this.#owner = owner;
  }

  /** Describes the group to the model. */
  description(text: string): this {
    this.#assertOpen();
    assertTexts(this.#label, 'description', [text]);
    this.#description = text;
    return this;
  }

  /** Adds a middleware around the actions of this group, inside the tool's middleware. */
  use<TAdds extends object>(
    middleware: Middleware<TScope['context'], TAdds>,
  ): ActionGroupBuilder<{ common: TScope['common']; context: TScope['context'] & TAdds }> {
    this.#assertOpen();
    assertMiddleware([middleware], this.#label);
    this.#middleware.push(middleware);
    return this as never;
  }

  /** Adds fields that every action of this group takes. */
  commonSchema<TSchema extends Schema>(
    schema: TSchema,
  ): ActionGroupBuilder<{
    common: CommonFields<TScope['common'], TSchema>;
    context: TScope['context'];
  }> {
    this.#assertOpen();
    this.#commonSchemas.push(fromFields(schema));
    return this;
  }

  /** Adds tags to every action of this group. */
  tags(...tags: readonly string[]): this {
    this.#assertOpen();
    assertTexts(this.#label, 'tags', tags);
    this.#tags.push(...tags);
    return this;
  }

  /** Scopes that every action of this group needs. */
  scopes(...scopes: readonly string[]): this {
    this.#assertOpen();
    assertScopes(this.#label, scopes);
    this.#scopes.push(...scopes);
    return this;
  }

  /** Like `missingScopes` of the tool, for the actions of this group. Actions can override it. Default: the tool's setting. */
  missingScopes(missingScopes: MissingScopes): this {
    this.#assertOpen();
    assertMissingScopes(this.#label, missingScopes);
    this.#missingScopes = missingScopes;
    return this;
  }

  /** Adds an action. */
  action<
    TInput extends Schema | undefined = undefined,
    TOutput extends Schema | undefined = undefined,
    TOmit extends keyof TScope['common'] & string = never,
    TMiddleware extends readonly AnyMiddleware<TScope['context']>[] = readonly AnyMiddleware<
      TScope['context']
    >[],
  >(definition: ActionDefinition<TInput, TOutput, TScope, TOmit, TMiddleware>): this {
    this.#assertOpen();
    assertAction(definition, this.#owner.builderName);
    this.#actions.push(definition);
    return this;
  }

  /** Returns the actions for the builder and closes the group: nothing can be added afterwards. */
  records(): ActionRecord[] {
    this.#isClosed = true;
    if (this.#actions.length === 0) {
      throw new DefinitionError(`${this.#label} has no actions. Add one with .action().`, {
        option: 'group',
        path: [this.name],
      });
    }
    const group: GroupRecord = {
      name: this.name,
      description: this.#description,
      middleware: [...this.#middleware],
      commonSchemas: [...this.#commonSchemas],
      tags: [...this.#tags],
      scopes: [...this.#scopes],
      missingScopes: this.#missingScopes,
    };
    return this.#actions.map((definition) => ({ key: `${this.name}.${definition.name}`, definition, group }));
  }

  /** Names the group in messages. */
  get #label(): string {
    return `Group "${this.name}" of builder "${this.#owner.builderName}"`;
  }

  #assertOpen(): void {
    this.#owner.assertNotFrozen();
    if (this.#isClosed) {
      throw new DefinitionError(
        `${this.#label} is closed. Add its actions inside the function given to .group().`,
        { reason: 'already-built', option: 'group', path: [this.name] },
      );
    }
  }
}
