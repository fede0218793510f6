/** What every server calls itself. */
export const SERVER_INFO = { name: 'bench', version: '1.0.0' };

/** How often a call that reports progress does so. */
export const STEPS = 10;
