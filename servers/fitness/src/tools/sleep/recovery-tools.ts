import { restDay } from '../../algorithms/sleep/rest-day.ts';
import { readRecovery } from '../../sleep/recovery.ts';
import type { Recovery, RecoveryRequest } from '../../sleep/recovery.ts';
import type { ProviderArgument } from '../arguments.ts';
import { findConfigIssues, userConfig } from '../configuration/athlete-arguments.ts';
import { defineFitnessTool } from '../define-tool.ts';
import type { ArgumentIssue } from '../define-tool.ts';
import { rounded } from '../results/rounded.ts';
import { findNightIssues, findSourceIssues, hrvArguments, sleepData } from './sleep-arguments.ts';

const recoveryArguments = (provider: ProviderArgument) => ({
  activity_provider: provider('activities'),
  sleep_provider: provider('sleep'),
  sleep_data: sleepData,
  user_config: userConfig,
  ...hrvArguments,
});

function findIssues({ sleep_provider, sleep_data, user_config }: RecoveryRequest): readonly ArgumentIssue[] {
  return [
    ...findSourceIssues({ name: 'sleep_data', isGiven: sleep_data !== undefined }, sleep_provider),
    ...(sleep_data === undefined ? [] : findNightIssues(sleep_data, ['sleep_data'])),
    ...findConfigIssues(user_config ?? {}, ['user_config']),
  ];
}

function toData({ recovery, providers, night, parts, hrv, figures }: Recovery): object {
  return {
    recovery_score: rounded(recovery.score),
    category: recovery.category,
    ...providers,
    night,
    parts,
    hrv,
    figures,
  };
}

export const calculateRecoveryScore = defineFitnessTool({
  name: 'calculate_recovery_score',
  title: 'Recovery',
  description:
    'Scores recovery from 0 to 100: form 40 %, sleep 35 %, HRV 25 %; without HRV form 55 % and sleep 45 %. Each part is in the result.',
  synonyms: ['readiness', 'ready to train', 'recovered', 'fresh', 'tired', 'body battery'],
  effect: 'reads',
  isOpenWorld: true,
  hasRows: true,
  arguments: recoveryArguments,
  findIssues,
  run: async ({ input, context }) => {
    const found = await readRecovery(context, input);
    return { data: toData(found), notes: found.notes };
  },
});

export const suggestRestDay = defineFitnessTool({
  name: 'suggest_rest_day',
  title: 'Rest day',
  description:
    'Decides by rules whether to rest today, to train easily or to train, and returns the reasons.',
  synonyms: ['day off', 'break', 'skip training', 'too tired', 'train today or not'],
  effect: 'reads',
  isOpenWorld: true,
  hasRows: true,
  arguments: recoveryArguments,
  findIssues,
  run: async ({ input, context }) => {
    const found = await readRecovery(context, input);
    const { recovery, sleep_score, tsb } = found;
    const { decision, reasons } = restDay({ recovery_score: recovery.score, sleep_score, tsb });
    return { data: { decision, reasons, ...toData(found) }, notes: found.notes };
  },
});
