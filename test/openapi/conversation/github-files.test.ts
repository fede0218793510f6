import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { headerOf } from '../support/recording-server.ts';
import { FakeGitHub, TOKEN } from './github/fake-github.ts';
import { openGitHub } from './github/open-github.ts';
import { Assistant, textOf } from './support/assistant.ts';
import { firstTexts, readParts, remarksOf } from './support/read-parts.ts';

const SHOP = { owner: 'acme', repo: 'shop' };

describe('a conversation about branches, files, logs and releases on GitHub', () => {
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
    expect(github.uploads.strays).toEqual([]);
  });

  beforeEach(() => void github.api.take());

  test('a branch with a slash spans segments, as x-multi-segment says', async () => {
    await assistant.find('get a branch', 'repos_get-branch');
    const branch = await assistant.readJson<{ name: string }>('repos_get-branch', {
      ...SHOP,
      branch: 'feature/x',
    });
    expect(branch.name).toBe('feature/x');
    expect(github.lines()).toEqual(['GET /repos/acme/shop/branches/feature/x']);
  });

  test('a reference is created, read and deleted', async () => {
    await assistant.find('create a reference', 'git_create-ref');
    await assistant.find('get a reference', 'git_get-ref');
    await assistant.find('delete a reference', 'git_delete-ref');
    const created = await assistant.call('git_create-ref', {
      ...SHOP,
      ref: 'refs/heads/fix/vat 19%',
      sha: 'aa218f56b14c9653891f9e74264a383fa43fefbd',
    });
    expect(remarksOf(created)).toContain(
      `${github.api.origin}/repos/acme/shop/git/refs/heads/fix/vat%2019%25`,
    );
    const args = { ...SHOP, ref: 'heads/fix/vat 19%' };
    expect((await assistant.readJson<{ ref: string }>('git_get-ref', args)).ref).toBe(
      'refs/heads/fix/vat 19%',
    );
    expect(await assistant.read('git_delete-ref', args)).toBe('Done: 204 without content.');
    expect((await assistant.call('git_get-ref', args)).isError).toBe(true);
    expect(github.lines()).toEqual([
      'POST /repos/acme/shop/git/refs',
      'GET /repos/acme/shop/git/ref/heads/fix/vat%2019%25',
      'DELETE /repos/acme/shop/git/refs/heads/fix/vat%2019%25',
      'GET /repos/acme/shop/git/ref/heads/fix/vat%2019%25',
    ]);
  });

  test('a file is read, and another one written to a branch', async () => {
    await assistant.find('get the contents of a file in a repository', 'repos_get-content');
    await assistant.find('create or update file contents', 'repos_create-or-update-file-contents');
    const file = await assistant.readJson<{ content: string }>('repos_get-content', {
      ...SHOP,
      path: 'src/lib/fold accents.ts',
    });
    expect(file.content).toBe('ZXhwb3J0IHt9Owo=');
    const readme = { ...SHOP, path: 'docs/ä/read me.md' };
    const written = await assistant.readJson<{ content: { path: string } }>(
      'repos_create-or-update-file-contents',
      { ...readme, message: 'Say hello', content: 'SGVsbG8K', branch: 'feature/x' },
    );
    expect(written.content.path).toBe('docs/ä/read me.md');
    const read = await assistant.readJson<{ content: string }>('repos_get-content', {
      ...readme,
      ref: 'feature/x',
    });
    expect(read.content).toBe('SGVsbG8K');
    expect(github.lines()).toEqual([
      'GET /repos/acme/shop/contents/src/lib/fold%20accents.ts',
      'PUT /repos/acme/shop/contents/docs/%C3%A4/read%20me.md',
      'GET /repos/acme/shop/contents/docs/%C3%A4/read%20me.md?ref=feature%2Fx',
    ]);
  });

  test.for(['../../other/secrets', 'src/%2e%2e/secrets', 'src//main.ts', '/etc/passwd', 'src/.'])(
    'a path that leaves its place is refused, and nothing is sent: %s',
    async (path) => {
      const refused = await assistant.call('repos_get-content', { ...SHOP, path });
      expect(refused.isError).toBe(true);
      expect(refused._meta?.['toolwright/error']).toMatchObject({ code: 'INVALID_ARGUMENTS' });
      expect(github.lines()).toEqual([]);
    },
  );

  test('a comparison of 400 KB is read in parts, with one request', async () => {
    await assistant.find('compare two commits', 'repos_compare-commits-with-basehead');
    const parts = await readParts(assistant, {
      name: 'repos_compare-commits-with-basehead',
      arguments: { ...SHOP, basehead: 'main...feature/x' },
    });
    const files = firstTexts(parts).flatMap(
      (text) => (JSON.parse(text) as { files: { filename: string }[] }).files,
    );
    expect(files.map(({ filename }) => filename)).toEqual(
      Array.from({ length: 300 }, (_, index) => `locales/${index + 1}.json`),
    );
    expect(parts.length).toBeGreaterThan(5);
    expect(github.lines()).toEqual(['GET /repos/acme/shop/compare/main...feature/x']);
  });

  test('the files of a pull request: the parts of a page, then the next page', async () => {
    await assistant.find('list the files of a pull request', 'pulls_list-files');
    const call = { name: 'pulls_list-files', arguments: { ...SHOP, pull_number: 7 } };
    const parts = await readParts(assistant, call);
    const names = namesIn(firstTexts(parts));
    expect([names.length, names[0], names.at(-1)]).toEqual([
      30,
      'src/search/fold-1.ts',
      'src/search/fold-30.ts',
    ]);
    const last = parts.at(-1);
    expect(last && remarksOf(last)).toContain('call this tool again with {"page":2}');
    const rest = await readParts(assistant, { ...call, arguments: { ...call.arguments, page: 2 } });
    expect(namesIn(firstTexts(rest)).length).toBe(15);
    expect(github.lines()).toEqual([
      'GET /repos/acme/shop/pulls/7/files',
      'GET /repos/acme/shop/pulls/7/files?page=2',
    ]);
  });

  test('from a failed run to the signed address of its log', async () => {
    await assistant.find('list workflow runs for a repository', 'actions_list-workflow-runs-for-repo');
    await assistant.find('list jobs for a workflow run', 'actions_list-jobs-for-workflow-run');
    await assistant.find('download the logs of a job', 'actions_download-job-logs-for-workflow-run');
    const { workflow_runs: runs } = await assistant.readJson<{ workflow_runs: { id: number }[] }>(
      'actions_list-workflow-runs-for-repo',
      { ...SHOP, status: 'failure' },
    );
    const { jobs } = await assistant.readJson<{ jobs: { id: number }[] }>(
      'actions_list-jobs-for-workflow-run',
      { ...SHOP, run_id: runs[0]?.id },
    );
    const log = await assistant.read('actions_download-job-logs-for-workflow-run', {
      ...SHOP,
      job_id: jobs[0]?.id,
    });
    expect(log).toContain(
      'https://logs.example/signedlogcontent?urlExpires=2026-11-17T10%3A30%3A00Z&urlSigningMethod=HMACV1&urlSignature=2TUD%2BUY%3D',
    );
    expect(github.lines()).toEqual([
      'GET /repos/acme/shop/actions/runs?status=failure',
      'GET /repos/acme/shop/actions/runs/30433642/jobs',
      'GET /repos/acme/shop/actions/jobs/399444496/logs',
    ]);
  });

  test('an archive of a branch is an address with its token; an expired artifact is gone', async () => {
    await assistant.find('download a repository archive as zip', 'repos_download-zipball-archive');
    await assistant.find('download an artifact', 'actions_download-artifact');
    expect(await assistant.read('repos_download-zipball-archive', { ...SHOP, ref: 'feature/x' })).toContain(
      'https://codeload.example/acme/shop/legacy.zip/feature/x?token=AB%2BC%3D&x=1',
    );
    const gone = await assistant.call('actions_download-artifact', {
      ...SHOP,
      artifact_id: 11,
      archive_format: 'zip',
    });
    expect(textOf(gone)).toBe(
      [
        'GET /repos/{owner}/{repo}/actions/artifacts/{artifact_id}/{archive_format} answered 410 Gone: {"message":"Artifact has expired","documentation_url":"https://docs.github.com/rest","status":"410"}',
        'This is gone for good; do not request it again.',
      ].join('\n'),
    );
    expect(github.lines()).toEqual([
      'GET /repos/acme/shop/zipball/feature/x',
      'GET /repos/acme/shop/actions/artifacts/11/zip',
    ]);
  });

  test('a release asset is uploaded as bytes to the host of its operation, once', async () => {
    await assistant.find('create a release', 'repos_create-release');
    await assistant.find('upload a release asset', 'repos_upload-release-asset');
    await assistant.find('list release assets', 'repos_list-release-assets');
    const release = await assistant.readJson<{ id: number }>('repos_create-release', {
      ...SHOP,
      tag_name: 'v1.0.0',
    });
    // Every byte there is, in 256 KiB.
    const bytes = Buffer.from(Array.from({ length: 262_144 }, (_, index) => (index * 7) % 256));
    const args = { ...SHOP, release_id: release.id, name: 'shop 1.0.zip', body: bytes.toString('base64') };
    const asset = await assistant.readJson<{ size: number; digest: string }>(
      'repos_upload-release-asset',
      args,
    );
    const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
    expect([asset.size, asset.digest]).toEqual([262_144, digest]);
    const [request] = github.uploads.take();
    expect(request && [request.method, request.target]).toEqual([
      'POST',
      '/repos/acme/shop/releases/1/assets?name=shop%201.0.zip',
    ]);
    expect(request && headerOf(request, 'content-type')).toBe('application/octet-stream');
    expect(request && headerOf(request, 'authorization')).toBe(`Bearer ${TOKEN}`);
    const again = await assistant.call('repos_upload-release-asset', args);
    expect(textOf(again)).toContain(
      '"errors":[{"resource":"ReleaseAsset","code":"already_exists","field":"name"}]',
    );
    const assets = await assistant.readJson<{ name: string }[]>('repos_list-release-assets', {
      ...SHOP,
      release_id: 1,
    });
    expect(assets.map(({ name }) => name)).toEqual(['shop 1.0.zip']);
  });

  test('too many searches: the result says how long to wait', async () => {
    await assistant.find('search issues and pull requests', 'search_issues-and-pull-requests');
    const args = { q: 'repo:acme/shop is:open currency in:title' };
    for (const _ of [1, 2]) await assistant.read('search_issues-and-pull-requests', args);
    const refused = await assistant.call('search_issues-and-pull-requests', args);
    expect(textOf(refused)).toBe(
      [
        'GET /search/issues answered 403 Forbidden: {"message":"You have exceeded a secondary rate limit. Please wait a few minutes before you try again.","documentation_url":"https://docs.github.com/rest","status":"403"}',
        'Too many requests. Try again in 60 seconds.',
      ].join('\n'),
    );
    expect(refused._meta?.['toolwright/error']).toMatchObject({ retryAfterMs: 60_000 });
    expect(new Set(github.lines())).toEqual(
      new Set(['GET /search/issues?q=repo%3Aacme%2Fshop%20is%3Aopen%20currency%20in%3Atitle']),
    );
  });

  test('a repository that was renamed is found at its new address', async () => {
    await assistant.find('get a repository', 'repos_get');
    const found = await assistant.readJson<{ full_name: string }>('repos_get', {
      owner: 'acme',
      repo: 'old-shop',
    });
    expect(found.full_name).toBe('acme/shop');
    expect(github.lines()).toEqual(['GET /repos/acme/old-shop', 'GET /repositories/1296269']);
  });

  test('statuses without a body, plain text and HTML', async () => {
    await assistant.find(
      'check if a repository is starred by the authenticated user',
      'activity_check-repo-is-starred-by-authenticated-user',
    );
    await assistant.find('get the zen of GitHub', 'meta_get-zen');
    await assistant.find('render a markdown document', 'markdown_render');
    await assistant.find('fork a repository', 'repos_create-fork');
    const starred = 'activity_check-repo-is-starred-by-authenticated-user';
    expect(await assistant.read(starred, SHOP)).toBe('Done: 204 without content.');
    expect((await assistant.call(starred, { ...SHOP, repo: 'other' })).isError).toBe(true);
    expect(await assistant.read('meta_get-zen')).toBe('Practicality beats purity.');
    expect(await assistant.read('markdown_render', { text: 'Add a **currency**' })).toBe(
      '<p>Add a <strong>currency</strong></p>',
    );
    const fork = await assistant.readJson<{ full_name: string }>('repos_create-fork', {
      ...SHOP,
      body: { organization: 'ada' },
    });
    expect(fork.full_name).toBe('ada/shop');
  });
});

function namesIn(texts: readonly string[]): string[] {
  return texts.flatMap((text) => JSON.parse(text) as { filename: string }[]).map(({ filename }) => filename);
}
