import { isIP } from 'node:net';
import type { OpenApiReport } from '../../openapi/model/import-report.ts';
import { findBaseUrl } from '../../openapi/mapping/base-url.ts';
import type { Operation } from '../../openapi/model/operation.ts';
import { Destinations } from '../../outbound/destinations.ts';
import type { OutboundOptions } from '../../outbound/outbound-client.ts';
import type { OpenApiSource } from '../../server/openapi-server.ts';
import { findPrivateHosts } from './plan/private-hosts.ts';

/** The servers of the operations of a document, as it says them. */
export type OperationServers = ReadonlyMap<string, Operation['servers']>;

/** What a document was imported from, and what came of it. */
export interface ImportedDocument {
  readonly source: OpenApiSource;
  readonly report: OpenApiReport;
  readonly servers: OperationServers;
}

/**
 * Hosts that the document alone names, that are not public, and that nobody has allowed. Calls to them will be refused, which is better said
 * before anybody waits for one.
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

/** Where names lead is not known before a call, except for one. */
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

/** What to say of them. */
export function describeBlocked(hosts: readonly string[]): string[] {
  return hosts.map(
    (host) =>
      `By the document the API is at ${host}, which is not public: calls are refused. If it is meant: --allow-private ${host}`,
  );
}
