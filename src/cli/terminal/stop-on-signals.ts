const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Calls `stop` before a signal ends this process, then sends the signal again. The returned function removes the handlers.
 */
export function stopOnSignals(stop: () => Promise<void>): () => void {
  const forget = (): void => {
    for (const signal of SIGNALS) process.off(signal, onSignal);
  };
  const onSignal = (signal: NodeJS.Signals): void => {
    // A second signal ends this process immediately.
    forget();
    void stop().finally(() => process.kill(process.pid, signal));
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  return forget;
}
