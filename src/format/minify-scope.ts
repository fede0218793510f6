/** Makes the `minify` choice of a call available to everything that runs within it. */
export interface MinifyScope {
  run<TResult>(minify: boolean, run: () => TResult): TResult;
  current(): boolean | undefined;
}

interface Storage {
  run<TResult>(value: boolean, run: () => TResult): TResult;
  getStore(): boolean | undefined;
}

/**
 * Creates a scope based on AsyncLocalStorage, if the runtime has it. In other runtimes the choice still applies to
 * the result of the call, because the pipeline passes it explicitly; only a handler that formats by itself does not
 * see it.
 */
export function createMinifyScope(): MinifyScope {
  // Created on first use: an active storage slows down every promise of the process, and most servers never need
  // one.
  let storage: Storage | undefined;
  return {
    run: (minify, run) => {
      storage ??= createStorage();
      return storage === undefined ? run() : storage.run(minify, run);
    },
    current: () => storage?.getStore(),
  };
}

function createStorage(): Storage | undefined {
  const hooks = globalThis.process?.getBuiltinModule?.('node:async_hooks');
  return hooks === undefined ? undefined : new hooks.AsyncLocalStorage<boolean>();
}
