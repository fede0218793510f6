import { OpenAPIServer } from '../../../../src/openapi.ts';
import { TOKEN } from './fake-gitlab.ts';
import type { FakeGitLab } from './fake-gitlab.ts';

/** A file that an assistant uploads without reading its bytes. */
export const SCREENSHOT: Buffer = Buffer.from('89504e470d0a1a0a00ff0d0a2d2d0d0a', 'hex');

/** A server for GitLab's operations with `exposure: 'search'` and output schemas. Differences from the document are added to `drifts`. */
export function openGitLab(gitlab: FakeGitLab, drifts: string[]): Promise<OpenAPIServer> {
  return OpenAPIServer.load({
    document: gitlab.document(),
    exposure: 'search',
    openapi: {
      credentials: { privateToken: TOKEN },
      outputSchemas: true,
      onDrift: (operation, problems) => drifts.push(`${operation}: ${problems.join('; ')}`),
      outbound: { allowPrivate: ['127.0.0.1'] },
    },
    resources: [
      { uri: 'memory://shots/cart.png', name: 'Screenshot', mimeType: 'image/png', blob: SCREENSHOT },
    ],
  });
}
