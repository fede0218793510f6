import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import MiniSearch from 'minisearch';
import { addressOf, silentLogger, ToolRegistry } from '../library.mjs';

const { fromOpenAPI } = await import(addressOf('openapi.ts'));

const QUESTIONS = fileURLToPath(new URL('questions', import.meta.url));

/** The questions of each API, with the name of its document. */
export function readQuestions() {
  const files = readdirSync(QUESTIONS).filter((file) => file.endsWith('.json'));
  return files.toSorted().map((file) => JSON.parse(readFileSync(join(QUESTIONS, file), 'utf8')));
}

/** The documents found in one of the folders, and the missing ones. */
export function findDocuments(apis, folders) {
  const placed = apis.map((api) => {
    const file = folders.map((folder) => join(folder, api.document)).find((path) => existsSync(path));
    return { ...api, file };
  });
  return {
    found: placed.filter(({ file }) => file !== undefined),
    missing: placed.filter(({ file }) => file === undefined),
  };
}

/** A document and its search functions; each returns keys of operations, such as `GET /pets/{id}`. */
export async function openDocument(file) {
  const registry = new ToolRegistry({ name: 'search', logger: silentLogger, exposure: 'search' });
  const imported = await fromOpenAPI(file, { registry, baseUrl: 'https://api.example.com' });
  const keys = new Map(imported.report.operations.map(({ name, key }) => [name, key]));
  const toKeys = (names) => names.map((name) => keys.get(name) ?? name);
  const mini = miniSearchOf(imported.tools, registry);
  return {
    count: imported.tools.length,
    close: () => imported.close(),
    searches: {
      search_tools: async (query, limit) => {
        const result = await registry.executeTool({ name: 'search_tools', arguments: { query, limit } });
        const { tools } = JSON.parse(result.content[0].text);
        return toKeys(tools.map(({ name }) => name));
      },
      'MiniSearch, defaults': async (query, limit) => {
        const hits = mini.search(query);
        return toKeys(hits.slice(0, limit).map(({ id }) => id));
      },
    },
  };
}

/** The same texts in the same fields, ranked by MiniSearch without options. */
function miniSearchOf(tools, registry) {
  const listed = new Map(
    registry
      .surface({ exposure: 'flat' })
      .listTools()
      .map((tool) => [tool.name, tool]),
  );
  const index = new MiniSearch({
    idField: 'name',
    fields: ['name', 'description', 'tags', 'arguments'],
  });
  index.addAll(
    tools.map(({ name, description, tags = [] }) => {
      const properties = Object.entries(listed.get(name)?.inputSchema.properties ?? {});
      const args = properties.map(([key, value]) => `${key} ${value.description ?? ''}`);
      return { name, description, tags: tags.join(' '), arguments: args.join(' ') };
    }),
  );
  return index;
}
