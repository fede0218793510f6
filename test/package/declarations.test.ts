import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { assertBuilt, createScratchFolder, ROOT } from '../support/dist.ts';

const scratch = createScratchFolder();
beforeAll(assertBuilt);
afterAll(scratch.remove);

/**
 * Exports without an explicit type: the compiler has to name each in the declaration file, and can do so only through an entry that the
 * program imports.
 */
const SOURCE = `
import {
  answer, combineMiddleware, connectInMemory, createLogger, createServer, createTool, defineActionGroup, defineActionGroupFor, defineGroupedTool,
  defineGroupedToolFor, defineMiddleware, defineMiddlewareFor, definePrompt, definePromptFor, defineResource, defineResourceFor,
  defineResourceTemplate, defineResourceTemplateFor, defineTool, defineToolFor, defineTools, defineToolsFor, error, jsonSchema, PromptsManager,
  MissingCapabilityError, required, ResourcesManager, success, tool, ToolError, toolsFrom, ToolRegistry, toonSuccess,
} from 'toolwright';
import type { Caller, ToolContext } from 'toolwright';

const inputSchema = jsonSchema<{ a: number }>({ type: 'object' });
export const schema = inputSchema;
export const add = defineTool({ name: 'add', description: 'A', inputSchema, handler: ({ input }) => input.a });
export const decorator = tool({ name: 'add', description: 'A', inputSchema });
export const decorated = toolsFrom({});
export const defineAppTool = defineToolFor<{ db: string }>();
export const defineAppTools = defineToolsFor<{ db: string }>();
export const defineAppGroup = defineActionGroupFor<{ db: string }>();
export const defineAppGroupedTool = defineGroupedToolFor<{ db: string }>();
export const defineAppMiddleware = defineMiddlewareFor<{ db: string }>();
export const defineAppPrompt = definePromptFor<{ db: string }>();
export const defineAppResource = defineResourceFor<{ db: string }>();
export const defineAppTemplate = defineResourceTemplateFor<{ db: string }>();
export const table = defineTools({ add: { description: 'A', inputSchema, handler: ({ input }) => input } });
export const needs = (missing: MissingCapabilityError) => missing.requiredCapabilities;
export class NotFound extends ToolError { constructor(...rest: ConstructorParameters<typeof ToolError>) { super(...rest); } }
export const responses = [success(1), toonSuccess(1), error('no'), required('a')] as const;

export const user = defineMiddleware(({ next }) => next({ user: 'Ada' }));
export const both = combineMiddleware(user, user);
export const answered = answer('no');
export const grouped = createTool('g').use(user).action({ name: 'a', description: 'A', handler: () => 1 });
export const group = defineActionGroup({ actions: { a: { description: 'A', handler: () => 1 } } });
export const object = defineGroupedTool({ name: 'g', actions: { a: { description: 'A', handler: () => 1 } } });
export const metadata = grouped.getActionMetadata();
export const built = grouped.buildToolDefinition();
export const executed = grouped.execute({});

export const registry = new ToolRegistry().use(user).register(add);
export const surface = registry.surface({ exposure: 'flat' });
export const found = registry.findTool('add');
export const listed = registry.listTools();
export const definitions = registry.getToolDefinitions();
export const reply = registry.handleCall({ name: 'add' });
export const result = registry.executeTool({ name: 'add' });
export const detach = () => registry.attachToServer({});

export const greet = definePrompt({ name: 'greet', template: 'Hello' });
export const prompts = new PromptsManager({ prompts: [greet] });
export const listedPrompts = prompts.getAllPrompts();
export const prompt = prompts.getPrompt({ name: 'greet' });
export const file = defineResource({ uri: 'a://b', name: 'b', text: 'b' });
export const files = defineResourceTemplate({ uriTemplate: 'a://{b}', name: 'b', contentProvider: () => 'b' });
export const resources = new ResourcesManager({ resources: [file, files] });
export const listedResources = resources.getAllResources();
export const templates = resources.getAllResourceTemplates();
export const read = resources.readResource({ uri: 'a://b' });
export const completed = (request: Parameters<typeof resources.complete>[0]) => resources.complete(request);

export const server = createServer({ name: 's', version: '1.0.0', tools: [add] });
export const memory = (caller: Caller) => connectInMemory(server, caller);
export const logger = createLogger();
export const context = ({ log, cache, client, principal, progress, ask }: ToolContext) => ({ log, cache, client, principal, progress, ask });
export const url = (context: ToolContext) => context.askUrl('sign', { message: 'Sign', url: 'https://example.com' });
export const model = (context: ToolContext) => context.askModel('sum', { messages: [], maxTokens: 1 });
export const roots = (context: ToolContext) => context.askRoots('roots');
`;

test('the declaration file of a program that imports only the root can name whatever the root gave it', () => {
  const options =
    '--ignoreConfig --strict --declaration --emitDeclarationOnly --module NodeNext --target ES2023 --lib ES2023,DOM,ESNext.Disposable,ESNext.Decorators --types node --skipLibCheck';
  writeFileSync(join(scratch.path, 'inferred.mts'), SOURCE);
  expect(compile([...options.split(' '), 'inferred.mts'])).toBe('');
  const emitted = readFileSync(join(scratch.path, 'inferred.d.mts'), 'utf8');
  expect(emitted).toContain('export declare const result: Promise<import("toolwright").McpCallToolResult>;');
  expect(emitted).not.toContain('/dist/');
});

/** Errors of the compiler. */
function compile(options: readonly string[]): string {
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  try {
    return execFileSync(process.execPath, [compiler, ...options], { cwd: scratch.path, encoding: 'utf8' });
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}
