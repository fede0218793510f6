import { isObject } from '../base/is-object.ts';
import { DefinitionError } from '../errors/errors.ts';

/**
 * The parameter of a handler. Handlers of other frameworks take the arguments directly: reading an unknown member throws instead of
 * returning `undefined`. Reading `input` and `context` has no extra cost.
 */
export class HandlerArgument<TContext extends object> {
  // Fields instead of assignments only: those would go through the proxy behind the prototype, at 200 ns each.
  readonly input: unknown;
  readonly context: TContext;

  constructor(input: unknown, context: TContext) {
    this.input = input;
    this.context = context;
  }
}

Object.setPrototypeOf(
  HandlerArgument.prototype,
  new Proxy(Object.prototype, {
    get: (target, key, call: HandlerArgument<object>): unknown => {
      // The receiver is not always the call: V8 reads Symbol.toStringTag with the proxy itself as receiver.
      const { input, context }: Partial<HandlerArgument<object>> = Object.hasOwn(call, 'input') ? call : {};
      const isArgument = isObject(input) && Object.hasOwn(input, key) && !(key in target);
      if (isArgument) throw misread(String(key), context);
      return Reflect.get(target, key, call);
    },
  }),
);

function misread(key: string, context: object = {}): DefinitionError {
  const { name } = context as { readonly name?: string };
  return new DefinitionError(
    `"${name}": the handler reads "${key}" from its parameter, which is { input, context }. Read input.${key}, or register a function of the arguments: server.registerTool(name, definition, (args) => …).`,
    { option: 'handler' },
  );
}
