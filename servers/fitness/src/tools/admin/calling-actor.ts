import { toActor } from '../../accounts/actor.ts';
import type { Actor } from '../../accounts/actor.ts';
import type { FitnessCaller } from '../../accounts/caller.ts';

export function toCallingActor({ id, standing }: FitnessCaller): Actor {
  return toActor(id, standing);
}
