import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy of the API at which users have only their first budget. */
export async function serveOneBudget(
  target: string,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    const forward = async (): Promise<void> => {
      const { origin } = new URL(target);
      const { authorization = '' } = request.headers;
      const found = await fetch(`${origin}${request.url}`, { headers: { authorization } });
      const body = (await found.json()) as { data: { plans?: unknown[]; default_plan?: unknown } };
      if (body.data.plans !== undefined) {
        body.data.plans.length = 1;
        delete body.data.default_plan;
      }
      response.writeHead(found.status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    forward().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${new URL(target).pathname}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
