/** Name and version of every server. */
export const SERVER_INFO = { name: 'bench', version: '1.0.0' };

/** Number of progress notifications of a call. */
export const STEPS = 10;
