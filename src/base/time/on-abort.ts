interface Listened {
  readonly listeners: Set<() => void>;
  readonly notify: () => void;
}

/** Signals belong to the application, which can pass one signal to many calls. */
const listened = new WeakMap<AbortSignal, Listened>();

/**
 * Calls the listener when the signal is aborted; returns a function that removes it. All listeners of a signal share one event listener, because
 * Node warns about more than 10.
 */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  const { listeners, notify } = listened.get(signal) ?? listenTo(signal);
  listeners.add(listener);
  return () => {
    if (!listeners.delete(listener) || listeners.size > 0) return;
    // Node keeps a derived signal in memory while it has an event listener.
    signal.removeEventListener('abort', notify);
    listened.delete(signal);
  };
}

function listenTo(signal: AbortSignal): Listened {
  const listeners = new Set<() => void>();
  const notify = (): void => {
    for (const listener of listeners) listener();
  };
  signal.addEventListener('abort', notify, { once: true });
  const made = { listeners, notify };
  listened.set(signal, made);
  return made;
}
