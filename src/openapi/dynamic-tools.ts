import { ToolError, ValidationError } from '../errors/errors.ts';
import type { Issue } from '../errors/issue.ts';
import { didYouMean } from '../errors/nearest-names.ts';
import type { ToolContext } from '../middleware/context.ts';
import { hasScopes } from '../pipeline/tool/policy.ts';
import { definePlainSchema } from '../schema/nodes/plain-schema.ts';
import type { PlainIssue } from '../schema/nodes/plain-schema.ts';
import type { SchemaNode } from '../schema/nodes/json-node.ts';
import type { StandardSchema } from '../schema/nodes/schema-types.ts';
import { REGISTRY_DEFAULTS } from '../tools/compile/tool-settings.ts';
import type { AnyToolDefinition } from '../tools/tool-definition.ts';
import { documentOf } from './model/document-of.ts';
import type { OpenApiReport } from './model/import-report.ts';

/** An operation that the three tools can list, describe and call. */
interface Endpoint {
  /** `GET /pets/{id}`. */
  readonly key: string;
  readonly method: string;
  readonly path: string;
  readonly operationId: string | undefined;
  readonly tool: AnyToolDefinition;
}

type Context = ToolContext;
type Input = Readonly<Record<string, unknown>>;

const PAGE = 100;

/**
 * Three tools that replace one tool per operation: list, describe, call. Their names and arguments follow other
 * OpenAPI servers; the `search` exposure of a registry does the same for all of its tools.
 */
export function createDynamicTools(
  tools: readonly AnyToolDefinition[],
  report: OpenApiReport,
  namespace = '',
): AnyToolDefinition[] {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const endpoints = report.operations.flatMap(({ key, name, operationId }): Endpoint[] => {
    const tool = byName.get(name ?? '');
    const [method = '', ...path] = key.split(' ');
    return tool === undefined ? [] : [{ key, method, path: path.join(' '), operationId, tool }];
  });
  const prefix = namespace === '' ? '' : `${namespace}_`;
  const own = [listTool(endpoints, report), schemaTool(endpoints), invokeTool(endpoints)];
  // A tool with confirmation is called directly: a confirmation token is bound to one tool and its arguments.
  const confirmed = tools.filter(({ confirm }) => confirm !== undefined);
  // Misplaced arguments are rejected, not dropped: they may ask for the next page or the rest of a response.
  const named = own.map((tool) => ({
    ...tool,
    name: `${prefix}${tool.name}`,
    unknownArguments: 'keep' as const,
  }));
  return [...named, ...confirmed];
}

function listTool(endpoints: readonly Endpoint[], { title }: OpenApiReport): AnyToolDefinition {
  return {
    name: 'list-api-endpoints',
    description: `Lists the operations of ${title}: method, path and what each does. Use query to find some of them.`,
    annotations: READS,
    inputSchema: objectSchema({
      query: { type: 'string', description: 'Words that the operation has in its path, name or description' },
      tag: { type: 'string' },
      page: { type: 'integer', minimum: 1, description: `${PAGE} operations a page` },
    }),
    handler: ({ input, context }: { input: Input; context: Context }) => {
      const found = endpoints.filter((endpoint) => isVisible(endpoint, context) && fits(endpoint, input));
      const page = typeof input['page'] === 'number' ? input['page'] : 1;
      const shown = found.slice((page - 1) * PAGE, page * PAGE);
      const rest = found.length - page * PAGE;
      return {
        total: found.length,
        endpoints: shown.map(({ key, tool }) => ({
          endpoint: key,
          name: tool.name,
          description: firstLine(tool.description),
        })),
        ...(rest > 0 ? { next: `${rest} more: page ${page + 1}` } : {}),
      };
    },
  };
}

function schemaTool(endpoints: readonly Endpoint[]): AnyToolDefinition {
  return {
    name: 'get-api-endpoint-schema',
    description: 'Describes one operation: what it does and the JSON Schema of its params.',
    annotations: READS,
    inputSchema: objectSchema({ endpoint: ENDPOINT, method: METHOD }, ['endpoint']),
    handler: ({ input, context }: { input: Input; context: Context }) => {
      const { key, tool } = findEndpoint(endpoints, input, context);
      return { endpoint: key, name: tool.name, description: tool.description, params: documentOf(tool) };
    },
  };
}

