/** CPU milliseconds of an action. Unlike the time that passes, they do not depend on what else the machine does. */
export function cpuMsOf(action: () => void): number {
  const start = process.cpuUsage();
  action();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
