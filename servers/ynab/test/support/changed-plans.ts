import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The response of the API to `GET /plans`. */
interface Plans {
  plans: { name: string; currency_format: object | null }[];
  default_plan?: object;
}

/** A proxy of the API for reads, which changes the list of budgets. */
export async function serveChangedPlans(
  target: string,
  change: (data: Plans) => void,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    const forward = async (): Promise<void> => {
      const { origin } = new URL(target);
      const { authorization = '' } = request.headers;
      const found = await fetch(`${origin}${request.url}`, { headers: { authorization } });
      const body = (await found.json()) as { data: Partial<Plans> };
      if (body.data.plans !== undefined) change(body.data as Plans);
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
