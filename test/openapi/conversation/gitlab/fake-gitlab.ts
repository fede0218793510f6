import { readFileSync } from 'node:fs';
import { headerOf } from '../../support/recording-server.ts';
import type { RecordedRequest } from '../../support/recording-server.ts';
import { FakeApi, lineOf } from '../support/fake-api.ts';
import type { ApiResponse } from '../support/fake-api.ts';
import { fail } from './gitlab-responses.ts';
import { planningEndpoints } from './planning-endpoints.ts';
import { projectEndpoints } from './project-endpoints.ts';
import { repositoryEndpoints } from './repository-endpoints.ts';

export const TOKEN = 'glpat-conversation0token';

/** GitLab with one detailed project, acme/shop, and its object storage. */
export class FakeGitLab {
  readonly api: FakeApi;
  readonly storage: FakeApi;

  private constructor(api: FakeApi, storage: FakeApi) {
    this.api = api;
    this.storage = storage;
  }

  static async start(): Promise<FakeGitLab> {
    const hosts: { api?: FakeApi } = {};
    const origin = (): string => hosts.api?.origin ?? '';
    const storage = await FakeApi.start({ endpoints: {}, reject: () => undefined });
    hosts.api = await FakeApi.start({
      // The first match responds: a specific project before any other.
      endpoints: {
        ...projectEndpoints(origin, () => storage.origin),
        ...repositoryEndpoints(origin),
        ...planningEndpoints(),
      },
      reject,
    });
    return new FakeGitLab(hosts.api, storage);
  }

  /** The document with the address of the fake. */
  document(): string {
    const file = new URL('../../../fixtures/openapi-cut/gitlab-3.0.yaml', import.meta.url);
    return readFileSync(file, 'utf8').replace('https://gitlab.com', this.api.origin);
  }

  /** The request lines that arrived since the previous call. */
  lines(): string[] {
    return this.api.take().map(lineOf);
  }

  close(): void {
    this.api.close();
    this.storage.close();
  }
}

function reject(request: RecordedRequest): ApiResponse | undefined {
  return headerOf(request, 'private-token') === TOKEN ? undefined : fail(401, '401 Unauthorized');
}
