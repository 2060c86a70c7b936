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
  const payments = program.command('payments').description('look at payments, retry held ones');

  payments
    .command('show')
    .description('one payment: states, history, settlement attempts')
    .argument('<id>', 'pay_...')
    .action((id) =>
      context.run(async (deps) => {
        await showPayment(deps, id);
        return 0;
      }),
    );

  payments
    .command('find')
    .description('the payment that came with a request')
    .requiredOption('--request-id <id>', 'req_..., from X-Request-Id or the body of an error')
    .action(({ requestId }) =>
      context.run(async (deps) => {
        await findPayments(deps, requestId);
        return 0;
      }),
    );

  payments
    .command('stuck')
    .description('what waits for a human, or moves no more')
    .addOption(
      new Option('--limit <count>', 'how many to show')
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
