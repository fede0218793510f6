/** Calls back once, later, for all calls that are made before the code that runs now has returned. */
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
