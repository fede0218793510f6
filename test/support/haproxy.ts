import type { ServiceOptions } from './debian-service.ts';

/** Further lines of the sections. */
export interface HaproxyLines {
  readonly defaults?: readonly string[];
  readonly frontend?: readonly string[];
  readonly backend?: readonly string[];
}

/** HAProxy with a configuration that listens on the port. */
export function haproxyWith(toConfig: (port: number) => string): ServiceOptions {
  return {
    command: 'haproxy',
    // In the foreground, as one process.
    args: ({ folder }) => ['-db', '-f', `${folder}/haproxy.cfg`],
    files: ({ port }) => ({ 'haproxy.cfg': toConfig(port) }),
  };
}

/** HAProxy in front of these ports, with the options of docs/deploying.md. It sends each request to the next node, also those of one connection. */
export function haproxy(
  ports: readonly number[],
  { defaults = [], frontend = [], backend = [] }: HaproxyLines = {},
): ServiceOptions {
  const servers = ports.map((port, node) => `server node${node} 127.0.0.1:${port}`);
  return haproxyWith((port) =>
    [
      'global',
      'nbthread 1',
      'defaults',
      'mode http',
      'option http-no-delay',
      'option abortonclose',
      'timeout connect 30s',
      'timeout client 1h',
      'timeout server 1h',
      ...defaults,
      'frontend clients',
      `bind 127.0.0.1:${port}`,
      ...frontend,
      'default_backend nodes',
      'backend nodes',
      'balance roundrobin',
      ...backend,
      ...servers,
      '',
    ].join('\n'),
  );
}
