/** An observation about an activity by a rule. */
export interface Finding {
  readonly topic: string;
  readonly finding: string;
  /** The values that the rule compared. */
  readonly reason: string;
}
