import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseSync } from 'oxc-parser';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assertBuilt, createScratchFolder, DIST, ROOT, runModule } from '../support/dist.ts';

const scratch = createScratchFolder();
beforeAll(assertBuilt);
afterAll(scratch.remove);

interface Manifest {
  readonly exports: Readonly<Record<string, unknown>>;
}

describe('the built package', () => {
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest;
  const subpaths = Object.keys(manifest.exports).filter((subpath) => !subpath.endsWith('.json'));

  test('has the subpaths it is known for', () => {
    expect(Object.keys(manifest.exports)).toEqual([
      '.',
      './auth',
      './collaborators',
      './config',
      './fetch',
      './files',
      './http',
      './json-schema',
      './middleware',
      './model',
      './openapi',
      './redis',
      './skills',
      './sqlite',
      './stdio',
      './stores',
      './strategies',
      './tasks',
      './testing',
      './config.schema.json',
      './package.json',
    ]);
  });

  test('names no repository, homepage or bug tracker, as long as there is no address', () => {
    expect(Object.keys(manifest)).toContain('license');
    expect(Object.keys(manifest)).not.toContain('repository');
    expect(Object.keys(manifest)).not.toContain('homepage');
    expect(Object.keys(manifest)).not.toContain('bugs');
  });

  test('has the JSON Schema of configurations as a file, for editors', async () => {
    const { CONFIG_SCHEMA } = await import('../../src/config.ts');
    const file = join(DIST, 'config.schema.json');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(JSON.parse(JSON.stringify(CONFIG_SCHEMA)));
  });

  test('has the public name of every error class, which logs show', async () => {
    const names = subpaths.map((subpath) => `toolwright${subpath.slice(1)}`);
    const printed = await runModule(
      scratch.path,
      'error-names.mjs',
      `const modules = await Promise.all(${JSON.stringify(names)}.map((name) => import(name)));
      const errors = modules.flatMap((module) => Object.entries(module)).filter(([, value]) => value?.prototype instanceof Error);
      const { DefinitionError, ToolError, ToolwrightError } = modules[0];
      class OwnError extends ToolError {}
      const made = [new ToolwrightError('BUSY', 'm'), new DefinitionError('m'), new OwnError('m')];
      console.log(errors.length > 10, errors.filter(([name, value]) => value.name !== name), made.map(({ name }) => name));`,
    );
    expect(printed.trim()).toBe("true [] [ 'ToolwrightError', 'DefinitionError', 'OwnError' ]");
  });

  test.each(subpaths)('%s loads in Node by its public name', async (subpath) => {
    const name = `toolwright${subpath.slice(1)}`;
    const printed = await runModule(
      scratch.path,
      'load.mjs',
      `import * as loaded from '${name}'; console.log(Object.keys(loaded).length);`,
    );
    expect(Number(printed)).toBeGreaterThan(0);
  });

  test('exports exactly these values; a change here is a change of the public API', async () => {
    const printed = await runModule(
      scratch.path,
      'names.mjs',
      `import * as loaded from 'toolwright'; console.log(Object.keys(loaded).sort().join(' '));`,
    );
    expect(printed.trim().split(' ')).toEqual([
      'ActionGroupBuilder',
      'CATEGORY_META_KEY',
      'CallRefusedError',
      'DefaultArgumentResolutionError',
      'DefinitionError',
      'DuplicateNameError',
      'ERROR_CODES',
      'ERROR_META_KEY',
      'GroupedToolBuilder',
      'InputPendingError',
      'KeyRing',
      'MissingCapabilityError',
      'MissingPeerError',
      'PromptsManager',
      'REGISTRY_DEFAULTS',
      'ResourcesManager',
      'SERVER_DEFAULTS',
      'SchemaError',
      'ToolError',
      'ToolRegistry',
      'ToolwrightError',
      'ToolwrightServer',
      'ValidationError',
      'allowRepeatedNext',
      'answer',
      'combineMiddleware',
      'connectInMemory',
      'createLogger',
      'createServer',
      'createTool',
      'defineActionGroup',
      'defineActionGroupFor',
      'defineGroupedTool',
      'defineGroupedToolFor',
      'defineMiddleware',
      'defineMiddlewareFor',
      'definePrompt',
      'definePromptFor',
      'defineResource',
      'defineResourceFor',
      'defineResourceTemplate',
      'defineResourceTemplateFor',
      'defineTool',
      'defineToolFor',
      'defineTools',
      'defineToolsFor',
      'error',
      'estimateTokens',
      'formatIssue',
      'formatPath',
      'jsonSchema',
      'required',
      'silentLogger',
      'success',
      'tool',
      'toolFor',
      'toolsFrom',
      'toonSuccess',
    ]);
  });

  test.each([
    [
      'auth',
      'JWT_DEFAULTS MemoryApiKeyStore anyOf apiKeys createApiKey custom introspection issuerPreset jwt toApiKeyRecord trustedHeaders',
    ],
    [
      'collaborators',
      'DEFAULT_RATE_LIMIT ErrorHandler ResponseFormatter UnserializableError createSecurityWrapper systemClock',
    ],
    ['fetch', 'HTTP_DEFAULTS anonymous refuse toFetchHandler'],
    ['http', 'HTTP_DEFAULTS anonymous forwardedFor refuse serveHttp toNodeHandler'],
    [
      'model',
      'BaseModel ConverterBase Group GroupConverterBase GroupItem McpGroupConverter McpPromptConverter McpResourceConverter McpToolAnnotationsConverter McpToolConverter ModelError Prompt PromptArgument PromptConverterBase Resource ResourceConverterBase Tool ToolAnnotations ToolAnnotationsConverterBase ToolConverterBase',
    ],
    [
      'openapi',
      'OPENAPI_DEFAULTS OpenAPIServer OutboundClient StaticAuthProvider countOutcomes forwardAccessToken fromOpenAPI tokenExchange',
    ],
    ['sqlite', 'sqliteStores'],
    ['stdio', 'formatClientConfig serveStdio'],
    [
      'stores',
      'MemoryCacheStore MemoryConfirmationStore MemoryEventBus MemoryEventStore MemoryRateLimitStore MemoryStateStore MemoryTaskStore createCacheHelpers',
    ],
    [
      'strategies',
      'AnnotationAggregator DEFAULT_STRATEGIES DescriptionGenerator MiddlewareCompiler SchemaGenerator SchemaUtils ToonDescriptionGenerator getGroupSummaries',
    ],
    ['tasks', 'BullMqTaskQueue startTaskWorker'],
  ])('exports from toolwright/%s exactly: %s', async (subpath, names) => {
    const printed = await runModule(
      scratch.path,
      `names-${subpath}.mjs`,
      `import * as loaded from 'toolwright/${subpath}'; console.log(Object.keys(loaded).sort().join(' '));`,
    );
    expect(printed.trim()).toBe(names);
  });

  test.each(['collaborators', 'fetch', 'model', 'stores', 'strategies'])(
    'the %s entry and all it imports use no module of Node, so that it runs anywhere',
    (entry) => {
      expect(moduleGraph(join(DIST, `${entry}.js`)).builtins).toEqual([]);
    },
  );

  test('every name has one home: no entry repeats a name of the root', () => {
    const root = exportedNames('index');
    const entries = subpaths.filter((subpath) => subpath !== '.').map((subpath) => subpath.slice(2));
    expect(root.length).toBeGreaterThan(100);
    expect(entries.flatMap((entry) => exportedNames(entry).filter((name) => root.includes(name)))).toEqual(
      [],
    );
  });

  test('the root entry and all it imports use no module of Node', () => {
    const graph = moduleGraph(join(DIST, 'index.js'));
    expect(graph.files.length).toBeGreaterThan(50);
    expect(graph.builtins).toEqual([]);
    expect(graph.packages.toSorted()).toEqual(['@toon-format/toon', 'stemmer']);
  });

  test('the search index is loaded on the first search', () => {
    const graph = moduleGraph(join(DIST, 'index.js'), { withDynamic: false });
    expect(graph.files.length).toBeGreaterThan(50);
    expect(graph.packages).toEqual(['@toon-format/toon']);
  });

  test('packs what is needed and nothing else', () => {
    const packed = execFileSync(
      'npm',
      ['pack', '--dry-run', '--ignore-scripts', '--json', '--loglevel=error'],
      {
        cwd: ROOT,
        encoding: 'utf8',
        shell: process.platform === 'win32',
      },
    );
    const [{ files }] = JSON.parse(packed) as [{ files: { path: string }[] }];
    const paths = files.map((file) => file.path);
    expect(paths.filter((path) => !path.includes('/')).toSorted()).toEqual([
      'CHANGELOG.md',
      'CONTRIBUTING.md',
      'LICENSE',
      'README.md',
      'SECURITY.md',
      'package.json',
    ]);
    expect([...new Set(paths.flatMap((path) => /^(.*?)\//.exec(path)?.[1] ?? []))].toSorted()).toEqual([
      'dist',
      'docs',
      'examples',
    ]);
    // The single modules are for our own tests; their maps, and maps of declarations, have no sources in the package.
    const built = paths.filter((path) => path.startsWith('dist/') && !path.startsWith('dist/bundle/'));
    expect(built.filter((path) => !path.endsWith('.d.ts'))).toEqual(['dist/config.schema.json']);
    expect(files.length).toBeGreaterThan(100);
  });

  test('has no source file that was not built, and no leftover that has no source', () => {
    const names = (folder: string, ending: string): string[] =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith(ending))
        .map((file) => file.slice(0, -ending.length))
        .toSorted();
    const modules = names(DIST, '.js').filter((name) => !name.startsWith('bundle/'));
    expect(modules).toEqual(names(join(ROOT, 'src'), '.ts'));
  });

  test('serves a call', async () => {
    const source = `
      import { ToolRegistry } from 'toolwright';
      import { ajvCompiler } from 'toolwright/json-schema';
      import { connectTestClient } from 'toolwright/testing';
      const registry = new ToolRegistry({ jsonSchemaCompiler: ajvCompiler() }).register({
        name: 'double', description: 'D', handler: ({ input }) => input.n * 2,
        inputSchema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
      });
      const client = connectTestClient(registry);
      console.log((await client.callTool('double', { n: 4 })).text, (await client.callTool('double', {})).isError);
    `;
    expect(await runModule(scratch.path, 'call.mjs', source)).toBe('8 true\n');
  });
});

test('a script whose only work is a call that hangs is answered before it ends', async () => {
  const source = `
    import { ToolRegistry } from 'toolwright';
    const registry = new ToolRegistry({ timeoutMs: 20 }).register({
      name: 'hang', description: 'H', inputSchema: { type: 'object' }, handler: () => new Promise(() => {}),
    });
    console.log((await registry.executeTool({ name: 'hang' })).content[0].text);
  `;
  expect(await runModule(scratch.path, 'hang.mjs', source)).toBe(
    "Tool 'hang' did not finish within 20 ms and was stopped.\n",
  );
});

/** The names of an entry, values and types. */
function exportedNames(entry: string): string[] {
  const file = join(DIST, `${entry}.d.ts`);
  const { module } = parseSync(file, readFileSync(file, 'utf8'));
  return module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ exportName }) => exportName.name ?? []),
  );
}

