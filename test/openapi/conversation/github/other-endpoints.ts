import { readJson } from '../support/fake-api.ts';
import type { Endpoints } from '../support/fake-api.ts';
import { exampleOf, fail, NOT_FOUND } from './github-responses.ts';

/** A log on the storage that signs its addresses: the signature is in the query. */
const SIGNED_LOG =
  'https://logs.example/signedlogcontent?urlExpires=2026-11-17T10%3A30%3A00Z&urlSigningMethod=HMACV1&urlSignature=2TUD%2BUY%3D';

/** Workflow runs, search, stars and the endpoints that respond with text. */
export function otherEndpoints(): Endpoints {
  let searches = 0;
  const { jobs } = exampleOf<{ jobs: object[] }>('actions/list-jobs-for-workflow-run');
  const { workflow_runs: runs } = exampleOf<{ workflow_runs: object[] }>(
    'actions/list-workflow-runs-for-repo',
  );
  return {
    'GET /repos/acme/shop/actions/runs': () => {
      const failed = runs.map((run) => ({ ...run, id: 30433642, conclusion: 'failure' }));
      return { status: 200, body: { total_count: failed.length, workflow_runs: failed } };
    },
    'GET /repos/acme/shop/actions/runs/30433642/jobs': () => {
      const created_at = '2026-11-17T10:00:00Z';
      const failed = jobs.map((job) => ({ ...job, id: 399444496, created_at, conclusion: 'failure' }));
      return { status: 200, body: { total_count: failed.length, jobs: failed } };
    },
    'GET /repos/acme/shop/actions/jobs/399444496/logs': () => ({
      status: 302,
      headers: { location: SIGNED_LOG },
    }),
    'GET /repos/acme/shop/actions/artifacts/11/zip': () => fail(410, 'Artifact has expired'),
    'GET /search/issues': ({ query }) => {
      searches += 1;
      if (searches > 2)
        return {
          ...fail(
            403,
            'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.',
          ),
          headers: { 'retry-after': '60' },
        };
      const found = exampleOf<{ items: object[] }>('search/issues-and-pull-requests');
      const items = query.get('q') === 'repo:acme/shop is:open currency in:title' ? found.items : [];
      return {
        status: 200,
        body: { total_count: items.length, incomplete_results: false, items, search_type: 'lexical' },
      };
    },
    'GET /user/starred/acme/shop': () => ({ status: 204 }),
    'GET /user/starred/acme/other': () => NOT_FOUND,
    'GET /zen': () => ({
      status: 200,
      headers: { 'content-type': 'text/plain;charset=utf-8' },
      body: 'Practicality beats purity.',
    }),
    'POST /markdown': (request) => {
      const text = readJson<{ text: string }>(request)?.text;
      if (text === undefined) return fail(400, 'Problems parsing JSON');
      return {
        status: 200,
        headers: { 'content-type': 'text/html;charset=utf-8' },
        body: `<p>${text.replaceAll('**currency**', '<strong>currency</strong>')}</p>`,
      };
    },
  };
}
