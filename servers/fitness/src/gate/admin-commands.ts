import { parseArgs } from 'node:util';
import { AccountError } from '../accounts/account-error.ts';
import type { Actor } from '../accounts/actor.ts';
import type { Administration } from '../accounts/administration.ts';
import { assertChoice } from '../accounts/validate-account.ts';
import { PLANS } from './catalog.ts';
import { formatCatalog, formatDecision, formatEffectiveTools } from './format-tools.ts';
import { ROLES } from './standing.ts';

type Options = Readonly<Partial<Record<OptionName, string>>>;
type OptionName = 'tenant' | 'role' | 'days' | 'reason';

/** One run of a command. `positionals` has a value for each of `positionals` of the command. */
interface Run {
  readonly administration: Administration;
  readonly actor: Actor;
  readonly positionals: readonly string[];
  readonly options: Options;
}

interface Command {
  readonly name: string;
  readonly positionals: readonly string[];
  readonly options: readonly OptionName[];
  /** The options as the usage shows them. */
  readonly usage: string;
  readonly run: (run: Run) => string;
}

const COMMANDS: readonly Command[] = [
  {
    name: 'user add',
    positionals: ['user'],
    options: ['tenant', 'role'],
    usage: `[--tenant <tenant>] [--role ${ROLES.join('|')}]`,
    run: ({ administration, actor, positionals: [user = ''], options: { tenant, role } }) => {
      const added = administration.addUser(actor, { user, tenant, role });
      const place = added.tenant === undefined ? 'without a tenant' : `in the tenant ${added.tenant}`;
      return `Added the user ${added.user} with the role ${added.role}, ${place}.`;
    },
  },
  {
    name: 'token issue',
    positionals: ['user'],
    options: ['days'],
    usage: '[--days <days until it expires>]',
    run: ({ administration, actor, positionals: [user = ''], options: { days } }) => {
      const issued = administration.issueToken(actor, { user, validDays: toDays(days) });
      return [
        issued.token,
        `Token ${issued.prefix} of the user ${user}, valid until ${issued.expiresAt ?? 'it is revoked'}. It is shown only now.`,
      ].join('\n');
    },
  },
  {
    name: 'token revoke',
    positionals: ['prefix'],
    options: [],
    usage: '',
    run: ({ administration, actor, positionals: [given = ''] }) => {
      const { prefix, user } = administration.revokeToken(actor, given);
      return `Revoked the token ${prefix} of the user ${user}.`;
    },
  },
  {
    name: 'tenant set-plan',
    positionals: ['tenant', 'plan'],
    options: [],
    usage: `(plans: ${PLANS.join(', ')})`,
    run: ({ administration, actor, positionals: [tenant = '', plan = ''] }) => {
      const { isCreated } = administration.setPlan(actor, { tenant, plan });
      return isCreated
        ? `Created the tenant ${tenant} with the plan ${plan}.`
        : `The tenant ${tenant} has the plan ${plan}.`;
    },
  },
  {
    name: 'override set',
    positionals: ['tenant', 'tool', 'on|off'],
    options: ['reason'],
    usage: '--reason <reason>',
    run: ({ administration, actor, positionals: [tenant = '', tool = '', state = ''], options }) => {
      const isEnabled = assertChoice('state', state, ['on', 'off']) === 'on';
      const { reason } = options;
      if (reason === undefined)
        throw new AccountError(
          'invalid_input',
          'Missing option --reason: say why, such as --reason "Trial until May".',
        );
      return formatDecision(administration.setOverride(actor, { tenant, tool, isEnabled, reason }));
    },
  },
  {
    name: 'override remove',
    positionals: ['tenant', 'tool'],
    options: [],
    usage: '',
    run: ({ administration, actor, positionals: [tenant = '', tool = ''] }) =>
      formatDecision(administration.removeOverride(actor, { tenant, tool })),
  },
  {
    name: 'catalog',
    positionals: [],
    options: [],
    usage: '',
    run: ({ administration }) => formatCatalog(administration.listCatalog()),
  },
  {
    name: 'effective',
    positionals: ['tenant'],
    options: [],
    usage: '',
    run: ({ administration, actor, positionals: [tenant = ''] }) =>
      formatEffectiveTools(administration.listEffectiveTools(actor, tenant)),
  },
];

/** The administrative commands, one per line. */
export const ADMIN_USAGE = COMMANDS.map((command) => `  ${usageOf(command)}`).join('\n');

/** Whether arguments of the command line are for {@link runAdminCommand}. */
export function isAdminCommand(args: readonly string[]): boolean {
  return COMMANDS.some(({ name }) => name.split(' ')[0] === args[0]);
}

/** Runs an administrative command, and returns its output. Throws an {@link AccountError} that says how to correct the arguments. */
export function runAdminCommand(
  administration: Administration,
  actor: Actor,
  args: readonly string[],
): string {
  const command = findCommand(args);
  const rest = args.slice(command.name.split(' ').length);
  const { positionals, options } = parseRest(command, rest);
  return command.run({ administration, actor, positionals, options });
}

function findCommand(args: readonly string[]): Command {
  const command = COMMANDS.find(({ name }) => name.split(' ').every((word, index) => args[index] === word));
  if (command !== undefined) return command;
  const alike = COMMANDS.filter(({ name }) => name.split(' ')[0] === args[0]);
  throw new AccountError(
    'invalid_input',
    [
      `Unknown command "${args.slice(0, alike.length > 0 ? 2 : 1).join(' ')}". Use one of:`,
      ...(alike.length > 0 ? alike : COMMANDS).map((each) => `  ${usageOf(each)}`),
    ].join('\n'),
  );
}

function parseRest(
  command: Command,
  args: readonly string[],
): { readonly positionals: readonly string[]; readonly options: Options } {
  try {
    const { positionals, values } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: Object.fromEntries(command.options.map((name) => [name, { type: 'string' as const }])),
    });
    const missing = command.positionals[positionals.length];
    if (missing !== undefined) throw new Error(`Missing argument <${missing}>.`);
    const excess = positionals[command.positionals.length];
    if (excess !== undefined) throw new Error(`Unexpected argument "${excess}".`);
    return { positionals, options: values };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new AccountError('invalid_input', `${message}\nUsage: ${usageOf(command)}`);
  }
}

function usageOf({ name, positionals, usage }: Command): string {
  return [name, ...positionals.map((each) => `<${each}>`), usage].join(' ').trimEnd();
}

function toDays(days: string | undefined): number | undefined {
  if (days === undefined) return undefined;
  if (/^\d{1,6}$/.test(days)) return Number(days);
  throw new AccountError(
    'invalid_input',
    `Invalid value "${days}" of --days: use a whole number, such as 30.`,
  );
}
