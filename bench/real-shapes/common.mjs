import { z } from 'zod';

export const cursor = () =>
  z.string().optional().describe('Cursor that the previous page returned; leave it out for the first page.');

export const ID = '8f14e45f-ceea-467f-a0e6-7a1d2c3b4f56';
