import * as z from 'zod';

/** The error of an argument that breaks a rule of the day. The caller gets the same response as for a value that the schema rejects. */
export function invalidArgument(name: string, message: string): z.ZodError {
  return new z.ZodRealError([{ code: 'custom', path: [name], message, input: undefined }]);
}
