/** Avoirdupois pound, exact by definition (NIST SP 811). */
const KILOGRAMS_PER_POUND = 0.45359237;

export const toPounds = (kilograms: number): number => kilograms / KILOGRAMS_PER_POUND;
export const fromPounds = (pounds: number): number => pounds * KILOGRAMS_PER_POUND;
