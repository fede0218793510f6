import * as z from 'zod';
import type { FailureExplanation } from '../domain/runs/explain-failure.ts';
import { RUNNER, showRunner } from './run-view.ts';
import { shorten } from './shorten.ts';

const FRAME = z.object({
  file: z.string(),
  line: z.int(),
  function: z.string(),
  code: z.string(),
});

/** A failure as explain_failure returns it. */
export const EXPLANATION = z.object({
  run_id: z.string(),
  node_id: z.string(),
  outcome: z.string(),
  phase: z.string().nullable().describe('The phase that failed: setup, call, teardown or collect.'),
  error_type: z.string().nullable(),
  message: z.string().nullable(),
  frames: z.array(FRAME).describe('Code of the project only, the outermost frame first.'),
  other_frames: z.int().describe('Number of frames of installed packages, which are left out.'),
  assertion: z
    .object({ operator: z.string(), left: z.string(), right: z.string() })
    .nullable()
    .describe('The compared values.'),
  diff: z.array(z.string()),
  causes: z.array(z.object({ type: z.string(), message: z.string(), frames: z.array(FRAME) })),
  captured: z.array(z.object({ name: z.string(), text: z.string() })),
  runner: RUNNER,
});

const MAX_DIFF_LINES = 60;

/** An explanation in bounded size. */
export function toExplanationView(explanation: FailureExplanation): z.infer<typeof EXPLANATION> {
  const { message, frames, diff, causes, captured, runner } = explanation;
  const omitted = diff.length - MAX_DIFF_LINES;
  return {
    ...explanation,
    message: message === null ? null : shorten(message, 8_000),
    frames: [...frames],
    diff: [
      ...diff.slice(0, MAX_DIFF_LINES).map((line) => shorten(line, 500)),
      ...(omitted > 0 ? [`[${omitted} lines omitted]`] : []),
    ],
    causes: causes.map(({ type, message, frames }) => ({
      type,
      message: shorten(message, 2_000),
      frames: frames.slice(-10),
    })),
    captured: captured.slice(0, 6).map(({ name, text }) => ({ name, text: shorten(text, 4_000) })),
    runner: showRunner(runner),
  };
}
