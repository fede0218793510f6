import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { headerOf } from '../support/recording-server.ts';
import { API_VERSION, FakeGitHub, TOKEN } from './github/fake-github.ts';
import { openGitHub } from './github/open-github.ts';
import { Assistant, textOf } from './support/assistant.ts';
import { remarksOf } from './support/read-parts.ts';

const SHOP = { owner: 'acme', repo: 'shop' };

interface Issue {
  readonly number: number;
  readonly title: string;
}

describe('a conversation about issues and pull requests on GitHub', () => {
  let github: FakeGitHub;
  let assistant: Assistant;
  beforeAll(async () => {
    github = await FakeGitHub.start();
    assistant = await Assistant.connect('v2 auto', await openGitHub(github));
  });
  afterAll(async () => {
    await assistant.close();
    github.close();
    expect(github.api.strays).toEqual([]);
  });

  beforeEach(() => void github.api.take());

  test('37 operations are three tools', () => {
    expect(assistant.listed).toEqual(['search_tools', 'describe_tool', 'call_tool']);
  });

  test('issues are listed page by page, until a page names no next one', async () => {
    await assistant.find('list the issues of a repository', 'issues_list-for-repo');
    const first = await assistant.call('issues_list-for-repo', { ...SHOP, per_page: 2 });
    expect(numbersOf(first)).toEqual([5, 4]);
    expect(remarksOf(first)).toBe(
      'More results: call this tool again with {"page":2} and the other arguments as before.',
    );
    const second = await assistant.call('issues_list-for-repo', { ...SHOP, per_page: 2, page: 2 });
    expect(numbersOf(second)).toEqual([3, 2]);
    const last = await assistant.call('issues_list-for-repo', { ...SHOP, per_page: 2, page: 3 });
    expect(numbersOf(last)).toEqual([1]);
    expect(last.content).toHaveLength(1);
    expect(github.lines()).toEqual([
      'GET /repos/acme/shop/issues?per_page=2',
      'GET /repos/acme/shop/issues?per_page=2&page=2',
      'GET /repos/acme/shop/issues?per_page=2&page=3',
    ]);
  });

  test('every request carries the credentials and the headers of the API', async () => {
    await assistant.call('issues_list-for-repo', SHOP);
    const [request] = github.api.take();
    const sent = ['authorization', 'x-github-api-version', 'accept'].map(
      (name) => request && headerOf(request, name),
    );
    expect(sent).toEqual([`Bearer ${TOKEN}`, API_VERSION, 'application/json, */*;q=0.5']);
  });

  test('an invalid title is an error with what GitHub says of it; nothing is created', async () => {
    await assistant.find('create an issue', 'issues_create');
    const refused = await assistant.call('issues_create', { ...SHOP, title: '' });
    expect(refused.isError).toBe(true);
    expect(textOf(refused)).toBe(
      [
        'POST /repos/{owner}/{repo}/issues answered 422 Unprocessable Entity: {"message":"Validation Failed","errors":[{"resource":"Issue","code":"missing_field","field":"title"}],"documentation_url":"https://docs.github.com/rest","status":"422"}',
        'Check the arguments against what the API says.',
      ].join('\n'),
    );
  });

  test('a created issue is in the list, and the result says where it is', async () => {
    const args = { ...SHOP, title: 'Prices need a currency', body: 'See **currency**', labels: ['bug'] };
    const created = await assistant.call('issues_create', args);
    const [request] = github.api.take();
    expect(request?.body.toString('utf8')).toBe(
      '{"title":"Prices need a currency","body":"See **currency**","labels":["bug"]}',
    );
    expect(request && headerOf(request, 'content-type')).toBe('application/json');
    expect((JSON.parse(firstOf(created)) as Issue).number).toBe(8);
    expect(remarksOf(created)).toContain(`${github.api.origin}/repos/acme/shop/issues/8`);
    const listed = await assistant.call('issues_list-for-repo', { ...SHOP, labels: 'bug' });
    expect(numbersOf(listed)).toEqual([8]);
    expect(github.lines()).toEqual(['GET /repos/acme/shop/issues?labels=bug']);
  });

  test('a body with alternatives is sent as the schema describes it', async () => {
    await assistant.find('add labels to an issue', 'issues_add-labels');
    const labels = await assistant.readJson<{ name: string }[]>('issues_add-labels', {
      ...SHOP,
      issue_number: 8,
      body: { labels: ['checkout', 'ä&b'] },
    });
    expect(labels.map(({ name }) => name)).toEqual(['bug', 'checkout', 'ä&b']);
    const [request] = github.api.take();
    expect(request?.body.toString('utf8')).toBe('{"labels":["checkout","ä&b"]}');
    const listed = await assistant.call('issues_list-for-repo', { ...SHOP, labels: 'bug,ä&b' });
    expect(numbersOf(listed)).toEqual([8]);
    expect(github.lines()).toEqual(['GET /repos/acme/shop/issues?labels=bug%2C%C3%A4%26b']);
  });

  test('comments, until the issue is locked', async () => {
    await assistant.find('comment on an issue', 'issues_create-comment');
    await assistant.find('lock an issue', 'issues_lock');
    await assistant.find('list the comments of an issue', 'issues_list-comments');
    const eight = { ...SHOP, issue_number: 8 };
    const created = await assistant.call('issues_create-comment', { ...eight, body: 'On it.' });
    expect(remarksOf(created)).toContain(`${github.api.origin}/repos/acme/shop/issues/comments/1`);
    expect(await assistant.read('issues_lock', eight)).toBe('Done: 204 without content.');
    const refused = await assistant.call('issues_create-comment', { ...eight, body: 'Done.' });
    expect(textOf(refused)).toBe(
      [
        'POST /repos/{owner}/{repo}/issues/{issue_number}/comments answered 403 Forbidden: {"message":"Unable to create comment because issue is locked.","documentation_url":"https://docs.github.com/rest","status":"403"}',
        'The credentials of this server do not allow this.',
      ].join('\n'),
    );
    const comments = await assistant.readJson<{ body: string }[]>('issues_list-comments', eight);
    expect(comments.map(({ body }) => body)).toEqual(['On it.']);
  });

  test('a closed issue leaves the list of open ones', async () => {
    await assistant.find('update an issue', 'issues_update');
    const closing = { ...SHOP, issue_number: 5, state: 'closed', state_reason: 'not_planned' };
    const closed = await assistant.readJson<{ state: string }>('issues_update', closing);
    expect(closed.state).toBe('closed');
    expect(numbersOf(await assistant.call('issues_list-for-repo', SHOP))).toEqual([8, 4, 3, 2, 1]);
    const all = await assistant.call('issues_list-for-repo', { ...SHOP, state: 'all', per_page: 3 });
    expect(numbersOf(all)).toEqual([8, 5, 4]);
  });

  test('an issue is read again only if it has changed', async () => {
    await assistant.find('get an issue', 'issues_get');
    const read = await assistant.call('issues_get', { ...SHOP, issue_number: 4 });
    const [, etag = ''] = /ETag: (W\/"[0-9a-f]{16}")/i.exec(remarksOf(read)) ?? [];
    expect(etag).toBe('W/"ba6d4b7119654427"');
    const again = { ...SHOP, issue_number: 4, 'If-None-Match': etag };
    expect(await assistant.read('issues_get', again)).toBe(
      'GET /repos/{owner}/{repo}/issues/{issue_number} answered 304 Not Modified: nothing has changed since the requested version.',
    );
    await assistant.call('issues_update', { ...SHOP, issue_number: 4, title: 'Login is slow' });
    expect((await assistant.readJson<Issue>('issues_get', again)).title).toBe('Login is slow');
  });

  test('an issue that does not exist', async () => {
    const missing = await assistant.call('issues_get', { ...SHOP, issue_number: 999 });
    expect(missing.isError).toBe(true);
    expect(textOf(missing)).toBe(
      [
        'GET /repos/{owner}/{repo}/issues/{issue_number} answered 404 Not Found: {"message":"Not Found","documentation_url":"https://docs.github.com/rest","status":"404"}',
        'The id or another part of the address may be wrong, or the credentials may not see it.',
      ].join('\n'),
    );
  });

  test('wrong arguments are named before anything is sent', async () => {
    const wrong = { owner: 'acme', issue_number: 'four', number: 4 };
    const refused = await assistant.client.callTool('call_tool', { name: 'issues_get', arguments: wrong });
    expect(refused.isError).toBe(true);
    expect(codeOf(refused)).toBe('INVALID_ARGUMENTS');
    for (const name of ['repo', 'issue_number', 'number']) expect(textOf(refused)).toContain(`- ${name}: `);
    await expect(assistant.call('issues_get', wrong)).rejects.toThrow('its schema has no number');
    expect(github.lines()).toEqual([]);
  });

  test('a pull request is merged once', async () => {
    await assistant.find('merge a pull request', 'pulls_merge');
    await assistant.find('check if a pull request has been merged', 'pulls_check-if-merged');
    const six = { ...SHOP, pull_number: 6 };
    const moved = await assistant.call('pulls_merge', {
      ...six,
      body: { sha: '0'.repeat(40), merge_method: 'squash' },
    });
    expect(textOf(moved)).toBe(
      [
        'PUT /repos/{owner}/{repo}/pulls/{pull_number}/merge answered 409 Conflict: {"message":"Head branch was modified. Review and try the merge again.","documentation_url":"https://docs.github.com/rest","status":"409"}',
        'This conflicts with the present state: read it again, then decide.',
      ].join('\n'),
    );
    const open = await assistant.call('pulls_check-if-merged', six);
    expect(textOf(open)).toMatch(/^GET .* answered 404 Not Found/);
    expect(await assistant.readJson('pulls_merge', { ...six, body: { merge_method: 'squash' } })).toEqual({
      sha: '6dcb09b5b57875f334f61aebed695e2e4193db5e',
      merged: true,
      message: 'Pull Request successfully merged',
    });
    const again = await assistant.call('pulls_merge', six);
    expect(textOf(again)).toBe(
      [
        'PUT /repos/{owner}/{repo}/pulls/{pull_number}/merge answered 405 Method Not Allowed: {"message":"Pull Request is not mergeable","documentation_url":"https://docs.github.com/rest","status":"405"}',
        'The API does not allow this operation here, or not in the present state.',
      ].join('\n'),
    );
    expect(await assistant.read('pulls_check-if-merged', six)).toBe('Done: 204 without content.');
  });

  test('a DELETE with a body', async () => {
    await assistant.find(
      'remove requested reviewers from a pull request',
      'pulls_remove-requested-reviewers',
    );
    const args = { ...SHOP, pull_number: 7, reviewers: ['hubot'] };
    const pull = await assistant.readJson<{ requested_reviewers: object[] }>(
      'pulls_remove-requested-reviewers',
      args,
    );
    expect(pull.requested_reviewers).toEqual([{ login: 'octocat' }]);
    const [request] = github.api.take();
    expect(request?.body.toString('utf8')).toBe('{"reviewers":["hubot"]}');
  });
});

function firstOf(result: Awaited<ReturnType<Assistant['call']>>): string {
  const [block] = result.content;
  return block?.type === 'text' ? block.text : '';
}

function numbersOf(result: Awaited<ReturnType<Assistant['call']>>): number[] {
  return (JSON.parse(firstOf(result)) as Issue[]).map(({ number }) => number);
}

function codeOf({ _meta }: Awaited<ReturnType<Assistant['call']>>): string | undefined {
  return (_meta?.['toolwright/error'] as { code: string } | undefined)?.code;
}
