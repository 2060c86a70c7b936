import { Option, type Command } from '@commander-js/extra-typings';
import { listReleaseStops, type ReleaseFilter } from '../../db/operations/release-stop-store.ts';
import { RAILS } from '../../domain/payments/corridors/rail.ts';
import type { ReleaseDecision } from '../../modules/payments/act-on-release.ts';
import { resumeRelease, stopRelease } from '../../modules/payments/stop-release.ts';
import { wakeStoppedPayments } from '../../modules/payments/wake-stopped-payments.ts';
import { PlainError } from '../../server/runtime/plain-error.ts';
import type { AddCommands, OpsDeps } from './command-context.ts';
import {
  customerOption,
  environmentOption,
  operatorOption,
  reasonOption,
} from './option-values.ts';
import { sayWhyReleaseFailed } from './release-failure.ts';
import { table } from './table.ts';

const LISTED_MAX = 1_000;

export const addReleaseCommands: AddCommands = (program, context) => {
  const release = program.command('release').description('stop payments from leaving, and resume');
  /** What a stop concerns: everything, or what all the options given have in common. */
  const withFilter = (verb: string, description: string) =>
    release
      .command(verb)
      .description(description)
      .addOption(new Option('--all', 'everything').conflicts(['rail', 'customer', 'environment']))
      .addOption(new Option('--rail <name>', 'of one rail').choices(RAILS))
      .addOption(customerOption())
      .addOption(environmentOption())
      .addOption(reasonOption())
      .addOption(operatorOption(context));

  withFilter('stop', 'let no more payments leave; effective when the command ends').action(
    ({ reason, operator, ...chosen }, command) => {
      const filter = readFilter(chosen, command);
      return context.run((deps) => stop(deps, filter, { operator, reason }));
    },
  );

  withFilter('resume', 'end the stop that was made with the same options').action(
    ({ reason, operator, ...chosen }, command) => {
      const filter = readFilter(chosen, command);
      return context.run((deps) => resume(deps, filter, { operator, reason }));
    },
  );

  release
    .command('list')
    .description('the stops in force')
    .action(() => context.run(list));
};

function readFilter(
  chosen: {
    readonly all?: true | undefined;
    readonly rail?: string | undefined;
    readonly customer?: string | undefined;
    readonly environment?: 'test' | 'live' | undefined;
  },
  command: Pick<Command, 'error'>,
): ReleaseFilter {
  const { all, rail = null, customer: customerId = null, environment = null } = chosen;
  if (all === undefined && rail === null && customerId === null && environment === null) {
    command.error("error: option '--all' not specified, nor --rail, --customer or --environment");
  }
  return { environment, rail, customerId };
}

async function stop(
  deps: OpsDeps,
  filter: ReleaseFilter,
  decision: ReleaseDecision,
): Promise<number> {
  await stopRelease(deps, filter, decision).catch(sayWhyReleaseFailed);
  deps.print(
    `Stopped: ${describe(filter)}. Payments are accepted and wait as ON_HOLD / RELEASE_STOPPED; what the bank already has goes on.`,
  );
  return 0;
}

async function resume(
  deps: OpsDeps,
  filter: ReleaseFilter,
  decision: ReleaseDecision,
): Promise<number> {
  const ended = await resumeRelease(deps, filter, decision).catch(sayWhyReleaseFailed);
  if (ended.length === 0) {
    throw new PlainError(
      `No stop was made for exactly this: ${describe(filter)}. See: npm run ops -- release list`,
    );
  }
  deps.print(`Resumed: ${describe(filter)}.`);
  const { woken, isComplete } = await wakeStoppedPayments(deps, filter, (count) => {
    deps.showProgress(`waking payments: ${String(count)}`);
  });
  deps.print(
    isComplete
      ? `${String(woken)} payments go on.`
      : `${String(woken)} payments go on; Temporal did not answer for the others, which look again by themselves (HOLD_CHECK_MS).`,
  );
  return list(deps);
}

async function list(deps: OpsDeps): Promise<number> {
  const stops = await deps.db.system((tx) => listReleaseStops(tx, LISTED_MAX + 1));
  if (stops.length === 0) {
    deps.print('No stop is in force.');
    return 0;
  }
  deps.print(
    table(
      ['stopped', 'since', 'by', 'reason'],
      stops
        .slice(0, LISTED_MAX)
        .map((each) => [describe(each), each.stoppedAt.toISOString(), each.stoppedBy, each.reason]),
    ),
  );
  if (stops.length > LISTED_MAX) deps.print('There are more.');
  return 0;
}

function describe({ environment, rail, customerId }: ReleaseFilter): string {
  const parts = [environment, rail, customerId].filter((part) => part !== null);
  return parts.length === 0 ? 'everything' : parts.join(' ');
}
