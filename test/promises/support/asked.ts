import type { ChildServer } from './child-server.ts';

/** Sends a request to an app; the response is identified by one of its keys. */
export function asked<Answer extends object>(
  child: ChildServer,
  question: string | object,
  key: string,
): Promise<Answer> {
  const answer = child.hear<Answer>(key);
  child.process.send(question);
  return answer;
}
