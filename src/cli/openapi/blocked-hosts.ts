import { isIP } from 'node:net';
import type { OpenApiReport } from '../../openapi/model/import-report.ts';
import { findBaseUrl } from '../../openapi/mapping/base-url.ts';
import type { Operation } from '../../openapi/model/operation.ts';
import { Destinations } from '../../outbound/destinations.ts';
import type { OutboundOptions } from '../../outbound/outbound-client.ts';
import type { OpenApiSource } from '../../server/openapi-server.ts';
import { findPrivateHosts } from './plan/private-hosts.ts';

/** The servers of each operation of a document, by the key of the operation. */
export type OperationServers = ReadonlyMap<string, Operation['servers']>;

/** An imported document: its source, its report and its servers. */
export interface ImportedDocument {
  readonly source: OpenApiSource;
  readonly report: OpenApiReport;
  readonly servers: OperationServers;
}

/**
 * Private hosts that only the document names and that are not allowed. Calls to them will be rejected, so they are reported before the first
 * call.
 */
export function findBlockedHosts({ source, report, servers }: ImportedDocument): string[] {
  const { baseUrl, serverVariables = {}, outbound } = source;
  const { allowPrivate = [] } = outbound as OutboundOptions;
  const allowed = typeof allowPrivate === 'boolean' ? [] : allowPrivate;
  const used = new Set(
    report.operations
      .filter(({ outcome }) => outcome !== 'left-out' && outcome !== 'refused')
      .map(({ key }) => servers.get(key) ?? []),
  );
  const addresses = [...used].flatMap((each) => {
    const base = findBaseUrl({ servers: each }, { baseUrl, serverVariables, documentUri: report.uri });
    return 'url' in base ? [base.url] : [];
  });
  const destinations = new Destinations(allowPrivate);
  return findPrivateHosts(addresses).filter(
    (host) => !allowed.includes(host) && isBlocked(host, destinations),
  );
}

/** Whether calls to a host are rejected. Host names other than localhost are resolved only when a call is made. */
function isBlocked(host: string, destinations: Destinations): boolean {
  const address = host === 'localhost' ? '127.0.0.1' : host;
  if (isIP(address) === 0) return true;
  try {
    destinations.assertUrl(new URL(`http://${isIP(address) === 6 ? `[${address}]` : address}`));
    return false;
  } catch {
    return true;
  }
}

/** Notes about blocked hosts. */
export function describeBlocked(hosts: readonly string[]): string[] {
  return hosts.map(
    (host) =>
      `The document places the API at ${host}, which is not public: calls are rejected. To allow them: --allow-private ${host}`,
  );
}
