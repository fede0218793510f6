import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';

const session = new Session();

export async function start() {
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: 200 });
  await session.post('Profiler.start');
}

/** @param {string} file where the profile goes */
export async function stop(file) {
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  writeFileSync(file, JSON.stringify(profile));
}
