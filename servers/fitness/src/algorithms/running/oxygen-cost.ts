/** Oxygen cost of running in ml/kg/min at a speed in m/min (Daniels and Gilbert 1979). */
export function oxygenCost(metresPerMinute: number): number {
  return -4.6 + 0.182258 * metresPerMinute + 0.000104 * metresPerMinute ** 2;
}

/** Speed in m/min at an oxygen cost in ml/kg/min: the positive root of `oxygenCost`. */
export function speedAtOxygenCost(vo2: number): number {
  return (-0.182258 + Math.sqrt(0.182258 ** 2 + 4 * 0.000104 * (4.6 + vo2))) / (2 * 0.000104);
}

/** Share of VO2max that a runner sustains for a race of so many minutes (Daniels and Gilbert 1979). */
export function sustainableShare(minutes: number): number {
  return 0.8 + 0.1894393 * Math.exp(-0.012778 * minutes) + 0.2989558 * Math.exp(-0.1932605 * minutes);
}
