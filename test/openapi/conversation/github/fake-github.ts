import { readFileSync } from 'node:fs';
import { headerOf } from '../../support/recording-server.ts';
import type { RecordedRequest } from '../../support/recording-server.ts';
import { FakeApi, lineOf } from '../support/fake-api.ts';
import type { ApiResponse } from '../support/fake-api.ts';
import { contentEndpoints } from './content-endpoints.ts';
import { fail } from './github-responses.ts';
import { issueEndpoints } from './issue-endpoints.ts';
import { otherEndpoints } from './other-endpoints.ts';
import { pullEndpoints } from './pull-endpoints.ts';
import { releaseEndpoints } from './release-endpoints.ts';

export const TOKEN = 'ghp_conversation0token';
export const API_VERSION = '2022-11-28';

/** GitHub with one repository, acme/shop: the API, and the host for uploads. */
export class FakeGitHub {
  readonly api: FakeApi;
  readonly uploads: FakeApi;

  private constructor(api: FakeApi, uploads: FakeApi) {
    this.api = api;
    this.uploads = uploads;
  }

  static async start(): Promise<FakeGitHub> {
    const hosts: { api?: FakeApi; uploads?: FakeApi } = {};
    const api = (): string => hosts.api?.origin ?? '';
    const releases = releaseEndpoints({ api, uploads: () => hosts.uploads?.origin ?? '' });
    hosts.api = await FakeApi.start({
      endpoints: {
        ...issueEndpoints(api),
        ...pullEndpoints(api),
        ...contentEndpoints(api),
        ...releases.api,
        ...otherEndpoints(),
      },
      reject,
    });
    hosts.uploads = await FakeApi.start({ endpoints: releases.uploads, reject });
    return new FakeGitHub(hosts.api, hosts.uploads);
  }

  /** GitHub's document with the addresses of the fake. */
  document(): string {
    const file = new URL('../../../fixtures/openapi-cut/github-3.0.json', import.meta.url);
    return readFileSync(file, 'utf8')
      .replaceAll('"https://api.github.com"', JSON.stringify(this.api.origin))
      .replaceAll('"https://uploads.github.com"', JSON.stringify(this.uploads.origin));
  }

  /** The request lines that arrived at the API since the previous call. */
  lines(): string[] {
    return this.api.take().map(lineOf);
  }

  close(): void {
    this.api.close();
    this.uploads.close();
  }
}

/** The checks of GitHub for every request. */
function reject(request: RecordedRequest): ApiResponse | undefined {
  if (headerOf(request, 'user-agent') === undefined)
    return fail(
      403,
      'Request forbidden by administrative rules. Please make sure your request has a User-Agent header',
    );
  if (headerOf(request, 'authorization') !== `Bearer ${TOKEN}`) return fail(401, 'Bad credentials');
  if (headerOf(request, 'x-github-api-version') !== API_VERSION)
    return fail(400, 'Unsupported X-GitHub-Api-Version');
  const accept = headerOf(request, 'accept') ?? '';
  if (
    !/(?:^|, )(?:application\/json|application\/vnd\.github\.[\w.+]+|text\/\w+|\*\/\*)(?:;|,|$)/.test(accept)
  )
    return fail(415, `Unsupported 'Accept' header: '${accept}'. Must accept 'application/json'.`);
  return undefined;
}
