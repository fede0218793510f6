/** Checks that every client can use a list of tools: names, roots, references, schemas, texts. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { isHidden } from './schema-facts.mjs';

const NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const MAX_DEPTH = 200;
/** Keywords whose values are data, not schemas. */
const DATA = new Set(['const', 'default', 'enum', 'examples', 'required', 'type']);
/** Keywords whose members are schemas, whatever their names. */
const NAMED = new Set(['$defs', 'properties', 'patternProperties', 'dependentSchemas']);

/**
 * Finds the defects of a list of tools: `{ tool, kind, text }`, where the kind is `schema`, `root`, `reference`, `name` or
 * `invisible`.
 *
 * @param {readonly { name: string, inputSchema: object, outputSchema?: object }[]} tools
 */
export function checkList(tools) {
  const problems = [];
  const ajv = new Ajv2020({ strict: false, logger: false });
  const names = new Map();
  for (const tool of tools) {
    const add = (kind, text) => problems.push({ tool: tool.name, kind, text });
    if (!NAME.test(tool.name)) add('name', `is not 1 to 64 letters, digits, _ or -`);
    const small = tool.name.toLowerCase();
    if (names.has(small)) add('name', `is there twice: ${names.get(small)}`);
    names.set(small, tool.name);
    if (tool.inputSchema?.type !== 'object') add('root', 'the root of the input schema is no object');
    for (const schema of [tool.inputSchema, tool.outputSchema].filter((each) => each !== undefined)) {
      for (const text of checkReferences(schema)) add('reference', text);
      const text = checkSchema(ajv, schema);
      if (text !== undefined) add('schema', text);
    }
    const hidden = findHidden(tool);
    if (hidden !== undefined) add('invisible', `${JSON.stringify(hidden)} has characters that nobody sees`);
  }
  return problems;
}

/** Validates a schema with the meta-schema, and by compiling it. */
function checkSchema(ajv, schema) {
  try {
    if (ajv.validateSchema(schema) !== true) return ajv.errorsText(ajv.errors);
    ajv.compile(schema);
    return undefined;
  } catch (error) {
    return error.message;
  } finally {
    // Keeps thousands of compiled schemas out of memory.
    ajv.removeSchema(schema);
  }
}

function checkReferences(root) {
  const problems = [];
  const visit = (node, isSchema, depth) => {
    if (typeof node !== 'object' || node === null) return;
    if (depth > MAX_DEPTH) {
      problems.push(`nested deeper than ${MAX_DEPTH} levels`);
      return;
    }
    for (const keyword of isSchema ? ['$ref', '$dynamicRef'] : []) {
      const ref = node[keyword];
      if (ref !== undefined && !leadsSomewhere(root, ref)) problems.push(`${keyword} ${JSON.stringify(ref)}`);
    }
    for (const [key, member] of Object.entries(node)) {
      if (isSchema && DATA.has(key)) continue;
      visit(member, !isSchema || !NAMED.has(key), depth + 1);
    }
  };
  visit(root, true, 0);
  return problems;
}

function leadsSomewhere(root, ref) {
  if (ref === '#') return true;
  if (typeof ref !== 'string' || !ref.startsWith('#/')) return false;
  let found = root;
  for (const step of ref.slice(2).split('/')) {
    const key = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
    found = typeof found === 'object' && found !== null && Object.hasOwn(found, key) ? found[key] : undefined;
  }
  return found !== undefined;
}

function findHidden(value) {
  if (typeof value === 'string') return isHidden(value) ? value.slice(0, 80) : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, member] of Object.entries(value)) {
    const found = findHidden(key) ?? findHidden(member);
    if (found !== undefined) return found;
  }
  return undefined;
}
