import { readJson } from '../support/fake-api.ts';
import type { ApiRequest, ApiResponse, Endpoints } from '../support/fake-api.ts';
import { exampleOf, fail, NOT_FOUND, toPage } from './github-responses.ts';

interface Pull {
  readonly number: number;
  readonly title: string;
  readonly state: string;
  readonly merged: boolean;
  readonly head: { readonly ref: string; readonly sha: string };
}

const HEAD = '6dcb09b5b57875f334f61aebed695e2e4193db5e';

/** Pull requests 6 and 7 of acme/shop. */
export function pullEndpoints(origin: () => string): Endpoints {
  const pulls = new Map<number, Pull>([
    [6, toPull(6, 'Show prices with currency', 'feature/currency')],
    [7, toPull(7, 'Fold accents in search', 'feature/x')],
  ]);
  const reviewers = new Set(['octocat', 'hubot']);
  const withPull = ({ path }: ApiRequest, respond: (pull: Pull) => ApiResponse): ApiResponse => {
    const pull = pulls.get(Number(path['number']));
    return pull === undefined ? NOT_FOUND : respond(pull);
  };
  return {
    'GET /repos/acme/shop/pulls': (request) => {
      const state = request.query.get('state') ?? 'open';
      const head = request.query.get('head');
      const fits = (pull: Pull): boolean =>
        (state === 'all' || pull.state === state) && (head === null || head === `acme:${pull.head.ref}`);
      return toPage([...pulls.values()].filter(fits).toReversed(), request, origin());
    },
    'GET /repos/acme/shop/pulls/{number}': (request) => withPull(request, (body) => ({ status: 200, body })),
    'GET /repos/acme/shop/pulls/{number}/files': (request) =>
      withPull(request, () => toPage(changedFiles(), request, origin())),
    'GET /repos/acme/shop/pulls/{number}/merge': (request) =>
      withPull(request, ({ merged }) => (merged ? { status: 204 } : NOT_FOUND)),
    'PUT /repos/acme/shop/pulls/{number}/merge': (request) =>
      withPull(request, (pull) => {
        const { sha, merge_method: method = 'merge' } =
          readJson<{ sha: string; merge_method: string }>(request) ?? {};
        if (pull.merged) return fail(405, 'Pull Request is not mergeable');
        if (sha !== undefined && sha !== pull.head.sha)
          return fail(409, 'Head branch was modified. Review and try the merge again.');
        if (!['merge', 'squash', 'rebase'].includes(method)) return fail(422, 'Validation Failed');
        pulls.set(pull.number, { ...pull, merged: true, state: 'closed' });
        return { status: 200, body: exampleOf('pulls/merge') };
      }),
    'DELETE /repos/acme/shop/pulls/{number}/requested_reviewers': (request) =>
      withPull(request, (pull) => {
        const leaving = readJson<{ reviewers: string[] }>(request)?.reviewers;
        if (leaving === undefined) return fail(422, 'Validation Failed');
        for (const each of leaving) reviewers.delete(each);
        return {
          status: 200,
          body: { ...pull, requested_reviewers: [...reviewers].map((login) => ({ login })) },
        };
      }),
  };
}

function toPull(number: number, title: string, ref: string): Pull {
  const { head, ...example } = exampleOf<Pull>('pulls/get');
  // The team of the example lacks a required member.
  const repaired = { ...example, requested_teams: [] };
  return { ...repaired, number, title, state: 'open', merged: false, head: { ...head, ref, sha: HEAD } };
}

/** 45 files with patches of 6,000 characters: 290 KB, of which GitHub sends 30 files a page. */
function changedFiles(): readonly object[] {
  const [example] = exampleOf<{ filename: string }[]>('pulls/list-files');
  return Array.from({ length: 45 }, (_, index) => ({
    ...example,
    filename: `src/search/fold-${index + 1}.ts`,
    patch: `@@ -1 +1 @@\n${'-é\n+e\n'.repeat(1000)}`,
  }));
}
