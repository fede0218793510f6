/** International mile and foot, exact by definition (NIST SP 811). */
export const METRES_PER_MILE = 1609.344;
const METRES_PER_FOOT = 0.3048;

export const toMiles = (metres: number): number => metres / METRES_PER_MILE;
export const fromMiles = (miles: number): number => miles * METRES_PER_MILE;
export const toFeet = (metres: number): number => metres / METRES_PER_FOOT;
export const fromFeet = (feet: number): number => feet * METRES_PER_FOOT;
