import { describe, expect, test } from 'vitest';
import { createServer } from '../../src/index.ts';
import type { Caller, ToolwrightServer } from '../../src/index.ts';
import { fromOpenAPI } from '../../src/openapi.ts';
import { CLIENTS, connectDirectly } from '../support/served-clients.ts';
import type { ServedClient } from '../support/served-clients.ts';

type Row = [operationId: string, endpoint: string, summary: string, description?: string];

/** A small document like that of a Git host: many operations mention "pull request", one merges it. */
const ROWS: readonly Row[] = [
  ['pulls/list', 'GET /repos/{repo}/pulls', 'List pull requests', 'Draft pull requests can merge later.'],
  ['pulls/create', 'POST /repos/{repo}/pulls', 'Create a pull request', 'To open a pull request to merge.'],
  [
    'pulls/get',
    'GET /repos/{repo}/pulls/{number}',
    'Get a pull request',
    'Merge a pull request: see `mergeable`.',
  ],
  ['pulls/update', 'PATCH /repos/{repo}/pulls/{number}', 'Update a pull request'],
  [
    'pulls/check-if-merged',
    'GET /repos/{repo}/pulls/{number}/merge',
    'Check if a pull request has been merged',
  ],
  [
    'pulls/merge',
    'PUT /repos/{repo}/pulls/{number}/merge',
    'Merge a pull request',
    'Merges it into the base branch.',
  ],
  ['pulls/update-branch', 'PUT /repos/{repo}/pulls/{number}/update-branch', 'Update a pull request branch'],
  ['repos/merge', 'POST /repos/{repo}/merges', 'Merge a branch'],
  ['repos/list-forks', 'GET /repos/{repo}/forks', 'List forks', 'A fork of a repository is a copy of it.'],
  ['repos/create-fork', 'POST /repos/{repo}/forks', 'Create a fork', 'Create a fork of a repository.'],
  ['repos/get', 'GET /repos/{repo}', 'Get a repository', 'The source is the fork of a repository.'],
  ['repos/delete', 'DELETE /repos/{repo}', 'Delete a repository', 'Forks stay.'],
  ['issues/create', 'POST /repos/{repo}/issues', 'Create an issue'],
  ['issues/list-labels', 'GET /repos/{repo}/labels', 'List labels for a repository'],
  ['issues/delete-label', 'DELETE /repos/{repo}/labels/{name}', 'Delete a label'],
  ['meta/tags', 'GET /zeniths', 'Returns data'],
  ['gists/list', 'GET /gists', 'List gists'],
  ['gists/star', 'PUT /gists/{id}/star', 'Star a gist'],
  ['teams/add-member', 'PUT /teams/{id}/members/{name}', 'Add a team member'],
  ['teams/remove-member', 'DELETE /teams/{id}/members/{name}', 'Remove a team member'],
  ['checks/create', 'POST /repos/{repo}/check-runs', 'Create a check run'],
  ['actions/list-secrets', 'GET /repos/{repo}/actions/secrets', 'List repository secrets'],
  ['actions/cancel-run', 'POST /repos/{repo}/actions/runs/{id}/cancel', 'Cancel a workflow run'],
  ['git/create-tag', 'POST /repos/{repo}/git/tags', 'Create a tag object'],
  ['users/get', 'GET /users/{name}', 'Get a user'],
  ['users/block', 'PUT /user/blocks/{name}', 'Block a user'],
  ['codespaces/start', 'POST /user/codespaces/{name}/start', 'Start a codespace'],
  ['licenses/get', 'GET /licenses/{name}', 'Get a license'],
];

function toDocument(): Record<string, unknown> {
  const paths: Record<string, Record<string, object>> = {};
  for (const [operationId, endpoint, summary, description] of ROWS) {
    const [method = '', path = ''] = endpoint.toLowerCase().split(' ');
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const isNoisy = description !== undefined && operationId !== 'pulls/merge';
    const parameters = [
      ...named.map((name) => ({ name, in: 'path', required: true })),
      ...(isNoisy ? [NOISE] : []),
    ].map((each) => ({ schema: { type: 'string' }, ...each }));
    paths[path] ??= {};
    paths[path][method] = {
      operationId,
      summary,
      ...(description === undefined ? {} : { description }),
      tags: [operationId.split('/')[0]],
      parameters,
      responses: { 200: { description: 'ok' } },
    };
  }
  return { openapi: '3.1.0', info: { title: 'Repositories', version: '1' }, paths };
}

/** A parameter description that contains the words of the questions. */
const NOISE = {
  name: 'note',
  in: 'query',
  description:
    'Merge a pull request, fork a repository: a merge of a pull request forks the repository, merge a pull.',
};

async function serve(more: object = {}): Promise<ToolwrightServer> {
  const imported = await fromOpenAPI(toDocument(), { baseUrl: 'https://api.example.com' });
  return createServer({ name: 'git', version: '1', tools: imported.tools, exposure: 'search', ...more });
}

async function search(client: ServedClient, args: object): Promise<string[]> {
  const { tools } = JSON.parse(await client.callText('search_tools', args)) as { tools: { name: string }[] };
  return tools.map(({ name }) => name);
}

describe.each(CLIENTS)('search over imported operations, through the client $client', ({ client: name }) => {
  test.each([
    ['merge a pull request', 'pulls_merge'],
    ['fork a repository', 'repos_create-fork'],
    ['open an issue', 'issues_create'],
    ['remove a label', 'issues_delete-label'],
    ['edit a pull request', 'pulls_update'],
    ['show a repository', 'repos_get'],
    ['zenith', 'meta_tags'],
  ])('%s', async (query, expected) => {
    await using client = await connectDirectly(name, await serve());
    expect((await search(client, { query }))[0]).toBe(expected);
  });

  test('several phrasings are merged, and the client validates what is advertised', async () => {
    await using client = await connectDirectly(name, await serve());
    const [listed] = await client.listTools();
    expect(listed?.inputSchema['properties']).toMatchObject({
      query: { type: 'string' },
      queries: { type: 'array', items: { type: 'string' } },
    });
    const queries = ['merge a pull request', 'delete a label'];
    const found = await search(client, { query: 'integrate the contribution', queries, limit: 2 });
    expect(found.toSorted()).toEqual(['issues_delete-label', 'pulls_merge']);
  });

  test('a pinned operation is listed beside the search tools', async () => {
    await using client = await connectDirectly(name, await serve({ pinned: ['repos_get'] }));
    const names = (await client.listTools()).map((tool) => tool.name);
    expect(names).toEqual(['search_tools', 'describe_tool', 'call_tool', 'repos_get']);
  });
});

test('operations that a caller may not see are neither found nor listed', async () => {
  const policy = ({ tool }: { tool: string }, caller: Caller): boolean =>
    tool !== 'pulls_merge' || caller.principal?.id === 'ada';
  const server = await serve({ policy, pinned: ['pulls_merge', 'repos_get'] });
  await using client = await connectDirectly('v2 auto', server);
  expect(await search(client, { query: 'merge a pull request', limit: 25 })).not.toContain('pulls_merge');
  expect((await client.listTools()).map((tool) => tool.name)).not.toContain('pulls_merge');
});
