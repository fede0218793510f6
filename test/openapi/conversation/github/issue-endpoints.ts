import { headerOf } from '../../support/recording-server.ts';
import { readJson } from '../support/fake-api.ts';
import type { ApiRequest, ApiResponse, Endpoints } from '../support/fake-api.ts';
import { exampleOf, fail, toPage } from './github-responses.ts';
import { etagOf, IssueStore, toLabels } from './issue-store.ts';
import type { Issue } from './issue-store.ts';

interface Comment {
  readonly id: number;
  readonly body: string;
}

const ISSUES = '/repos/acme/shop/issues';
const MALFORMED = fail(400, 'Problems parsing JSON');

/** The issues of acme/shop, their labels and comments. */
export function issueEndpoints(origin: () => string): Endpoints {
  const issues = new IssueStore(origin);
  return {
    [`GET ${ISSUES}`]: (request) => toPage(issues.list(request.query), request, origin()),
    [`POST ${ISSUES}`]: (request) => create(issues, request),
    [`GET ${ISSUES}/{number}`]: (request) =>
      issues.with(request, (issue) => {
        const etag = etagOf(issue);
        const isKnown = headerOf(request, 'if-none-match') === etag;
        if (isKnown) return { status: 304, headers: { etag } };
        return { status: 200, headers: { etag }, body: issues.show(issue) };
      }),
    [`PATCH ${ISSUES}/{number}`]: (request) =>
      issues.with(request, ({ number }) => {
        const given = readJson<Issue>(request);
        return given === undefined ? MALFORMED : { status: 200, body: issues.put(number, given) };
      }),
    [`PUT ${ISSUES}/{number}/lock`]: (request) =>
      issues.with(request, ({ number }) => {
        if (request.body.length === 0 && headerOf(request, 'content-length') !== '0')
          return fail(411, 'Length Required');
        issues.put(number, { locked: true });
        return { status: 204 };
      }),
    [`POST ${ISSUES}/{number}/labels`]: (request) =>
      issues.with(request, (issue) => {
        const names = readJson<{ labels: string[] }>(request)?.labels;
        if (names === undefined) return fail(422, 'Validation Failed');
        const labels = [...issue.labels, ...toLabels(names)];
        return { status: 200, body: issues.put(issue.number, { labels }).labels };
      }),
    ...commentEndpoints(issues, origin),
  };
}

function create(issues: IssueStore, request: ApiRequest): ApiResponse {
  const given = readJson<{ title: string; body: string; labels: string[] }>(request);
  if (given === undefined) return MALFORMED;
  const { title = '', body = null, labels = [] } = given;
  if (title.trim() === '')
    return fail(422, 'Validation Failed', [{ resource: 'Issue', code: 'missing_field', field: 'title' }]);
  const issue = issues.put(issues.nextNumber, { title, body, labels: toLabels(labels) });
  return { status: 201, headers: { location: issues.urlOf(issue) }, body: issues.show(issue) };
}

function commentEndpoints(issues: IssueStore, origin: () => string): Endpoints {
  const comments: Comment[] = [];
  return {
    [`GET ${ISSUES}/{number}/comments`]: (request) =>
      issues.with(request, () => toPage(comments, request, origin())),
    [`POST ${ISSUES}/{number}/comments`]: (request) =>
      issues.with(request, ({ locked }) => {
        if (locked) return fail(403, 'Unable to create comment because issue is locked.');
        const body = readJson<Comment>(request)?.body;
        if (body === undefined) return fail(422, 'Validation Failed');
        const id = comments.length + 1;
        const comment = { ...exampleOf<Comment>('issues/create-comment'), id, body };
        comments.push(comment);
        return { status: 201, headers: { location: `${origin()}${ISSUES}/comments/${id}` }, body: comment };
      }),
  };
}
