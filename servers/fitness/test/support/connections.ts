import { VERSIONS } from './clients.ts';
import type { OfficialClient } from './clients.ts';
import { TRANSPORTS } from './stack.ts';
import type { Connecting } from './stack.ts';

/** Both official clients over both transports, for the cases that every tool has. */
export const CONNECTIONS: readonly Required<Pick<Connecting, 'version' | 'transport'>>[] = VERSIONS.flatMap(
  (version) => TRANSPORTS.map((transport) => ({ version, transport })),
);

/** A call with invalid arguments: the tool, its arguments, and the path of each issue, joined by dots. */
export type InvalidCall = readonly [tool: string, args: object, paths: readonly string[]];

/** The paths of the issues of a -32602, joined by dots. Throws if the call succeeded or failed otherwise. */
export async function findIssuePaths(call: Promise<unknown>): Promise<readonly string[]> {
  const error = await call.then(
    (value) => {
      throw new Error(`The call succeeded: ${JSON.stringify(value)}`);
    },
    (reason: unknown) => reason as { readonly code?: number; readonly data?: unknown },
  );
  if (error.code !== -32_602) throw error;
  const { issues } = error.data as { readonly issues: readonly { readonly path: readonly unknown[] }[] };
  return issues.map(({ path }) => path.join('.'));
}

/** The advertised schema of an argument of a tool. */
export async function findArgument(client: OfficialClient, tool: string, name: string): Promise<unknown> {
  const { tools } = await client.listTools();
  return tools.find((each) => each.name === tool)?.inputSchema.properties?.[name];
}
