import { readJson } from '../support/fake-api.ts';
import type { ApiRequest, ApiResponse, Endpoints } from '../support/fake-api.ts';
import { fail, toPage } from './gitlab-responses.ts';

interface Issue {
  readonly id: number;
  readonly iid: number;
  readonly project_id: number;
  readonly title: string;
  readonly description: string | null;
  readonly state: 'closed' | 'opened';
  readonly labels: readonly string[];
  readonly author: object;
  readonly due_date: string | null;
}

interface MergeRequest {
  readonly iid: number;
  readonly state: string;
  readonly sha: string;
}

const ADA = { id: 1, username: 'ada', name: 'Ada' };
const HEAD = '4ad91d3c1b1f7d1a2f3e4c5b6a798897a6b5c4d3';

/** The issues and merge requests of acme/shop. */
export function planningEndpoints(): Endpoints {
  return { ...issueEndpoints(), ...mergeRequestEndpoints() };
}

const ISSUES = '/api/v4/projects/acme%2Fshop/issues';

function issueEndpoints(): Endpoints {
  const issues = ['Cart is empty after login', 'Slow search', 'Wrong VAT', 'Broken link', 'Typo'].map(
    (title, index) => toIssue(index + 1, { title }),
  );
  const notes: object[] = [];
  const withIssue = ({ path }: ApiRequest, respond: (issue: Issue) => ApiResponse): ApiResponse => {
    const issue = issues.find(({ iid }) => String(iid) === path['iid']);
    return issue === undefined ? fail(404, '404 Not found') : respond(issue);
  };
  return {
    [`GET ${ISSUES}`]: (request) => {
      const state = request.query.get('state') ?? 'all';
      const labels = request.query.get('labels')?.split(',') ?? [];
      const iids = request.query.getAll('iids[]').map(Number);
      const fits = (issue: Issue): boolean =>
        (state === 'all' || issue.state === state) &&
        labels.every((label) => issue.labels.includes(label)) &&
        (iids.length === 0 || iids.includes(issue.iid));
      return toPage(issues.filter(fits).toReversed(), request);
    },
    [`POST ${ISSUES}`]: (request) => {
      const given = readJson<Issue>(request);
      if (given?.title === undefined) return { status: 400, body: { error: 'title is missing' } };
      if (given.title.trim() === '') return fail(400, { title: ["can't be blank"] });
      const issue = toIssue(issues.length + 1, given);
      issues.push(issue);
      return { status: 201, body: issue };
    },
    [`GET ${ISSUES}/{iid}`]: (request) => withIssue(request, (body) => ({ status: 200, body })),
    [`PUT ${ISSUES}/{iid}`]: (request) =>
      withIssue(request, (issue) => {
        const event = readJson<{ state_event: string }>(request)?.state_event;
        if (event === undefined)
          return fail(400, 'title, description, … are missing, at least one is needed');
        const changed: Issue = { ...issue, state: event === 'close' ? 'closed' : 'opened' };
        issues[issues.indexOf(issue)] = changed;
        return { status: 200, body: changed };
      }),
    [`DELETE ${ISSUES}/{iid}`]: () => fail(403, '403 Forbidden'),
    [`POST ${ISSUES}/{iid}/notes`]: (request) =>
      withIssue(request, () => {
        const note = { id: notes.length + 1, ...readJson<object>(request), author: ADA };
        notes.push(note);
        return { status: 201, body: note };
      }),
    [`GET ${ISSUES}/{iid}/notes`]: (request) => withIssue(request, () => toPage(notes, request)),
  };
}

function toIssue(iid: number, given: Partial<Issue>): Issue {
  const { title = '', description = null, labels = [], due_date = null } = given;
  return {
    id: 100 + iid,
    iid,
    project_id: 42,
    title,
    description,
    state: 'opened',
    labels,
    author: ADA,
    due_date,
  };
}

const MERGE_REQUESTS = '/api/v4/projects/acme%2Fshop/merge_requests';

function mergeRequestEndpoints(): Endpoints {
  const requests: MergeRequest[] = [];
  const withOne = ({ path }: ApiRequest, respond: (one: MergeRequest) => ApiResponse): ApiResponse => {
    const one = requests.find(({ iid }) => String(iid) === path['iid']);
    return one === undefined ? fail(404, '404 Not found') : respond(one);
  };
  return {
    [`GET ${MERGE_REQUESTS}`]: (request) => toPage(requests, request),
    [`POST ${MERGE_REQUESTS}`]: (request) => {
      const given = readJson<{ source_branch: string; target_branch: string; title: string }>(request) ?? {};
      const { source_branch, target_branch, title } = given;
      if (requests.length > 0)
        return fail(409, ['Another open merge request already exists for this source branch: !1']);
      const iid = requests.length + 1;
      const one = { id: 200 + iid, iid, title, state: 'opened', source_branch, target_branch, sha: HEAD };
      requests.push(one);
      return { status: 201, body: one };
    },
    [`GET ${MERGE_REQUESTS}/{iid}`]: (request) => withOne(request, (body) => ({ status: 200, body })),
    [`PUT ${MERGE_REQUESTS}/{iid}/merge`]: (request) =>
      withOne(request, (one) => {
        if (one.state !== 'opened') return fail(405, '405 Method Not Allowed');
        const { sha } = readJson<{ sha: string }>(request) ?? {};
        if (sha !== undefined && sha !== one.sha)
          return fail(409, 'SHA does not match HEAD of source branch: ' + one.sha);
        const merged = { ...one, state: 'merged', merge_commit_sha: 'f'.repeat(40) };
        requests[requests.indexOf(one)] = merged;
        return { status: 200, body: merged };
      }),
    [`GET ${MERGE_REQUESTS}/{iid}/raw_diffs`]: (request) =>
      withOne(request, () => ({ status: 200, headers: { 'content-type': 'text/plain' }, body: diff() })),
  };
}

/** 12,000 lines of 24 characters: 288,000 characters. */
export function diff(): string {
  const line = (index: number): string =>
    `+ line ${String(index + 1).padStart(5, '0')} of diff.`.padEnd(23, '.');
  return Array.from({ length: 12_000 }, (_, index) => `${line(index)}\n`).join('');
}
