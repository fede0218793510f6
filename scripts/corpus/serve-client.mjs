/** Serves tools to the official client, in memory, and finds its errors. */
import { Client } from '@modelcontextprotocol/client';

const INFO = { name: 'corpus', version: '1' };

/**
 * Finds the errors of the official client with a server: `{ exposure, kind: 'client', tool, text }`. The client lists all pages; in the
 * exposure `search` it also searches for a tool and gets its schema.
 *
 * @param {(server: object) => object} connectInMemory
 * @param {{ server: object, exposure: string, names: readonly string[] }} served
 */
export async function serveToClient(connectInMemory, { server, exposure, names }) {
  const client = new Client(INFO, { versionNegotiation: { mode: 'auto' } });
  const problems = [];
  const add = (text, tool) => problems.push({ exposure, kind: 'client', tool, text });
  try {
    await client.connect(connectInMemory(server));
    const { tools } = await client.listTools();
    const listed = tools.map(({ name }) => name);
    if (JSON.stringify(listed) !== JSON.stringify(names))
      add(`the client lists ${listed.length} tools of ${names.length}`);
    if (exposure === 'search') await findAndDescribe(client, add);
  } catch (error) {
    add(`the client failed: ${error.message}`);
  } finally {
    await client.close();
  }
  return problems;
}

async function findAndDescribe(client, add) {
  const found = await client.callTool({ name: 'search_tools', arguments: { query: 'list' } });
  if (found.isError === true) return add(textOf(found), 'search_tools');
  const name = findName(found.structuredContent ?? textOf(found));
  if (name === undefined) return undefined;
  const described = await client.callTool({ name: 'describe_tool', arguments: { names: [name] } });
  return described.isError === true ? add(textOf(described), 'describe_tool') : undefined;
}

/** The first name in an object, or in a text that contains one. */
function findName(value) {
  if (typeof value === 'string') return /"name":\s*"([^"]+)"/.exec(value)?.[1];
  return findName(JSON.stringify(value));
}

function textOf({ content = [] }) {
  return content.map(({ text = '' }) => text).join('\n');
}
