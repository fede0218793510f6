import { OpenAPIServer } from '../../../../src/openapi.ts';
import type { OpenApiOptions } from '../../../../src/openapi.ts';
import { API_VERSION, TOKEN } from './fake-github.ts';
import type { FakeGitHub } from './fake-github.ts';

const ISSUE = "$.paths['/repos/{owner}/{repo}/issues/{issue_number}'].get";

/** GitHub's document has neither `ETag` nor `If-None-Match`, which its API has. An overlay adds them to one operation. */
const CONDITIONAL = {
  overlay: '1.0.0',
  info: { title: 'Conditional requests', version: '1' },
  actions: [
    {
      target: `${ISSUE}.parameters`,
      update: { name: 'If-None-Match', in: 'header', schema: { type: 'string' } },
    },
    {
      target: `${ISSUE}.responses['200']`,
      update: { headers: { ETag: { schema: { type: 'string' } } } },
    },
  ],
};

export interface GitHubOptions extends Pick<OpenApiOptions, 'onDrift' | 'outputSchemas'> {
  readonly exposure?: 'flat' | 'search';
}

/** A server for GitHub's operations, set up like that of a user; default exposure: search. */
export function openGitHub(github: FakeGitHub, options: GitHubOptions = {}): Promise<OpenAPIServer> {
  const { exposure = 'search', ...rest } = options;
  return OpenAPIServer.load({
    document: github.document(),
    exposure,
    openapi: {
      ...rest,
      overlays: [CONDITIONAL],
      headers: { authorization: `Bearer ${TOKEN}`, 'x-github-api-version': API_VERSION },
      // Assets are uploaded to another host, which needs the credentials too.
      origins: [github.uploads.origin],
      outbound: { allowPrivate: ['127.0.0.1'] },
    },
  });
}
