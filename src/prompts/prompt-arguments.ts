import { cutText } from '../base/cut-text.ts';
import type { Issue } from '../errors/issue.ts';
import { PromptArgument } from '../model/prompt-argument.ts';
import { compileSchema } from '../schema/checks/compile-schema.ts';
import type { CompiledSchema } from '../schema/checks/compile-schema.ts';
import { namedChildren } from '../schema/nodes/json-node.ts';
import type { SchemaNode } from '../schema/nodes/json-node.ts';
import { definePlainSchema } from '../schema/nodes/plain-schema.ts';
import { rootKeys } from '../schema/view/root-keys.ts';
import type { Schema } from '../schema/nodes/schema-types.ts';
import { SchemaView } from '../schema/view/schema-view.ts';
import { isPromiseLike } from '../base/maybe-promise.ts';
import type { Validated } from '../schema/issues/validated.ts';
import type { ToolSettings } from '../tools/compile/tool-settings.ts';
import type { AnyPromptDefinition, PromptArgumentDefinition } from './prompt-definition.ts';

/** The arguments of a prompt, as listed and as validated. */
export interface CompiledArguments {
  readonly listed: readonly PromptArgument[];
  readonly input: CompiledSchema;
}

/** Compiles the arguments of a prompt from a schema or an array. */
export function compileArguments(
  { name, inputSchema, arguments: list = [] }: AnyPromptDefinition<never>,
  settings: ToolSettings,
): CompiledArguments {
  const input = compileSchema(inputSchema ?? toSchema(list), {
    owner: `Prompt "${name}": the input schema`,
    side: 'input',
    unknownArguments: settings.unknownArguments,
    // Prompt arguments are strings. If the schema has a number, the string is parsed.
    repair: true,
    slowPatterns: settings.slowPatterns,
    logger: settings.collaborators.logger,
    jsonSchemaCompiler: settings.jsonSchemaCompiler,
  });
  const listed = inputSchema === undefined ? list.map(toListed) : listProperties(input.jsonSchema);
  return { listed, input: takingTexts(input) };
}

/** The schema of an array of arguments. */
function toSchema(list: readonly PromptArgumentDefinition[]): Schema {
  const required = list.filter((argument) => argument.required === true).map(({ name }) => name);
  const document = {
    type: 'object',
    properties: Object.fromEntries(list.map(({ name }) => [name, { type: 'string' }])),
    ...(required.length === 0 ? {} : { required }),
  };
  return definePlainSchema(document, (value) => {
    const missing = required.filter((name) => !Object.hasOwn(value, name) || value[name] === undefined);
    return missing.length === 0 ? value : missing.map((name) => ({ path: [name], message: 'is required' }));
  });
}

function toListed({ name, title, description, required }: PromptArgumentDefinition): PromptArgument {
  return new PromptArgument({ name, title, description, required: required === true });
}

function listProperties(document: SchemaNode): PromptArgument[] {
  const view = new SchemaView(document);
  const { nodes } = view.facetsOf(document);
  return rootKeys(document).names.map((name) => {
    const said = nodes
      .flatMap((node) => namedChildren(node, 'properties'))
      .flatMap(([key, child]) => (key === name ? view.facetsOf(child as SchemaNode).nodes : []));
    const required = nodes.some((node) => Array.isArray(node['required']) && node['required'].includes(name));
    return new PromptArgument({
      name,
      title: firstText(said, 'title'),
      description: firstText(said, 'description'),
      required,
    });
  });
}

function firstText(nodes: readonly SchemaNode[], keyword: string): string | undefined {
  return nodes.map((node) => node[keyword]).find((text) => typeof text === 'string');
}

/** Maximum number of reported issues. */
const MAX_ISSUES = 100;

/** The same schema for strings, the only type of prompt arguments. */
function takingTexts(input: CompiledSchema): CompiledSchema {
  return {
    ...input,
    // Arguments of a prompt are never minify hints.
    hasArgument: () => true,
    validate: (value, alsoHide) => {
      const wrong = findOthers(value as object);
      const validated = input.validate(value, alsoHide);
      if (wrong.length === 0) return validated;
      const names = new Set(wrong.map(({ path }) => path[0]));
      const join = (inner: Validated<unknown>): Validated<unknown> => {
        const others = inner.ok ? [] : inner.issues.filter(({ path }) => !names.has(path[0] ?? ''));
        return { ok: false, issues: [...wrong, ...others] };
      };
      return isPromiseLike(validated) ? validated.then(join) : join(validated);
    },
  };
}

function findOthers(given: object): Issue[] {
  return Object.entries(given)
    .filter(([, value]) => value !== undefined && typeof value !== 'string')
    .slice(0, MAX_ISSUES)
    .map(([name]) => ({ path: [cutText(name)], message: 'must be a string', expected: 'string' }));
}
