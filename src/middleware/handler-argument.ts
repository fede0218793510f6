import { isObject } from '../base/is-object.ts';
import { DefinitionError } from '../errors/errors.ts';

/**
 * What a handler is called with. Handlers of other frameworks take the arguments themselves: reading an argument off this throws, where it
 * would be `undefined`. Reading `input` and `context` costs what it costs of any object.
 */
export class HandlerArgument<TContext extends object> {
  // Fields, and not only assignments: those would ask the proxy behind the prototype first, for 200 ns.
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
      // Not always the call: V8 asks for Symbol.toStringTag with the proxy itself as receiver.
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