/** Everything reachable from a file by imports, static and dynamic. */
function moduleGraph(
  entry: string,
  { withDynamic = true } = {},
): { files: string[]; packages: string[]; builtins: string[] } {
  const files = new Set<string>();
  const packages = new Set<string>();
  const builtins = new Set<string>();
  const visit = (file: string): void => {
    if (files.has(file)) return;
    files.add(file);
    const text = readFileSync(file, 'utf8');
    const { module } = parseSync(file, text);
    const dynamic = module.dynamicImports.map(({ moduleRequest: { start, end } }) => ({
      value: text.slice(start + 1, end - 1),
    }));
    const reExports = module.staticExports.flatMap((group) =>
      group.entries.flatMap((entry) => entry.moduleRequest ?? []),
    );
    for (const { value } of [
      ...module.staticImports.map((entry) => entry.moduleRequest),
      ...reExports,
      ...(withDynamic ? dynamic : []),
    ]) {
      if (isBuiltin(value)) builtins.add(`${value} in ${relative(ROOT, file)}`);
      else {
        if (!value.startsWith('.')) packages.add(value);
        visit(fileURLToPath(import.meta.resolve(value, pathToFileURL(file).href)));
      }
    }
  };
  visit(entry);
  return { files: [...files], packages: [...packages], builtins: [...builtins] };
}
