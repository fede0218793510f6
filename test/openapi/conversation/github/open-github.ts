import { OpenAPIServer } from '../../../../src/openapi.ts';
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

/** A server for GitHub's operations, as users set it up, behind a search. */
export function openGitHub(github: FakeGitHub): Promise<OpenAPIServer> {
  return OpenAPIServer.load({
    document: github.document(),
    exposure: 'search',
    openapi: {
      overlays: [CONDITIONAL],
      headers: { authorization: `Bearer ${TOKEN}`, 'x-github-api-version': API_VERSION },
      // Assets are uploaded to a host of their own, which needs the credentials too.
      origins: [github.uploads.origin],
      outbound: { allowPrivate: ['127.0.0.1'] },
    },
  });
}
