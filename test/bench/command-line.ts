import { Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import type { Roles } from './engine/engine-environment.ts';
import type { LoadEnd } from './load/post-payments.ts';

export const COMMANDS = {
  accept: 'payments accepted per second, against the use case called without HTTP and Temporal',
  settle: 'payouts from the POST to the webhook, against bare Temporal workflows',
  costs: 'SQL statements, commits and history events of a payout, not timed',
  guard: 'settle and costs against another commit, with a verdict for each figure; needs --against',
  webhooks: 'events delivered per second to one endpoint, against a plain HTTP client',
  statements: 'statement lines reconciled per second, against parsing alone',
  'on-ramps':
    'payments to wallets by one signer account per second, against a loop that keeps nothing',
  deposits: 'deposits credited per second, against a loop that reads them and keeps nothing',
} as const;

export type CommandName = keyof typeof COMMANDS;

/** What a person chose. */
export interface BenchOrder {
  readonly command: CommandName;
  readonly roles: Roles;
  readonly clients: number;
  readonly customers: number;
  readonly end: LoadEnd;
  readonly warmUp: number;
  readonly stored: number;
  readonly yardstickSeconds: number;
  readonly events: number;
  readonly rounds: number;
  readonly lines: number;
  /** A revision to compare with. */
  readonly against: string | null;
  readonly pairs: number;
  readonly date: string;
  readonly statementsFile: string | null;
  readonly jsonFile: string | null;
  readonly chartFile: string | null;
}

const readNumber = (max: number) => (text: string) => {
  const number = /^[0-9]{1,9}$/.test(text) ? Number(text) : 0;
  if (number >= 1 && number <= max) return number;
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${String(max)}.`);
};

/** Reads a command line and runs what it asks for. Commander ends the process where it is wrong. */
export async function runCommandLine(
  args: readonly string[],
  run: (order: BenchOrder) => Promise<void>,
): Promise<void> {
  const program = new Command('npm run bench --').showHelpAfterError();
  for (const [name, description] of Object.entries(COMMANDS)) {
    program.addCommand(createCommand(name as CommandName, description, run));
  }
  await program.parseAsync(args, { from: 'user' });
}

function createCommand(
  name: CommandName,
  description: string,
  run: (order: BenchOrder) => Promise<void>,
) {
  const { payments, clients, customers } = DEFAULTS;
  return new Command(name)
    .description(description)
    .option('--clients <count>', 'that post at the same time', readNumber(500), clients)
    .option('--customers <count>', 'they belong to, in turn', readNumber(50), customers)
    .option('--payments <count>', 'to make', readNumber(1_000_000))
    .option('--seconds <count>', 'to post payments for, in place of --payments', readNumber(3_600))
    .option('--warm-up <count>', 'payments before those measured', readNumber(100_000), 200)
    .option(
      '--stored <count>',
      'payments that the database holds beforehand',
      readNumber(10_000_000),
    )
    .option('--yardstick-seconds <count>', 'what it is compared with runs', readNumber(600), 5)
    .option('--events <count>', 'webhooks: events to deliver', readNumber(1_000_000), 10_000)
    .option(
      '--rounds <count>',
      'webhooks: the engine and plain clients in turn',
      readNumber(100),
      3,
    )
    .option('--lines <count>', 'statements: lines of the statement', readNumber(5_000_000), 50_000)
    .addOption(
      new Option('--roles <roles>', 'API and worker in one process or two')
        .choices(['combined', 'split'])
        .default(name === 'webhooks' ? ('split' as const) : ('combined' as const)),
    )
    .option('--against <revision>', 'a commit to run in turn with this checkout')
    .option('--pairs <count>', 'runs of each of the two', readNumber(100), name === 'guard' ? 2 : 3)
    .option('--date <text>', 'what the report says of when', new Date().toISOString().slice(0, 10))
    .option('--statements <file>', 'costs: list every statement with its count')
    .option('--json <file>', 'write every number of every run')
    .option('--chart <file>', 'draw the medians (SVG)')
    .action((given, command) => {
      if (name === 'guard' && given.against === undefined) {
        command.error("error: guard compares with another commit: give '--against <revision>'");
      }
      return run({
        command: name,
        roles: given.roles,
        clients: given.clients,
        customers: Math.min(given.customers, given.clients),
        end:
          given.seconds === undefined
            ? { payments: given.payments ?? payments[name] }
            : { seconds: given.seconds },
        warmUp: given.warmUp,
        stored: given.stored ?? 0,
        yardstickSeconds: given.yardstickSeconds,
        events: given.events,
        rounds: given.rounds,
        lines: given.lines,
        against: given.against ?? null,
        pairs: given.pairs,
        date: given.date,
        statementsFile: given.statements ?? null,
        jsonFile: given.json ?? null,
        chartFile: given.chart ?? null,
      });
    });
}

/** As many payments as take about 20 s on two cores; of `statements`, those with lines of their own. */
const DEFAULTS = {
  payments: {
    ...{ accept: 2_000, settle: 2_000, costs: 400, guard: 800, webhooks: 1, statements: 1_000 },
    ...{ 'on-ramps': 200, deposits: 1_000 },
  },
  clients: 40,
  customers: 1,
} as const;
