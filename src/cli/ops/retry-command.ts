import { Option, type Command } from '@commander-js/extra-typings';
import { actsOf, describeActs } from './act-commands.ts';
import type { AddCommands } from './command-context.ts';
import {
  customerOption,
  environmentOption,
  operatorOption,
  readCount,
  reasonOption,
} from './option-values.ts';
import { retryPayment } from './retry-payment.ts';
import { retryPayments } from './retry-payments.ts';

/** What an operator's decision moves; everything else that is held goes on by itself. */
const RETRIED_DETAILS = ['ENGINE_FAULT', 'SETTLEMENT_FAILED', 'STALLED'] as const;
const RETRIED_MAX = 1_000_000;

/** `payments retry`: one payment by its id, or with `--all` what a filter names. */
export const addRetryCommand: AddCommands = (payments, context) => {
  payments
    .command('retry')
    .description(describeActs(actsOf('payments retry')))
    .argument('[id]', 'pay_...; omit it with --all')
    .option('--all', 'retry all payments held with --detail')
    .addOption(new Option('--detail <name>', 'reason for the hold').choices(RETRIED_DETAILS))
    .addOption(environmentOption())
    .addOption(customerOption())
    .addOption(
      new Option('--limit <count>', 'maximum number of payments').argParser(readCount(RETRIED_MAX)),
    )
    .option('--dry-run', 'list the payments without retrying them')
    .addOption(reasonOption())
    .addOption(operatorOption(context))
    .action((id, options, command) => {
      const { all, detail, environment, customer, limit, dryRun, ...decision } = options;
      const refuse: Command['error'] = (message) => command.error(`error: ${message}`);
      if (id !== undefined) {
        const isFiltered = [all, detail, environment, customer, limit, dryRun].some(
          (option) => option !== undefined,
        );
        if (isFiltered) return refuse('--all and what goes with it take no id');
        return context.run((deps) => retryPayment(deps, id, decision));
      }
      if (all === undefined) return refuse("missing argument 'id', or option '--all'");
      if (detail === undefined) return refuse("option '--all' needs '--detail <name>'");
      const filter = { detail, environment: environment ?? null, customerId: customer ?? null };
      return context.run((deps) =>
        retryPayments(deps, filter, {
          ...decision,
          limit: limit ?? RETRIED_MAX,
          isDryRun: dryRun === true,
        }),
      );
    });
};
