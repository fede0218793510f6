/**
 * A plugin for Babel, with which jiti compiles: it decorates members as TypeScript does with `experimentalDecorators`. Babel's own way throws at
 * a decorated field, because jiti lacks the plugin for it, and breaks a class whose methods are named `get`, `set` or `value`.
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
  // Before Babel itself looks at the classes.
  return {
    visitor: {
      Program: (program: { traverse(visitor: object): void }) => program.traverse({ Class: visit }),
    },
  };
}

/** A result that is the target comes from jiti, where there is no `Reflect.metadata`. */
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
