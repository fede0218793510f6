export type FormStatus = 'overreaching' | 'productive' | 'fresh' | 'detraining';

/** Form by its training stress balance: below −10, −10 to 0, 0 to 10, above 10. */
export function formStatus(tsb: number): FormStatus {
  if (tsb < -10) return 'overreaching';
  if (tsb < 0) return 'productive';
  return tsb <= 10 ? 'fresh' : 'detraining';
}
