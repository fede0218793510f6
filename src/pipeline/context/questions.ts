import { isStructure } from '../../base/is-object.ts';
import { DefinitionError } from '../../errors/errors.ts';
import type {
  Answer,
  FormQuestion,
  ModelQuestion,
  Question,
  Root,
  UrlQuestion,
} from '../../middleware/dialogue.ts';
import type { AskedSchemas } from './asked-schemas.ts';

/** A form as an elicitation request. */
export function toFormQuestion({ message, schema }: FormQuestion, schemas: AskedSchemas): Question {
  const { requestedSchema, validate } = schemas.find(schema);
  return {
    request: { method: 'elicitation/create', params: { mode: 'form', message, requestedSchema } },
    needs: { elicitation: { form: {} } },
    read: async (result) => {
      const action = actionOf(result);
      if (action !== 'accept') return action === undefined ? undefined : { value: { action } };
      const checked = await validate((result as { content?: unknown }).content ?? {});
      if (!checked.ok) return undefined;
      const answer: Answer<unknown> = { action, content: checked.value };
      return { value: answer };
    },
  };
}

/** A URL as an elicitation request. */
export function toUrlQuestion({ message, url }: UrlQuestion): Question {
  if (!/^https?:$/.test(new URL(url).protocol)) {
    throw new DefinitionError(`askUrl: url must be an http or https URL; received "${url}".`, {
      option: 'url',
      expected: 'an http or https URL',
      received: String(url),
    });
  }
  return {
    request: { method: 'elicitation/create', params: { mode: 'url', message, url } },
    needs: { elicitation: { url: {} } },
    read: (result) => {
      const action = actionOf(result);
      return action === undefined ? undefined : { value: { action } };
    },
  };
}

/** A sampling request. */
export function toModelQuestion(question: ModelQuestion): Question {
  return {
    request: { method: 'sampling/createMessage', params: { ...question } },
    needs: { sampling: {} },
    read: (result) => {
      const { role, content, model } = (result ?? {}) as Record<string, unknown>;
      const isAnswer = typeof role === 'string' && typeof model === 'string' && isStructure(content);
      return isAnswer ? { value: result } : undefined;
    },
  };
}

/** The request for the roots of the client. */
export const ROOTS_QUESTION: Question = {
  request: { method: 'roots/list', params: {} },
  needs: { roots: {} },
  read: (result) => {
    const roots: unknown = (result as { roots?: unknown } | null | undefined)?.roots;
    const isList =
      Array.isArray(roots) && roots.every((root: Partial<Root>) => typeof root?.uri === 'string');
    return isList ? { value: roots } : undefined;
  },
};

const ACTIONS = ['accept', 'decline', 'cancel'] as const;

function actionOf(result: unknown): (typeof ACTIONS)[number] | undefined {
  return ACTIONS.find((action) => (result as { action?: unknown } | null | undefined)?.action === action);
}
