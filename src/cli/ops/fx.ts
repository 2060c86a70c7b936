import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { NETWORKS } from '../../domain/onchain/network.ts';
import { RAILS } from '../../domain/payments/corridors/rail.ts';
import { isTradedOver, isTradeReference } from '../../domain/payments/fx/cover-trade.ts';
import type { Money } from '../../domain/ledger/movements.ts';
import { parseAmount } from '../../domain/money/amount.ts';
import { isMoneyCode } from '../../domain/money/currencies.ts';
import type { AddCommands } from './command-context.ts';
import { proposeCoverTrade } from './cover-trades.ts';
import { showFxPositions } from './fx-positions.ts';
import { environmentOption, operatorOption, reasonOption } from './option-values.ts';

/** `fx positions|cover`: what we are exposed to in each currency, and what was traded against it. */
export const addFxCommands: AddCommands = (program, context) => {
  const fx = program.command('fx').description('positions in currencies, and trades against them');

  fx.command('positions')
    .description(
      'what we have of each currency and asset: settled, promised to payments, promised by quotes',
    )
    .addOption(environmentOption().default('live' as const))
    .action(({ environment }) => context.run((deps) => showFxPositions(deps, environment)));

  const rail = <Flag extends string>(flag: Flag, description: string) =>
    new Option(`${flag} <rail>`, description)
      .choices([...RAILS, ...NETWORKS])
      .makeOptionMandatory();
  const money = <Flag extends string>(flag: Flag, description: string) =>
    new Option(`${flag} <amount>`, description).argParser(readMoney).makeOptionMandatory();

  fx.command('cover')
    .description('propose to record a trade that was made at a bank; another operator approves it')
    .addOption(environmentOption().makeOptionMandatory())
    .addOption(
      new Option('--reference <text>', "the bank's own number of the trade")
        .argParser(readReference)
        .makeOptionMandatory(),
    )
    .addOption(money('--sold', 'what left our account, as "1000.00 USD"'))
    .addOption(rail('--sold-from', 'the rail or network of that account'))
    .addOption(money('--bought', 'what came in, as "900.00 EUR"'))
    .addOption(rail('--bought-to', 'the rail or network of that account'))
    .addOption(reasonOption())
    .addOption(operatorOption(context))
    .action(
      ({ environment, reference, sold, soldFrom, bought, boughtTo, reason, operator }, me) => {
        if (sold.currency === bought.currency) {
          me.error('error: a trade is between two currencies');
        }
        const sides = [
          [sold.currency, soldFrom],
          [bought.currency, boughtTo],
        ] as const;
        if (!sides.every(([code, over]) => isTradedOver(code, over))) {
          me.error('error: an asset is traded over a network, a currency over none');
        }
        const trade = {
          reference,
          sold: { ...sold, rail: soldFrom },
          bought: { ...bought, rail: boughtTo },
        };
        return context.run((deps) =>
          proposeCoverTrade(deps, environment, trade, { operator, reason }),
        );
      },
    );
};

function readReference(text: string): string {
  if (isTradeReference(text)) return text;
  throw new InvalidArgumentError('It must be 1 to 64 letters, digits, ".", "/", "_" or "-".');
}

function readMoney(text: string): Money {
  const [amount = '', currency = ''] = text.trim().split(/\s+/);
  const parsed = isMoneyCode(currency) ? parseAmount(amount, currency) : null;
  if (parsed?.ok === true && text.trim().split(/\s+/).length === 2) {
    return { currency, minor: parsed.minor };
  }
  throw new InvalidArgumentError('It must be an amount and its currency, as "1000.00 USD".');
}
