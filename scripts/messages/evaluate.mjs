/** The texts that an expression can be, as templates: what is known only at run time is `{name}`. */
/* oxlint-disable max-params -- the index, the module and the scope are passed down through every function */
import { declarationOf, nameOf } from './source-index.mjs';

/** More alternatives than this are one placeholder: they would be a list of their own. */
const MAX_ALTERNATIVES = 6;
const MAX_DEPTH = 8;

/** `scope` has the values of parameters, by name, where the call is known. */
export function textsOf(index, module, node, scope = new Map(), depth = 0) {
  const again = (part, other = scope) => textsOf(index, module, part, other, depth + 1);
  const unknown = [placeholderOf(module, node)];
  if (!node || depth > MAX_DEPTH) return unknown;
  switch (node.type) {
    case 'Literal': {
      return [String(node.value)];
    }
    case 'UnaryExpression': {
      return node.operator === '-' ? product(['-'], again(node.argument)) : unknown;
    }
    case 'Resolved': {
      return node.read(scope);
    }
    case 'TemplateLiteral': {
      return node.quasis.reduce(
        (texts, { value }, at) => {
          const part = node.expressions[at];
          const tails = part ? limit(again(part), part, module) : [''];
          return limit(product(texts, [value.cooked], tails), node, module);
        },
        [''],
      );
    }
    case 'BinaryExpression': {
      const isText = node.operator === '+' && typeof node.right.value !== 'number';
      return isText ? limit(product(again(node.left), again(node.right)), node, module) : unknown;
    }
    case 'ConditionalExpression': {
      return limit(unique([...again(node.consequent), ...again(node.alternate)]), node, module);
    }
    case 'LogicalExpression': {
      const chosen = chosenOf(index, module, node.left, scope, depth);
      if (chosen) return chosen.length > 0 ? chosen : again(node.right);
      return limit(unique([...again(node.left), ...again(node.right)]), node, module);
    }
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
    case 'ParenthesizedExpression': {
      return again(node.expression);
    }
    case 'Identifier': {
      return scope.get(node.name) ?? valueOfName(index, module, node, depth) ?? unknown;
    }
    case 'MemberExpression': {
      return choicesOf(index, module, node, depth) ?? unknown;
    }
    case 'CallExpression': {
      const made = returnsOf(index, module, node, scope, depth);
      return made && made.every((text) => /[a-z]{2,} [a-z]{2,}|^$/i.test(text))
        ? limit(made, node, module)
        : unknown;
    }
    default: {
      return unknown;
    }
  }
}

function valueOfName(index, module, node, depth) {
  const locals = module.locals.get(node.name) ?? [];
  const declared = declarationOf(index, module, node.name);
  const found = locals.length === 1 && locals[0].init ? { module, node: locals[0].init } : declared;
  if (!found?.node || found.node.type.endsWith('Declaration')) return undefined;
  const texts = textsOf(index, found.module, found.node, new Map(), depth + 1);
  // A name says more than the expression that gave the value, unless that is a text or a number.
  return texts.some((text) => /[a-z\d]/i.test(text.replaceAll(/\{[\w$]*\}/g, ''))) ? texts : undefined;
}

/** The member of a constant object that a known key chooses; empty if the object does not have it. */
function chosenOf(index, module, node, scope, depth) {
  if (node.type !== 'MemberExpression' || !node.computed || node.object.type !== 'Identifier')
    return undefined;
  const found = declarationOf(index, module, node.object.name);
  const keys = textsOf(index, module, node.property, scope, depth + 1);
  if (found?.node?.type !== 'ObjectExpression' || keys.some((key) => key.includes('{'))) return undefined;
  const members = found.node.properties.filter(({ key }) => key && keys.includes(nameOf(key)));
  return members.flatMap(({ value }) => textsOf(index, found.module, value, new Map(), depth + 1));
}

/** The values of a constant object, for a member of it. */
function choicesOf(index, module, { object, property, computed }, depth) {
  const found = object.type === 'Identifier' && declarationOf(index, module, object.name);
  let literal = found && found.node;
  while (literal?.type === 'TSAsExpression' || literal?.type === 'TSSatisfiesExpression')
    literal = literal.expression;
  if (literal?.type !== 'ObjectExpression') return undefined;
  const members = literal.properties.filter(
    ({ key }) => key && (computed || nameOf(key) === nameOf(property)),
  );
  const texts = unique(
    members.flatMap(({ value }) => textsOf(index, found.module, value, new Map(), depth + 1)),
  );
  return texts.length > 0 && texts.every((text) => !text.includes('{'))
    ? limit(texts, object, module)
    : undefined;
}

