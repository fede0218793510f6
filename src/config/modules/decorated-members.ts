/**
 * A Babel plugin for jiti that compiles member decorators as TypeScript does with `experimentalDecorators`. The plugin in jiti throws at
 * decorated fields, and breaks classes with methods named `get`, `set` or `value`.
 */
export function decoratedMembers({ types, template }: Babel): object {
  const build = template.expression(APPLY);
  const applyDecorators = (member: Member): unknown[] => {
    const { decorators = [], key, computed: isComputed = false, static: isStatic = false } = member;
    const isField = member.type === 'ClassProperty';
    if (decorators.length === 0 || isComputed || !(isField || member.type === 'ClassMethod')) return [];
    delete member.decorators;
    const owner = types.thisExpression();
    const call = build({
      DECORATORS: types.arrayExpression(decorators.map(({ expression }) => expression)),
      TARGET: isStatic ? owner : types.memberExpression(owner, types.identifier('prototype')),
      KEY: types.stringLiteral(String(key?.name ?? key?.value)),
      IS_FIELD: types.booleanLiteral(isField),
    });
    return [types.expressionStatement(call)];
  };
  const visit = ({ node }: { readonly node: { readonly body: { readonly body: unknown[] } } }): void => {
    const members = node.body.body;
    const statements = (members as Member[]).flatMap(applyDecorators);
    if (statements.length > 0) members.push(types.staticBlock(statements));
  };
  // Runs before the class transforms of Babel.
  return {
    visitor: {
      Program: (program: { traverse(visitor: object): void }) => program.traverse({ Class: visit }),
    },
  };
}

/** A decorator of jiti returns the target if `Reflect.metadata` does not exist; that result is ignored. */
const APPLY = `((decorators, target, key, isField) => {
  let descriptor = isField ? undefined : Object.getOwnPropertyDescriptor(target, key);
  for (const decorate of decorators.reverse()) {
    const result = decorate(target, key, descriptor);
    if (!isField && result && result !== target) descriptor = result;
  }
  if (descriptor) Object.defineProperty(target, key, descriptor);
})(DECORATORS, TARGET, KEY, IS_FIELD)`;

/** The parts of Babel that the plugin uses. */
interface Babel {
  readonly types: Readonly<Record<NodeType, (...parts: unknown[]) => unknown>>;
  readonly template: {
    expression(code: string): (parts: Readonly<Record<string, unknown>>) => unknown;
  };
}

type NodeType =
  | 'arrayExpression'
  | 'booleanLiteral'
  | 'expressionStatement'
  | 'identifier'
  | 'memberExpression'
  | 'staticBlock'
  | 'stringLiteral'
  | 'thisExpression';

interface Member {
  readonly type: string;
  readonly static?: boolean;
  readonly computed?: boolean;
  readonly key?: { readonly name?: unknown; readonly value?: unknown };
  decorators?: readonly { readonly expression: unknown }[];
}
