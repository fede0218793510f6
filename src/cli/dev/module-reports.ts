import * as nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';
import { MessageChannel } from 'node:worker_threads';

type Hook = (given: string, context: object, next: (given: string, context: object) => unknown) => unknown;

/** Synchronous hooks, in newer versions of Node. */
const { registerHooks } = nodeModule as unknown as {
  readonly registerHooks?: (hooks: { readonly resolve: Hook; readonly load: Hook }) => void;
};

/** Asynchronous hooks for older versions, which run in their own thread. */
const HOOKS = `let port;
export function initialize(data) { port = data.port; }
export async function resolve(specifier, context, next) {
  try { return await next(specifier, context); }
  catch (error) { if (typeof error?.url === 'string') port.postMessage(error.url); throw error; }
}
export function load(url, context, next) { port.postMessage(url); return next(url, context); }`;

/** Reports the file of every module that is loaded from now on, and of missing modules, which may be created later. */
export function reportModules(report: (file: string) => void): void {
  const tell = (url: string): void => {
    if (url.startsWith('file:')) report(fileURLToPath(url));
  };
  if (registerHooks !== undefined) {
    registerHooks({
      resolve: (specifier, context, next) => {
        try {
          return next(specifier, context);
        } catch (error) {
          const { url } = (error ?? {}) as { url?: unknown };
          if (typeof url === 'string') tell(url);
          throw error;
        }
      },
      load: (url, context, next) => {
        tell(url);
        return next(url, context);
      },
    });
    return;
  }
  const { port1, port2 } = new MessageChannel();
  nodeModule.register(`data:text/javascript,${encodeURIComponent(HOOKS)}`, {
    data: { port: port2 },
    transferList: [port2],
  });
  port1.on('message', tell);
  port1.unref();
}

/** Files that were loaded as CommonJS, which is how jiti loads TypeScript. */
export function requiredFiles(): string[] {
  return Object.keys(nodeModule.createRequire(import.meta.url).cache);
}
