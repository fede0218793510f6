import { watch } from 'node:fs';

/** Reports that something in a folder may have changed. */
export type WatchFolder = (folder: string, events: WatchEvents) => Disposable;

export interface WatchEvents {
  readonly onChange: () => void;
  /** Changes are no longer reported. */
  readonly onLost: () => void;
}

/** Watches a folder and its subfolders with the file system's notifications. */
export const watchFolder: WatchFolder = (folder, { onChange, onLost }) => {
  const watcher = watch(folder, { recursive: true, persistent: false });
  watcher.on('change', onChange);
  watcher.on('error', onLost);
  return { [Symbol.dispose]: () => watcher.close() };
};
