/** Serves on standard input and output, until the client closes it. Writes the exit code to the file that `MATRIX_EXIT` names. */
import { writeFileSync } from 'node:fs';
import process from 'node:process';
import { serveStdio } from 'toolwright/stdio';
import { createMatrixServer } from './server.mjs';

const file = process.env.MATRIX_EXIT;
if (file !== undefined) process.once('exit', (code) => writeFileSync(file, String(code)));
serveStdio(createMatrixServer());
