import cluster from 'node:cluster';
import type { Worker } from 'node:cluster';

/** A connection that was sent to a worker, with the message of Node that goes with it. */
interface Sent {
  readonly message: object;
  readonly handle: unknown;
}

type Send = (message: unknown, handle?: unknown, ...rest: unknown[]) => boolean;

/**
 * Passes on the connections of a worker that ends. Node sends each connection to one worker and waits until the worker has taken it; if the
 * worker ends before, Node keeps the connection open, and its client waits forever. The same message to another worker passes the
 * connection on: the reply of that worker has the number of the message, so Node ends its wait.
 */
export function passOnUntaken(worker: Worker): void {
  const { process } = worker;
  const untaken = new Map<unknown, Sent>();
  const send = process.send.bind(process) as Send;
  const follow: Send = (message, handle, ...rest) => {
    const { act, seq } = (message ?? {}) as { readonly act?: unknown; readonly seq?: unknown };
    if (act === 'newconn' && handle !== undefined) untaken.set(seq, { message: message as object, handle });
    return send(message, handle, ...rest);
  };
  process.send = follow;
  process.on('internalMessage', (reply: { readonly ack?: unknown } | null) => {
    untaken.delete(reply?.ack);
  });
  const passOn = (): void => {
    for (const { message, handle } of untaken.values()) {
      const other = Object.values(cluster.workers ?? {}).find(
        (each) => each !== undefined && each !== worker && each.isConnected(),
      );
      if (other === undefined) (handle as { close?: () => void }).close?.();
      else (other.process.send as Send)(message, handle);
    }
    untaken.clear();
  };
  // After the last message of the worker: it may have taken the connection before it ended. Node reports the end of a channel with an
  // untaken connection only as the end of the process.
  worker.once('exit', () => {
    if (worker.isConnected()) worker.once('disconnect', passOn);
    else passOn();
  });
}
