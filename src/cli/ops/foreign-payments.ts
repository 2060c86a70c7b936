import { Option, type Command } from '@commander-js/extra-typings';
import { InvalidArgumentError } from '@commander-js/extra-typings';
import { proposeForeignPayment } from '../../modules/onchain/foreign-payment.ts';
import { PlainError } from '../../server/runtime/plain-error.ts';
import type { CommandContext } from './command-context.ts';
import { handedIn } from './handed-in.ts';
import { operatorOption, reasonOption } from './option-values.ts';

/** The hash of a transaction, as `--hash` takes it. */
export const hashOption = () =>
  new Option('--hash <hash>', 'of the transaction').argParser(readHash).makeOptionMandatory();

function readHash(text: string): string {
  if (/^0x[0-9a-f]{64}$/.test(text)) return text;
  throw new InvalidArgumentError('It must be 0x and 64 lower-case hexadecimal digits.');
}

/** `chain paid|not-paid`: whether a transaction that the engine did not make paid a payment. */
export function addForeignPaymentCommands(chain: Command, context: CommandContext): void {
  for (const [verb, outcome, description] of [
    [
      'paid',
      'PAID',
      'hand in that a transaction which the engine did not make, of the nonce of a payment, paid it; two operators approve it',
    ],
    ['not-paid', 'NOT_PAID', 'hand in that such a transaction did not pay it; the same'],
  ] as const) {
    chain
      .command(verb)
      .description(description)
      .argument('<reference|paymentId>', 'of the transfer')
      .addOption(hashOption())
      .addOption(reasonOption())
      .addOption(operatorOption(context))
      .action((subject, { hash, ...act }) =>
        context.run(async (deps) => {
          const proposed = await proposeForeignPayment(deps, subject, { outcome, hash }, act);
          if (proposed === 'NO_TRANSFER') {
            throw new PlainError(`There is no transfer over a chain of ${subject}.`);
          }
          if (proposed === 'NO_NONCE') {
            throw new PlainError(
              `${subject} is over, or waits for a nonce and nothing of that hash was found after a restore.`,
            );
          }
          if (proposed.proposalId === null) {
            throw new PlainError(`A proposal about ${subject} waits already.`);
          }
          deps.print(handedIn(proposed.proposalId));
          return 0;
        }),
      );
  }
}
