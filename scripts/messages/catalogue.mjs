/** Every message that the library can produce, read from its source: where it is made, its code, and its text as a template. */
import { readSourceIndex, declarationOf, nameOf } from './source-index.mjs';
import { bind, parameterNames, targetOf, textsOf } from './evaluate.mjs';

/** Messages made in a function that gets a part of them are listed once for each of its calls, up to this many functions up. */
const MAX_CALLERS = 3;

export function readMessages(folder = 'src') {
  const index = readSourceIndex(folder);
  const callers = callersOf(index);
  const rows = [];
  for (const module of index.modules.values()) {
    for (const site of sitesOf(index, module)) {
      for (const scope of scopesOf(index, callers, module, site.node, site.parts)) {
        const codes = site.code(scope);
        for (const text of textsOf(index, module, site.message, scope))
          if (isSentence(text))
            rows.push({
              code: codes.join(' or '),
              text: text.replaceAll(/\s*\n\s*/g, ' '),
              file: module.file,
            });
      }
    }
  }
  const byKey = new Map(rows.map((row) => [`${row.code} ${row.text}`, row]));
  return [...byKey.values()].toSorted((a, b) => compare(a.code, b.code) || compare(a.text, b.text));
}

function compare(a, b) {
  return a < b ? -1 : Number(a > b);
}

/** At least two words that are not placeholders. */
function isSentence(text) {
  const words = text.replaceAll(/\{[\w$]*\}/g, ' ').match(/[a-z]{2,}/gi) ?? [];
  return words.length > 1;
}

/** The expressions of a module that make a message. */
function* sitesOf(index, module) {
  for (const call of index.calls) {
    if (call.module !== module) continue;
    const { node } = call;
    if (node.type === 'NewExpression') {
      const site = errorSite(index, module, node);
      if (site) yield site;
    } else {
      const kind = logLevel(module, node) ?? (isNote(module, node) ? 'note' : undefined);
      const message = kind === 'note' ? node.arguments.at(-1) : node.arguments[0];
      if (kind) yield { node, message, parts: [message], code: () => [kind] };
    }
  }
  for (const node of module.objects) {
    const members = new Map(
      node.properties.flatMap((member) => (member.key ? [[nameOf(member.key), member.value]] : [])),
    );
    const [code, message] = [members.get('code'), members.get('message')];
    if (code && message && isRpcCode(index, module, code))
      yield { node, message, parts: [message], code: () => textsOf(index, module, code) };
  }
}

function isRpcCode(index, module, code) {
  return textsOf(index, module, code).some((text) => /^-32\d{3}$/.test(text));
}

/** Notes of an import report and mistakes of a configuration file. */
function isNote(module, { callee, arguments: given }) {
  if (given.length === 0) return false;
  return /(?:^|[.#])(?:note|problem|notes\.(?:push|add))$/.test(module.text.slice(callee.start, callee.end));
}

function logLevel(module, { callee, arguments: [first] }) {
  if (callee.type !== 'MemberExpression' || !first) return undefined;
  const method = nameOf(callee.property);
  const target = module.text.slice(callee.object.start, callee.object.end);
  return /^(debug|info|warning|error)$/.test(method) && /(?:logger|log)$/i.test(target)
    ? `log: ${method}`
    : undefined;
}

/** Follows the constructors of an error class up to the one that takes a message. */
function errorSite(index, module, node) {
  if (node.callee.type !== 'Identifier') return undefined;
  const found = declarationOf(index, module, node.callee.name);
  if (found?.node?.type !== 'ClassDeclaration') return undefined;
  const chain = constructorsOf(index, found);
  if (!chain) return undefined;
  const resolveArgument = (pick) => (scope) => {
    let current = { module, given: node.arguments, scope };
    for (const level of chain) {
      if (!level.builder) continue;
      const inner = bind(index, current.module, level.builder, current.given, current.scope);
      current = { module: level.module, given: level.super, scope: inner };
    }
    return pick(current);
  };
  const base = chain.at(-1);
  const atBase = base.name === 'ToolwrightError' ? { code: 0, message: 1 } : { message: 0 };
  const texts = (position) =>
    resolveArgument((current) => textsOf(index, current.module, current.given[position], current.scope));
  return {
    node,
    parts: node.arguments,
    message: { type: 'Resolved', read: texts(atBase.message) },
    code: (scope) => (atBase.code === undefined ? [found.node.id.name] : texts(atBase.code)(scope)),
  };
}

function constructorsOf(index, { module, node }) {
  const member = node.body.body.find((part) => part.kind === 'constructor')?.value;
  const name = node.id.name;
  if (name === 'ToolwrightError' || node.superClass?.name === 'Error') {
    const call = member && superCall(member);
    // A class of its own that composes its message passes it on; the others take it as their first argument.
    const composes = name !== 'ToolwrightError' && call;
    return [{ module, name, ...(composes ? { builder: member, super: call } : {}) }];
  }
  const parent = node.superClass && declarationOf(index, module, node.superClass.name);
  if (parent?.node?.type !== 'ClassDeclaration') return undefined;
  const rest = constructorsOf(index, parent);
  return (
    rest && [{ module, name, ...(member ? { builder: member, super: superCall(member) } : {}) }, ...rest]
  );
}

function superCall(constructor) {
  const statement = constructor.body.body.find(({ expression }) => expression?.callee?.type === 'Super');
  return statement?.expression.arguments;
}

/** Values of the parameters of the function around a message: one scope for each call that brings a text of its own. */
// oxlint-disable-next-line max-params -- the same values for every call
function scopesOf(index, callers, module, node, parts, depth = 0) {
  const around = functionAround(index, node);
  const names = around ? parameterNames(around) : [];
  const used = names.filter((name) => parts.some((part) => mentions(module, part, name)));
  const calls = depth < MAX_CALLERS && used.length > 0 ? (callers.get(around) ?? []) : [];
  const scopes = calls.flatMap((call) =>
    scopesOf(index, callers, call.module, call.node, call.node.arguments, depth + 1).map((outer) =>
      bind(index, call.module, around, call.node.arguments, outer),
    ),
  );
  const telling = scopes.filter((scope) =>
    used.some((name) => scope.get(name)?.some((text) => /[a-z]{2,}[ ,:]+[a-z{]/i.test(text))),
  );
  return telling.length > 0 ? telling : [new Map()];
}

function mentions(module, part, name) {
  return new RegExp(`\\b${name}\\b`).test(module.text.slice(part.start, part.end));
}

function functionAround(index, node) {
  for (let at = index.parents.get(node); at; at = index.parents.get(at))
    if (/Function/.test(at.type)) return at;
  return undefined;
}

function callersOf(index) {
  const callers = new Map();
  for (const { module, node } of index.calls) {
    if (node.type !== 'CallExpression') continue;
    const target = targetOf(index, module, node);
    if (target) callers.set(target.node, [...(callers.get(target.node) ?? []), { module, node }]);
  }
  return callers;
}