/** The texts that a function of the tree returns for a call. */
function returnsOf(index, module, call, scope, depth) {
  const target = targetOf(index, module, call);
  if (!target || depth > 4) return undefined;
  const inner = bind(index, module, target.node, call.arguments, scope, depth);
  const { body } = target.node;
  const results =
    body?.type === 'BlockStatement'
      ? body.body.flatMap((statement) => returned(statement))
      : body
        ? [body]
        : [];
  if (results.length === 0) return undefined;
  return unique(results.flatMap((result) => textsOf(index, target.module, result, inner, depth + 1)));
}

function returned(statement) {
  if (statement?.type === 'ReturnStatement') return statement.argument ? [statement.argument] : [];
  if (statement?.type === 'IfStatement')
    return [...returned(statement.consequent), ...returned(statement.alternate)];
  if (statement?.type === 'BlockStatement') return statement.body.flatMap(returned);
  return [];
}

/** The function that a call runs, if it is one of the tree. */
export function targetOf(index, module, { callee }) {
  if (callee.type === 'Identifier') {
    const found = declarationOf(index, module, callee.name) ?? localFunction(module, callee.name);
    return found && isFunction(found.node) ? found : undefined;
  }
  if (callee.type !== 'MemberExpression') return undefined;
  const found = index.methods.get(nameOf(callee.property)) ?? [];
  return found.length === 1 && isFunction(found[0].node) ? found[0] : undefined;
}

function localFunction(module, name) {
  const [only, ...more] = module.locals.get(name) ?? [];
  return only && more.length === 0 ? { module, node: only.init } : undefined;
}

function isFunction(node) {
  return /Function/.test(node?.type ?? '');
}

/** The values of the parameters of a function for a call. */
export function bind(index, module, target, given, scope, depth = 0) {
  const bound = new Map();
  for (const [at, parameter] of target.params.entries()) {
    const plain =
      parameter.type === 'AssignmentPattern' ? parameter.left : (parameter.parameter ?? parameter);
    if (plain.type === 'Identifier' && given[at] && given[at].type !== 'SpreadElement')
      bound.set(plain.name, textsOf(index, module, given[at], scope, depth + 1));
  }
  return bound;
}

export function parameterNames(target) {
  return target.params.flatMap((parameter) => {
    const plain =
      parameter.type === 'AssignmentPattern' ? parameter.left : (parameter.parameter ?? parameter);
    return plain.type === 'Identifier' ? [plain.name] : [];
  });
}

function product(...parts) {
  return parts.reduce((heads, tails) => heads.flatMap((head) => tails.map((tail) => head + tail)));
}

function optional(texts) {
  return texts.filter((text) => text !== '').map((text) => (/^‹.*›$/.test(text) ? text : `‹${text}›`));
}

function unique(texts) {
  return [...new Set(texts)];
}

/** Many alternatives are a placeholder, and a part that can be absent is in angle brackets. */
function limit(alternatives, node, module) {
  const texts = alternatives.includes('') && alternatives.length > 1 ? optional(alternatives) : alternatives;
  return texts.length > MAX_ALTERNATIVES ? [placeholderOf(module, node)] : texts;
}

/** A name for a value of run time: the last name of the expression, without its methods. */
function placeholderOf(module, node) {
  return `{${wordOf(node) ?? 'value'}}`;
}

function wordOf(node) {
  switch (node?.type) {
    case 'Identifier': {
      return node.name;
    }
    case 'MemberExpression': {
      return node.computed ? wordOf(node.object) : nameOf(node.property);
    }
    case 'CallExpression': {
      const { callee } = node;
      if (
        callee.type === 'MemberExpression' &&
        !/^(JSON|Math|Object|Array)$/.test(wordOf(callee.object) ?? '')
      )
        return wordOf(callee.object);
      return wordOf(node.arguments[0]) ?? wordOf(callee);
    }
    case 'TemplateLiteral': {
      return wordOf(node.expressions[0]);
    }
    case 'ChainExpression':
    case 'TSAsExpression':
    case 'TSNonNullExpression': {
      return wordOf(node.expression);
    }
    case 'LogicalExpression':
    case 'BinaryExpression': {
      return wordOf(node.left) ?? wordOf(node.right);
    }
    case 'ConditionalExpression': {
      return wordOf(node.consequent) ?? wordOf(node.alternate);
    }
    default: {
      return undefined;
    }
  }
}
