import { DebianService } from '../../support/debian-service.ts';
import { haproxy } from '../../support/haproxy.ts';

/**
 * nginx in front of a server. It forwards bodies unbuffered, over one keep-alive connection, and adds a header to every request: a request
 * without that header did not come from nginx.
 */
export function startNginx(serverPort: number): Promise<DebianService> {
  return DebianService.start({
    command: 'nginx',
    args: ({ folder }) => ['-e', 'stderr', '-p', folder, '-c', 'nginx.conf'],
    files: ({ port, folder }) => ({
      'nginx.conf': `
        daemon off;
        # One process: ending it leaves nobody behind.
        master_process off;
        pid ${folder}/nginx.pid;
        error_log stderr;
        events { worker_connections 64; }
        http {
          access_log off;
          client_body_temp_path ${folder}/client;
          proxy_temp_path ${folder}/proxy;
          fastcgi_temp_path ${folder}/fastcgi;
          uwsgi_temp_path ${folder}/uwsgi;
          scgi_temp_path ${folder}/scgi;
          upstream app { server 127.0.0.1:${serverPort}; keepalive 1; }
          server {
            listen 127.0.0.1:${port};
            location / {
              proxy_pass http://app;
              proxy_http_version 1.1;
              proxy_request_buffering off;
              proxy_set_header Connection "";
              proxy_set_header Host $http_host;
              proxy_set_header X-Mark $request_id;
            }
          }
        }`,
    }),
  });
}

/** The same with HAProxy. */
export function startHaproxy(serverPort: number): Promise<DebianService> {
  return DebianService.start(
    haproxy([serverPort], {
      defaults: ['http-reuse always'],
      frontend: ['http-request set-header X-Mark %[uuid]'],
    }),
  );
}
