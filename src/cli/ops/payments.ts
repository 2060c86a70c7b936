import { Option } from '@commander-js/extra-typings';
import type { AddCommands } from './command-context.ts';
import { findPayments } from './find-payments.ts';
import { addActCommands } from './act-commands.ts';
import { addLateReturnsCommand } from './late-returns.ts';
import { readCount } from './option-values.ts';
import { addRetryCommand } from './retry-command.ts';
import { showPayment } from './show-payment.ts';
import { showStuckPayments } from './stuck-payments.ts';

const SHOWN_DEFAULT = 50;
const SHOWN_MAX = 1_000;

export const addPaymentCommands: AddCommands = (program, context) => {
  const payments = program.command('payments').description('show payments and retry held payments');

  payments
    .command('show')
    .description('show a payment with its states, history, and attempts')
    .argument('<id>', 'pay_...')
    .action((id) =>
      context.run(async (deps) => {
        await showPayment(deps, id);
        return 0;
      }),
    );

  payments
    .command('find')
    .description('find the payment of a request')
    .requiredOption('--request-id <id>', 'req_..., from X-Request-Id or the body of an error')
    .action(({ requestId }) =>
      context.run(async (deps) => {
        await findPayments(deps, requestId);
        return 0;
      }),
    );

  payments
    .command('stuck')
    .description('list payments that need an operator or do not move')
    .addOption(
      new Option('--limit <count>', 'number of payments to show')
        .argParser(readCount(SHOWN_MAX))
        .default(SHOWN_DEFAULT),
    )
    .action(({ limit }) =>
      context.run(async (deps) => {
        await showStuckPayments(deps, limit);
        return 0;
      }),
    );

  addRetryCommand(payments, context);
  addLateReturnsCommand(payments, context);
  addActCommands(payments, context, ['retry']);
};
