import type { SportType } from '../provider.ts';
import { BODY } from './athlete.ts';

/** The state of the athlete in one second. */
export interface Motion {
  readonly speed_mps: number;
  readonly power_w: number | null;
  readonly cadence_rpm: number | null;
  /** Effort relative to the threshold, which the heart follows. */
  readonly effort: number;
}

export interface Step {
  readonly intensity: number;
  readonly grade: number;
  readonly speed_mps: number;
  readonly ftp_w: number;
  readonly threshold_mps: number;
}

const GRAVITY = 9.81;
const BICYCLE_KG = 9.5;
const ROLLING = 0.005;
/** Half the density of air times the drag area of a rider. */
const DRAG = 0.2;
const DRIVETRAIN = 0.97;
/** Riders stop pedalling above this speed. */
const COASTING_MPS = 13;
const FASTEST_RIDE_MPS = 18;

/** Moves one second further. */
export function move(sport: SportType, step: Step): Motion {
  switch (sport) {
    case 'ride':
      return moveRide(step);
    case 'run':
    case 'walk':
    case 'hike':
      return moveOnFoot(sport, step);
    case 'swim':
      return moveEvenly(step, { pace: 1.32, cadence: 21 });
    case 'ski':
      return moveEvenly(step, { pace: 4.6, cadence: null });
    case 'row':
      return moveEvenly(step, { pace: 3.9, cadence: 18 });
    case 'strength':
    case 'other':
      return { speed_mps: 0, power_w: null, cadence_rpm: null, effort: step.intensity };
  }
}

/** Forces on a bicycle: gravity, rolling resistance and air. */
function moveRide({ intensity, grade, speed_mps, ftp_w }: Step): Motion {
  const isCoasting = speed_mps > COASTING_MPS;
  const climbing = 1 + Math.max(-0.5, Math.min(0.35, 6 * grade));
  const power = isCoasting ? 0 : Math.round(Math.max(0, ftp_w * intensity * climbing));
  const mass = BODY.weight_kg + BICYCLE_KG;
  const push = (power * DRIVETRAIN) / Math.max(2, speed_mps);
  const pull = mass * GRAVITY * (ROLLING + grade) + DRAG * speed_mps ** 2;
  const next = Math.min(FASTEST_RIDE_MPS, Math.max(1.5, speed_mps + (push - pull) / mass));
  const cadence = power === 0 ? 0 : Math.round(82 + 9 * (power / ftp_w - 0.6) - 120 * Math.max(0, grade));
  return { speed_mps: next, power_w: power, cadence_rpm: cadence, effort: power / ftp_w };
}

function moveOnFoot(sport: 'run' | 'walk' | 'hike', step: Step): Motion {
  const { intensity, grade, speed_mps, threshold_mps } = step;
  const slope = grade > 0 ? 1 + 3.3 * grade : 1 + 1.8 * grade;
  const flat = sport === 'run' ? threshold_mps * intensity : 2.5 * intensity;
  const next = speed_mps + (flat / slope - speed_mps) / 4;
  const cadence = sport === 'run' ? 74 + 3.6 * next : 40 + 10 * next;
  return { speed_mps: next, power_w: null, cadence_rpm: Math.round(cadence), effort: intensity };
}

function moveEvenly(
  step: Step,
  { pace, cadence }: { readonly pace: number; readonly cadence: number | null },
): Motion {
  const { intensity, grade, speed_mps } = step;
  const next = speed_mps + ((pace * intensity) / (1 + 4 * grade) - speed_mps) / 4;
  const strokes = cadence === null ? null : Math.round(cadence * (0.6 + 0.55 * intensity));
  return { speed_mps: next, power_w: null, cadence_rpm: strokes, effort: intensity };
}
