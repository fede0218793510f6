export type NutritionErrorCode =
  | 'invalid_input'
  | 'unknown_food'
  | 'unknown_recipe'
  | 'invalid_recipe'
  | 'unresolved_ingredients';

/** One reason of an error, with the place of the value in the input and the values that are possible there. */
export interface NutritionIssue {
  readonly path: string;
  readonly message: string;
  readonly choices?: readonly string[];
}

/** A mistake in the input. `message` names every issue, so it can be shown to a caller as it is. */
export class NutritionError extends Error {
  readonly code: NutritionErrorCode;
  readonly issues: readonly NutritionIssue[];

  constructor(code: NutritionErrorCode, issues: readonly NutritionIssue[]) {
    super(issues.map(formatIssue).join('\n'));
    this.name = 'NutritionError';
    this.code = code;
    this.issues = issues;
  }
}

function formatIssue({ path, message, choices }: NutritionIssue): string {
  const list = choices === undefined || choices.length === 0 ? '' : ` Choices: ${choices.join('; ')}.`;
  return `${path}: ${message}${list}`;
}
