/** Calls back once, asynchronously, for all calls made in the current turn. */
export function coalesce(callback: () => void): () => void {
  let isPending = false;
  return () => {
    if (isPending) return;
    isPending = true;
    queueMicrotask(() => {
      isPending = false;
      callback();
    });
  };
}
