import type { ActivityWeather } from '../provider.ts';
import { yearFraction } from './calendar.ts';
import type { Day } from '../../calendar/days.ts';
import { createRandom } from './random.ts';

/** Weather of the upper Rhine valley at an hour of a day. Neighbouring days are alike. */
export function weatherOf(seed: number, day: Day, hour: number): ActivityWeather {
  const spell =
    0.6 * front(seed, Math.floor(day / 4)) + 0.4 * front(seed, Math.floor((day + 2) / 4) + 10_000_019);
  const random = createRandom(seed, 'weather', day);
  const season = 11 - 9.5 * Math.cos(2 * Math.PI * (yearFraction(day) - 0.04));
  const daytime = 3.5 * Math.sin((Math.PI * (hour - 9)) / 12);
  const temperature = season + daytime + 3 * spell + random.normal();
  const rain = random.next() - 0.18 * spell;
  return {
    temperature_c: round(Math.min(38, Math.max(-14, temperature))),
    humidity_percent: Math.round(
      Math.min(98, Math.max(30, 68 - 1.2 * daytime - 6 * spell + 5 * random.normal())),
    ),
    wind_mps: round(Math.min(16, Math.abs(2.4 + 1.6 * random.normal()))),
    conditions: conditionsOf(rain, temperature),
  };
}

function front(seed: number, spell: number): number {
  return Math.max(-2, Math.min(2, createRandom(seed, 'front', spell).normal()));
}

function conditionsOf(rain: number, temperature: number): string {
  if (rain > 0.9) return temperature < 1 ? 'snow' : 'rain';
  if (rain > 0.78) return temperature < 1 ? 'light snow' : 'light rain';
  if (rain > 0.5) return 'cloudy';
  return rain > 0.25 ? 'partly cloudy' : 'clear';
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
