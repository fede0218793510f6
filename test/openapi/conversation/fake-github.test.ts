import { afterAll, beforeAll, expect, test } from 'vitest';
import { FakeGitHub } from './github/fake-github.ts';
import { openGitHub } from './github/open-github.ts';
import { connectDirectly } from '../../support/served-clients.ts';
import type { ServedClient } from '../../support/served-clients.ts';

const SHOP = { owner: 'acme', repo: 'shop' };

let github: FakeGitHub;
let client: ServedClient;
const drifts: string[] = [];
beforeAll(async () => {
  github = await FakeGitHub.start();
  const onDrift = (operation: string, problems: readonly string[]): void => {
    drifts.push(`${operation}: ${problems.join('; ')}`);
  };
  const server = await openGitHub(github, { exposure: 'flat', outputSchemas: true, onDrift });
  client = await connectDirectly('v2 auto', server);
  client.onClose(() => server.close());
});
afterAll(async () => {
  await client.close();
  github.close();
});

test.for([
  ['issues_list-for-repo', SHOP],
  ['issues_create', { ...SHOP, title: 'New', labels: ['bug'] }],
  ['issues_get', { ...SHOP, issue_number: 1 }],
  ['issues_update', { ...SHOP, issue_number: 1, state: 'closed' }],
  ['issues_add-labels', { ...SHOP, issue_number: 1, body: { labels: ['bug'] } }],
  ['issues_create-comment', { ...SHOP, issue_number: 1, body: 'Hello' }],
  ['issues_list-comments', { ...SHOP, issue_number: 1 }],
  ['pulls_get', { ...SHOP, pull_number: 7 }],
  ['pulls_list-files', { ...SHOP, pull_number: 7, per_page: 2 }],
  ['pulls_merge', { ...SHOP, pull_number: 6 }],
  ['repos_get', SHOP],
  ['repos_create-fork', SHOP],
  ['repos_get-branch', { ...SHOP, branch: 'main' }],
  ['repos_get-content', { ...SHOP, path: 'README.md' }],
  ['repos_create-or-update-file-contents', { ...SHOP, path: 'a.md', message: 'a', content: 'YQ==' }],
  ['repos_create-release', { ...SHOP, tag_name: 'v1' }],
  ['repos_list-releases', SHOP],
  ['repos_upload-release-asset', { ...SHOP, release_id: 1, name: 'a.bin', body: 'AAEC' }],
  ['repos_list-release-assets', { ...SHOP, release_id: 1 }],
  ['actions_list-workflow-runs-for-repo', SHOP],
  ['actions_list-jobs-for-workflow-run', { ...SHOP, run_id: 30433642 }],
  ['search_issues-and-pull-requests', { q: 'repo:acme/shop is:open currency in:title' }],
] as const)('the fake responds as the document describes: %s', async ([name, args]) => {
  const { isError, content } = await client.callTool(name, args);
  expect(isError ?? content).not.toBe(true);
  expect(drifts.splice(0)).toEqual([]);
});
