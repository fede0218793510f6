import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** An environment variable that all processes of a test have, whatever the code under test puts into their environment. */
export function createMarker() {
  const value = randomUUID();
  return {
    environment: { ATTACK_ID: value },
    allowedEnvironment: ['ATTACK_ID', 'ATTACK_PORT'],
    /** Ids of the living processes that have the variable. */
    listProcesses(): readonly number[] {
      return readdirSync('/proc')
        .filter((name) => /^\d+$/.test(name) && hasVariable(name, `ATTACK_ID=${value}`))
        .map(Number);
    },
  };
}

function hasVariable(pid: string, variable: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(variable);
  } catch {
    return false;
  }
}

/** Whether a process lives. A zombie does not. */
export function isAlive(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}

/** A port for Python code that reports that it has come to some place, with a line of text. */
export async function createReporting() {
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return {
    port: String((server.address() as AddressInfo).port),
    /** The first text that is reported. Call it before the process starts. */
    async waitForText(): Promise<string> {
      const [socket] = await once(server, 'connection');
      const [chunk] = await once(socket, 'data');
      socket.destroy();
      return String(chunk);
    },
    /** Everything that is reported until no process has the connection any more. Call it before the process starts. */
    async waitForEnd(): Promise<string> {
      const [socket] = await once(server, 'connection');
      let received = '';
      socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
      await once(socket, 'close');
      return received;
    },
  };
}

/** Python code of `report`, which sends a text to {@link createReporting}. */
export const REPORT = `
import os, signal, socket, subprocess, sys, time
def report(text):
    with socket.create_connection(("127.0.0.1", int(os.environ["ATTACK_PORT"]))) as connection:
        connection.sendall(text.encode())
def hang():
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    while True:
        signal.pause()
def survive():
    """A process of another session that ignores SIGTERM, and whose parent has ended."""
    reader, writer = os.pipe()
    parent = os.fork()
    if parent == 0:
        os.setsid()
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        pid = os.fork()
        if pid != 0:
            os.write(writer, str(pid).encode())
            os._exit(0)
        while True:
            signal.pause()
    pid = os.read(reader, 20).decode()
    os.waitpid(parent, 0)
    return pid
def survive_unmarked():
    """The same with an empty environment."""
    code = "import subprocess; print(subprocess.Popen(['sleep', '1000'], env={}, start_new_session=True, stdout=subprocess.DEVNULL).pid)"
    return subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, universal_newlines=True).stdout
def hop(leave_session):
    """A process that is replaced by its child every two milliseconds, so that lists of processes miss it, and that reports if it survives."""
    connection = socket.create_connection(("127.0.0.1", int(os.environ["ATTACK_PORT"])))
    if os.fork() == 0:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        for _ in range(2000):
            if os.fork(): os._exit(0)
            if leave_session: os.setsid()
            time.sleep(0.002)
        connection.sendall(b"survived")
        os._exit(0)
    connection.close()
`;
