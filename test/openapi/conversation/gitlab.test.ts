import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { headerOf } from '../support/recording-server.ts';
import { readFormFields } from '../support/read-request.ts';
import { FakeGitLab } from './gitlab/fake-gitlab.ts';
import { openGitLab, SCREENSHOT } from './gitlab/open-gitlab.ts';
import { Assistant, textOf } from './support/assistant.ts';
import { firstTexts, readParts, remarksOf } from './support/read-parts.ts';

const SHOP = { id: 'acme/shop' };
const ISSUES = 'getApiV4ProjectsIdIssues';

describe.each(['v1', 'v2 auto'] as const)('a conversation about a project on GitLab, client %s', (client) => {
  let gitlab: FakeGitLab;
  let assistant: Assistant;
  const drifts: string[] = [];
  beforeAll(async () => {
    gitlab = await FakeGitLab.start();
    assistant = await Assistant.connect(client, await openGitLab(gitlab, drifts));
  });
  afterAll(async () => {
    await assistant.close();
    gitlab.close();
    expect(gitlab.api.strays).toEqual([]);
    expect(drifts).toEqual([]);
  });

  beforeEach(() => void gitlab.api.take());

  test('a project by its path is one segment, encoded once', async () => {
    await assistant.find('get a single project', 'getApiV4ProjectsId');
    const project = await assistant.readJson<{ id: number }>('getApiV4ProjectsId', SHOP);
    expect(project.id).toBe(42);
    const nested = await assistant.readJson<{ id: number }>('getApiV4ProjectsId', { id: 'acme/tools/cli' });
    expect(nested.id).toBe(43);
    expect((await assistant.readJson<{ name: string }>('getApiV4ProjectsId', { id: 44 })).name).toBe('docs');
    expect(gitlab.lines()).toEqual([
      'GET /api/v4/projects/acme%2Fshop',
      'GET /api/v4/projects/acme%2Ftools%2Fcli',
      'GET /api/v4/projects/44',
    ]);
  });

  test('a project that was moved is followed to its new address', async () => {
    const project = await assistant.readJson<{ path_with_namespace: string }>('getApiV4ProjectsId', {
      id: 'acme/old-shop',
    });
    expect(project.path_with_namespace).toBe('acme/shop');
    expect(gitlab.lines()).toEqual([
      'GET /api/v4/projects/acme%2Fold-shop',
      'GET /api/v4/projects/42?statistics=false',
    ]);
  });

  test('projects by keyset pagination: the Link header names the argument', async () => {
    await assistant.find('list projects', 'getApiV4Projects');
    const args = { pagination: 'keyset', order_by: 'id', sort: 'asc', per_page: 2 };
    const ids: number[] = [];
    let more: object = {};
    for (let page = 1; page <= 3; page += 1) {
      const result = await assistant.call('getApiV4Projects', { ...args, ...more });
      ids.push(...listIn<{ id: number }>(result).map(({ id }) => id));
      const [, next] = /call this tool again with (\{.*\}) and/.exec(remarksOf(result)) ?? [];
      expect(next).toBe([undefined, '{"id_after":43}', '{"id_after":45}', undefined][page]);
      more = next === undefined ? {} : (JSON.parse(next) as object);
    }
    expect(ids).toEqual([42, 43, 44, 45, 46]);
    expect(gitlab.lines()).toEqual([
      'GET /api/v4/projects?order_by=id&sort=asc&pagination=keyset&per_page=2',
      'GET /api/v4/projects?order_by=id&sort=asc&pagination=keyset&id_after=43&per_page=2',
      'GET /api/v4/projects?order_by=id&sort=asc&pagination=keyset&id_after=45&per_page=2',
    ]);
  });

  test('a Link header with defaults: the next arguments have the types of the schema', async () => {
    const first = await assistant.call('getApiV4Projects', { per_page: 4 });
    const [, next = ''] = /call this tool again with (\{.*\}) and/.exec(remarksOf(first)) ?? [];
    expect(next).toBe('{"membership":false,"order_by":"created_at","sort":"desc","page":2}');
    const args = { per_page: 4, ...(JSON.parse(next) as object) };
    const second = await assistant.call('getApiV4Projects', args);
    expect(listIn<{ id: number }>(second).map(({ id }) => id)).toEqual([46]);
    expect(gitlab.lines()).toEqual([
      'GET /api/v4/projects?per_page=4',
      'GET /api/v4/projects?membership=false&order_by=created_at&sort=desc&page=2&per_page=4',
    ]);
  });

  test('a tree by keyset pagination with a token', async () => {
    await assistant.choose('list the files of a repository', 'getApiV4ProjectsIdRepositoryTree');
    const args = { ...SHOP, recursive: true, pagination: 'keyset', per_page: 3 };
    const first = await assistant.call('getApiV4ProjectsIdRepositoryTree', args);
    const [, next = '{}'] = /call this tool again with (\{.*\}) and/.exec(remarksOf(first)) ?? [];
    expect(next).toBe('{"page_token":"7372632f6d61696e2e7473000000000000000000"}');
    const second = await assistant.call('getApiV4ProjectsIdRepositoryTree', {
      ...args,
      ...(JSON.parse(next) as object),
    });
    const paths = [first, second].flatMap((page) => listIn<{ path: string }>(page).map(({ path }) => path));
    expect(paths).toEqual([
      'README.md',
      'package.json',
      'src/main.ts',
      'src/vat/rates.ts',
      'test/vat.test.ts',
    ]);
    expect(remarksOf(second)).toBe('');
  });

  test('issues by page, with X-Next-Page', async () => {
    await assistant.find('list the issues of a project', ISSUES);
    const first = await assistant.call(ISSUES, { ...SHOP, state: 'opened', per_page: 3 });
    expect(listIn<{ iid: number }>(first).map(({ iid }) => iid)).toEqual([5, 4, 3]);
    expect(remarksOf(first)).toBe(
      'More results: call this tool again with {"page":2} and the other arguments as before.',
    );
    const second = await assistant.call(ISSUES, { ...SHOP, state: 'opened', per_page: 3, page: 2 });
    expect(listIn<{ iid: number }>(second).map(({ iid }) => iid)).toEqual([2, 1]);
    expect(remarksOf(second)).toBe('');
    expect(gitlab.lines()).toEqual([
      'GET /api/v4/projects/acme%2Fshop/issues?state=opened&per_page=3',
      'GET /api/v4/projects/acme%2Fshop/issues?state=opened&page=2&per_page=3',
    ]);
  });

  test('arrays in the query, each in its style', async () => {
    const { inputSchema } = await assistant.describe(ISSUES);
    const name = Object.keys((inputSchema as { properties: object }).properties).find((key) =>
      key.startsWith('iids'),
    );
    expect(name).toBe('iids');
    const found = await assistant.call(ISSUES, { ...SHOP, iids: [2, 3] });
    expect(listIn<{ iid: number }>(found).map(({ iid }) => iid)).toEqual([3, 2]);
    const none = await assistant.call(ISSUES, { ...SHOP, labels: ['a b', 'c&d'] });
    expect(listIn(none)).toEqual([]);
    expect(gitlab.lines()).toEqual([
      'GET /api/v4/projects/acme%2Fshop/issues?iids%5B%5D=2&iids%5B%5D=3',
      'GET /api/v4/projects/acme%2Fshop/issues?labels=a%20b,c%26d',
    ]);
  });

  test('a screenshot is uploaded, and linked in a new issue', async () => {
    await assistant.find('upload a file', 'postApiV4ProjectsIdUploads');
    await assistant.find('create an issue', 'postApiV4ProjectsIdIssues');
    const upload = await assistant.readJson<{ markdown: string }>('postApiV4ProjectsIdUploads', {
      ...SHOP,
      file: { uri: 'memory://shots/cart.png' },
    });
    const [request] = gitlab.api.take();
    expect(request && (await readFormFields(request))).toEqual([
      ['file', { name: 'cart.png', type: 'image/png', base64: SCREENSHOT.toString('base64') }],
    ]);
    const secret = createHash('md5').update(SCREENSHOT).digest('hex');
    expect(upload.markdown).toBe(`![cart](/uploads/${secret}/cart.png)`);
    const issue = await assistant.readJson<{ iid: number }>('postApiV4ProjectsIdIssues', {
      ...SHOP,
      title: 'Cart is shown twice',
      description: upload.markdown,
      labels: ['cart'],
      due_date: '2026-12-01',
    });
    expect(issue.iid).toBe(6);
    const listed = await assistant.call(ISSUES, { ...SHOP, labels: ['cart'] });
    expect(listIn<{ title: string }>(listed).map(({ title }) => title)).toEqual(['Cart is shown twice']);
  });

  test('the error of the API for a blank title', async () => {
    const refused = await assistant.call('postApiV4ProjectsIdIssues', { ...SHOP, title: ' ' });
    expect(refused.isError).toBe(true);
    expect(textOf(refused)).toBe(
      [
        'POST /api/v4/projects/{id}/issues answered 400 Bad Request: {"message":{"title":["can\'t be blank"]}}',
        'Check the arguments against what the API says.',
      ].join('\n'),
    );
  });

  test('an issue gets a comment and is closed; deleting it is not allowed', async () => {
    await assistant.find('add a comment to an issue', 'postApiV4ProjectsIdIssuesIssueIidNotes');
    await assistant.choose('close an issue', 'putApiV4ProjectsIdIssuesIssueIid');
    await assistant.find('delete an issue', 'deleteApiV4ProjectsIdIssuesIssueIid');
    const phrased = await assistant.search('mark as done', 'update an issue');
    expect(phrased[0]?.name).toBe('putApiV4ProjectsIdIssuesIssueIid');
    const six = { ...SHOP, issue_iid: 6 };
    const note = { ...six, body: 'Fixed in !1' };
    expect(await assistant.readJson('postApiV4ProjectsIdIssuesIssueIidNotes', note)).toEqual({
      id: 1,
      body: 'Fixed in !1',
      author: { id: 1, username: 'ada', name: 'Ada' },
    });
    const closed = await assistant.readJson<{ state: string }>('putApiV4ProjectsIdIssuesIssueIid', {
      ...six,
      state_event: 'close',
    });
    expect(closed.state).toBe('closed');
    const refused = await assistant.call('deleteApiV4ProjectsIdIssuesIssueIid', six);
    expect(textOf(refused)).toBe(
      [
        'DELETE /api/v4/projects/{id}/issues/{issue_iid} answered 403 Forbidden: {"message":"403 Forbidden"}',
        'The credentials of this server do not allow this.',
      ].join('\n'),
    );
  });

  test('a branch and a file with slashes in their names', async () => {
    await assistant.find('create a branch', 'postApiV4ProjectsIdRepositoryBranches');
    await assistant.find('get a single branch', 'getApiV4ProjectsIdRepositoryBranchesBranch');
    await assistant.find('delete a branch', 'deleteApiV4ProjectsIdRepositoryBranchesBranch');
    await assistant.find('create a new file', 'postApiV4ProjectsIdRepositoryFilesFilePath');
    await assistant.find('get the raw contents of a file', 'getApiV4ProjectsIdRepositoryFilesFilePathRaw');
    gitlab.api.take();
    const branch = { ...SHOP, branch: 'feature/vat+7%' };
    await assistant.read('postApiV4ProjectsIdRepositoryBranches', { ...branch, ref: 'main' });
    const [request] = gitlab.api.take();
    expect(request?.body.toString('utf8')).toBe('branch=feature%2Fvat%2B7%25&ref=main');
    const found = await assistant.readJson<{ name: string }>(
      'getApiV4ProjectsIdRepositoryBranchesBranch',
      branch,
    );
    expect(found.name).toBe('feature/vat+7%');
    const file = { ...SHOP, file_path: 'src/vat/rates é.ts' };
    expect(
      await assistant.readJson('postApiV4ProjectsIdRepositoryFilesFilePath', {
        ...file,
        branch: 'feature/vat+7%',
        content: 'export const LOW = 7;\n',
        commit_message: 'Add the low rate',
      }),
    ).toEqual({ file_path: 'src/vat/rates é.ts', branch: 'feature/vat+7%' });
    expect(
      await assistant.read('getApiV4ProjectsIdRepositoryFilesFilePathRaw', {
        ...file,
        ref: 'feature/vat+7%',
      }),
    ).toBe('export const LOW = 7;\n');
    expect(await assistant.read('deleteApiV4ProjectsIdRepositoryBranchesBranch', branch)).toBe(
      'Done: 204 without content.',
    );
    expect(gitlab.lines()).toEqual([
      'GET /api/v4/projects/acme%2Fshop/repository/branches/feature%2Fvat%2B7%25',
      'POST /api/v4/projects/acme%2Fshop/repository/files/src%2Fvat%2Frates%20%C3%A9.ts',
      'GET /api/v4/projects/acme%2Fshop/repository/files/src%2Fvat%2Frates%20%C3%A9.ts/raw?ref=feature%2Fvat%2B7%25',
      'DELETE /api/v4/projects/acme%2Fshop/repository/branches/feature%2Fvat%2B7%25',
    ]);
  });

  test.for(['..', 'src/../../secrets', '%2e%2e', '.'])(
    'a file path that leaves its place is refused, and nothing is sent: %s',
    async (path) => {
      const refused = await assistant.call('getApiV4ProjectsIdRepositoryFilesFilePathRaw', {
        ...SHOP,
        file_path: path,
      });
      expect(refused.isError).toBe(true);
      expect(refused._meta?.['toolwright/error']).toMatchObject({ code: 'INVALID_ARGUMENTS' });
      expect(gitlab.lines()).toEqual([]);
    },
  );

  test('a merge request is created, merged, and not merged again', async () => {
    const merge = 'putApiV4ProjectsIdMergeRequestsMergeRequestIidMerge';
    await assistant.find('create a merge request', 'postApiV4ProjectsIdMergeRequests');
    await assistant.find('merge a merge request', merge);
    const created = await assistant.readJson<{ iid: number; sha: string }>(
      'postApiV4ProjectsIdMergeRequests',
      { ...SHOP, source_branch: 'feature/x', target_branch: 'main', title: 'Low rate' },
    );
    const one = { ...SHOP, merge_request_iid: created.iid };
    const changed = await assistant.call(merge, { ...one, sha: '0'.repeat(40) });
    expect(textOf(changed)).toBe(
      [
        'PUT /api/v4/projects/{id}/merge_requests/{merge_request_iid}/merge answered 409 Conflict: {"message":"SHA does not match HEAD of source branch: 4ad91d3c1b1f7d1a2f3e4c5b6a798897a6b5c4d3"}',
        'This conflicts with the present state: read it again, then decide.',
      ].join('\n'),
    );
    const merged = await assistant.readJson<{ state: string }>(merge, { ...one, sha: created.sha });
    expect(merged.state).toBe('merged');
    const again = await assistant.call(merge, one);
    expect(textOf(again)).toMatch(/ answered 405 Method Not Allowed: /);
  });

  test('a diff of 288,000 characters is read in parts that make up the whole', async () => {
    const name = 'getApiV4ProjectsIdMergeRequestsMergeRequestIidRawDiffs';
    await assistant.find('get the raw diff of a merge request', name);
    const parts = await readParts(assistant, { name, arguments: { ...SHOP, merge_request_iid: 1 } });
    const whole = firstTexts(parts).join('');
    expect(whole.length).toBe(288_000);
    expect(createHash('sha256').update(whole).digest('hex')).toBe(
      '8d63c0739aaa02606772936029b382b56e8d17dc40c691fe83ba0dbe5f9a0d02',
    );
    expect(parts.length).toBe(6);
    expect(parts.map((part) => remarksOf(part).split('. ')[0])).toEqual([
      'Shown: characters 1–49,992 of 288,000',
      'Shown: characters 49,993–99,984 of 288,000',
      'Shown: characters 99,985–149,976 of 288,000',
      'Shown: characters 149,977–199,968 of 288,000',
      'Shown: characters 199,969–249,960 of 288,000',
      'Shown: characters 249,961–288,000 of 288,000',
    ]);
    expect(gitlab.lines()).toEqual(['GET /api/v4/projects/acme%2Fshop/merge_requests/1/raw_diffs']);
  });

  test('a token of another response is rejected', async () => {
    const name = 'getApiV4ProjectsIdMergeRequestsMergeRequestIidRawDiffs';
    const args = { ...SHOP, merge_request_iid: 1, continue_from: 'AAAA' };
    expect(textOf(await assistant.call(name, args))).toBe(
      'Unknown or expired "continue_from". Call this tool again with the same arguments, without "continue_from".',
    );
  });

  test('from a failed pipeline to the log of a job, and a new run with variables', async () => {
    await assistant.find('list the pipelines of a project', 'getApiV4ProjectsIdPipelines');
    await assistant.find('get the log of a job', 'getApiV4ProjectsIdJobsJobIdTrace');
    await assistant.find('retry a job', 'postApiV4ProjectsIdJobsJobIdRetry');
    await assistant.find('run a new pipeline', 'postApiV4ProjectsIdPipeline');
    const failed = await assistant.call('getApiV4ProjectsIdPipelines', { ...SHOP, status: 'failed' });
    expect(listIn(failed)).toEqual([{ id: 61, status: 'failed', ref: 'feature/x' }]);
    const log = await assistant.read('getApiV4ProjectsIdJobsJobIdTrace', { ...SHOP, job_id: 7 });
    expect(log).toContain('ERROR: Job failed: exit code 1');
    gitlab.lines();
    await assistant.read('postApiV4ProjectsIdJobsJobIdRetry', { ...SHOP, job_id: 7 });
    const [retry] = gitlab.api.take();
    expect(retry && [retry.body.length, headerOf(retry, 'content-length')]).toEqual([0, '0']);
    const run = { ...SHOP, ref: 'feature/x', variables: [{ key: 'DEBUG', value: '1' }] };
    expect(await assistant.readJson('postApiV4ProjectsIdPipeline', run)).toEqual({
      id: 62,
      status: 'pending',
      ref: 'feature/x',
    });
  });

  test('artifacts of 5 MiB arrive whole', async () => {
    await assistant.find('download the artifacts of a job', 'getApiV4ProjectsIdJobsJobIdArtifacts');
    const { content, isError } = await assistant.call('getApiV4ProjectsIdJobsJobIdArtifacts', {
      ...SHOP,
      job_id: 7,
    });
    expect(isError).toBeUndefined();
    const [block] = content;
    const blob = block?.type === 'resource' && 'blob' in block.resource ? block.resource.blob : '';
    const bytes = Buffer.from(blob, 'base64');
    expect(bytes.length).toBe(5_242_880);
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(
      'e3e816db8ba37df4edc0cab2da997d5e18533a9e47cee3df19bf1a0d48dc4eb1',
    );
  });

  test('a redirect to another origin is not followed; the result names the address', async () => {
    const away = await assistant.call('getApiV4ProjectsIdJobsJobIdArtifacts', { ...SHOP, job_id: 8 });
    expect(away.isError).toBe(true);
    expect(textOf(away)).toContain(`${gitlab.storage.origin}/artifacts/8.zip`);
    expect(gitlab.storage.take()).toEqual([]);
  });

  test('a package file is published as bytes', async () => {
    const name = 'putApiV4ProjectsIdPackagesGenericPackageNamePackageVersionFileName';
    const found = await assistant.search('publish a file to the generic package registry');
    const tool = found[0]?.name ?? '';
    expect(tool.length).toBeLessThanOrEqual(64);
    expect(tool.startsWith(name.slice(0, 40))).toBe(true);
    await assistant.describe(tool);
    const published = await assistant.readJson(tool, {
      ...SHOP,
      package_name: 'shop',
      package_version: '1.0.0',
      file_name: 'shop 1.0.zip',
      body: SCREENSHOT.toString('base64'),
    });
    expect(published).toEqual({ message: '201 Created' });
    const [request] = gitlab.api.take();
    expect(request?.target).toBe('/api/v4/projects/acme%2Fshop/packages/generic/shop/1.0.0/shop%201.0.zip');
    expect(request?.body.equals(SCREENSHOT)).toBe(true);
  });

  test('too many requests: the result says how long to wait', async () => {
    await assistant.find('get the version', 'getApiV4Version');
    const refused = await assistant.call('getApiV4Version');
    expect(textOf(refused)).toBe(
      [
        'GET /api/v4/version answered 429 Too Many Requests: Retry later',
        'Too many requests. Try again in 30 seconds.',
      ].join('\n'),
    );
  });

  test('a project that does not exist', async () => {
    const missing = await assistant.call('getApiV4ProjectsId', { id: 'acme/nothing' });
    expect(textOf(missing)).toBe(
      [
        'GET /api/v4/projects/{id} answered 404 Not Found: {"message":"404 Project Not Found"}',
        'The id or another part of the address may be wrong, or the credentials may not see it.',
      ].join('\n'),
    );
  });

  test('a tool that does not exist: the nearest name', async () => {
    const unknown = await assistant.client.callTool('call_tool', { name: 'getApiV4Project', arguments: {} });
    expect(unknown.isError).toBe(true);
    expect(textOf(unknown)).toContain('Did you mean "getApiV4Projects"?');
  });
});

function listIn<TItem>(result: Awaited<ReturnType<Assistant['call']>>): TItem[] {
  const [block] = result.content;
  return JSON.parse(block?.type === 'text' ? block.text : '') as TItem[];
}