function invokeTool(endpoints: readonly Endpoint[]): AnyToolDefinition {
  return {
    name: 'invoke-api-endpoint',
    description: 'Calls an operation with params that fit its schema (see get-api-endpoint-schema).',
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    inputSchema: objectSchema({ endpoint: ENDPOINT, method: METHOD, params: { type: 'object' } }, [
      'endpoint',
    ]),
    maxResultBytes: Math.max(...endpoints.map(({ tool }) => tool.maxResultBytes ?? 0), DEFAULT_BYTES),
    secrets: [...new Set(endpoints.flatMap(({ tool }) => tool.secrets ?? []))].map(
      (path) => `params.${path}`,
    ),
    handler: async ({ input, context }: { input: Input; context: Context }) => {
      const { key, tool } = findEndpoint(endpoints, input, context);
      if (tool.confirm !== undefined)
        throw new ToolError(`${key} requires confirmation: call the tool ${tool.name} directly.`);
      const { params = {} } = input as { params?: Input };
      const checked = await (tool.inputSchema as StandardSchema)['~standard'].validate(params);
      if (checked.issues !== undefined) throw toInvalid(checked.issues as readonly Issue[]);
      try {
        return await tool.handler({ input: checked.value as never, context });
      } catch (error) {
        throw error instanceof ValidationError ? toInvalid(error.issues) : error;
      }
    },
  };
}

/** Prefixes the paths of issues with `params`. */
function toInvalid(issues: readonly Issue[]): ValidationError {
  const shown = issues.slice(0, MAX_ISSUES);
  return new ValidationError(shown.map(({ path, message }) => ({ path: ['params', ...path], message })));
}

const MAX_ISSUES = 20;

const { maxResultBytes: DEFAULT_BYTES } = REGISTRY_DEFAULTS;

const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
const ENDPOINT = { type: 'string', description: 'Such as "GET /pets/{id}", its path, or its name' };
const METHOD = { type: 'string', description: 'Of the path, if it has several' };

/** Validates the few arguments of our own without a schema library. */
function objectSchema(
  properties: Readonly<Record<string, SchemaNode>>,
  required: readonly string[] = [],
): ReturnType<typeof definePlainSchema> {
  const document = { type: 'object', properties, ...(required.length > 0 ? { required } : {}) };
  return definePlainSchema(document, (value): Input | readonly PlainIssue[] => {
    const missing = required.filter((name) => value[name] === undefined);
    const wrong = Object.entries(properties).filter(
      ([name, { type }]) => value[name] !== undefined && !isOfType(value[name], type),
    );
    const strangers = Object.keys(value).filter((name) => !Object.hasOwn(properties, name));
    const known = Object.keys(properties).join(', ');
    const issues = [
      ...strangers.map((name) => ({ path: [name], message: `is unknown. Known: ${known}` })),
      ...missing.map((name) => ({ path: [name], message: 'is required' })),
      ...wrong.map(([name, { type }]) => ({ path: [name], message: `must be ${String(type)}` })),
    ];
    return issues.length > 0 ? issues : value;
  });
}

function isOfType(value: unknown, type: unknown): boolean {
  if (type === 'integer') return Number.isSafeInteger(value) && (value as number) > 0;
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  return typeof value === type;
}

/** Operations that the caller may not use are handled like unknown ones. */
function isVisible({ tool }: Endpoint, { principal }: Context): boolean {
  return hasScopes(tool.scopes ?? [], { principal });
}

function fits({ key, tool, operationId }: Endpoint, { query, tag }: Input): boolean {
  const text = `${key} ${tool.name} ${operationId ?? ''} ${tool.description}`.toLowerCase();
  const words = typeof query === 'string' ? query.toLowerCase().split(/\s+/) : [];
  const wanted = typeof tag === 'string' ? tag.toLowerCase() : undefined;
  const isTagged = wanted === undefined || (tool.tags ?? []).some((each) => each.toLowerCase() === wanted);
  return isTagged && words.every((word) => text.includes(word));
}

function findEndpoint(
  endpoints: readonly Endpoint[],
  { endpoint, method }: Input,
  context: Context,
): Endpoint {
  const wanted = String(endpoint);
  const asked = typeof method === 'string' ? method.toUpperCase() : undefined;
  const visible = endpoints.filter((each) => isVisible(each, context));
  const found = visible.filter(
    ({ key, path, tool, operationId, ...each }) =>
      [key, path, tool.name, operationId].includes(wanted) && (asked === undefined || each.method === asked),
  );
  const [only] = found;
  if (only === undefined) {
    const known = visible.flatMap(({ key, path, tool }) => [key, path, tool.name]);
    throw new ToolError(`Unknown operation "${wanted}".${didYouMean(wanted, known)} See list-api-endpoints.`);
  }
  if (found.length === 1) return only;
  const choices = found.map(({ key }) => key).join(', ');
  throw new ToolError(`Several operations match "${wanted}": ${choices}. Name one of them.`);
}

function firstLine(text: string): string {
  const [line = ''] = text.split('\n');
  return line.length > 160 ? `${line.slice(0, 159)}\u2026` : line;
}
