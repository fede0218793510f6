const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Before a signal ends this process, what it has started is stopped; then it ends as it would have. The returned function takes that
 * back.
 */
export function stopOnSignals(stop: () => Promise<void>): () => void {
  const forget = (): void => {
    for (const signal of SIGNALS) process.off(signal, onSignal);
  };
  const onSignal = (signal: NodeJS.Signals): void => {
    // The next one ends this process at once.
    forget();
    void stop().finally(() => process.kill(process.pid, signal));
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  return forget;
}
