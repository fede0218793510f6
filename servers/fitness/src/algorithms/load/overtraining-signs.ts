import type { DayLoad } from './training-load.ts';

export interface OvertrainingSigns {
  readonly risk: 'low' | 'moderate' | 'high';
  /** One sentence for each sign that is present. */
  readonly signs: readonly string[];
}

/** Signs of too much load: no sign is a low risk, one a moderate risk, more a high risk. */
export function overtrainingSigns({ ctl, atl, tsb }: DayLoad): OvertrainingSigns {
  const signs: string[] = [];
  if (ctl > 0 && atl > 1.3 * ctl) {
    signs.push(`Acute load (${one(atl)}) is more than 1.3 times chronic load (${one(ctl)}).`);
  }
  if (atl > 150) signs.push(`Acute load (${one(atl)}) is above 150.`);
  if (tsb < -10) signs.push(`Form (${one(tsb)}) is below −10.`);
  const risk = signs.length === 0 ? 'low' : signs.length === 1 ? 'moderate' : 'high';
  return { risk, signs };
}

const one = (value: number): string => value.toFixed(1);
