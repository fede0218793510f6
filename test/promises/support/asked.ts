import type { ChildServer } from './child-server.ts';

/** Asks an app something it has an answer to; the answer is known by one of its keys. */
export function asked<Answer extends object>(
  child: ChildServer,
  question: string | object,
  key: string,
): Promise<Answer> {
  const answer = child.hear<Answer>(key);
  child.process.send(question);
  return answer;
}
