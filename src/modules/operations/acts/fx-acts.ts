import { isCoverTradeKnown } from '../../../db/ledger/cover-trade-store.ts';
import { platformScope } from '../../../domain/platform-account.ts';
import type { Money } from '../../../domain/ledger/movements.ts';
import { parseAmount } from '../../../domain/money/amount.ts';
import { isMoneyCode } from '../../../domain/money/currencies.ts';
import { NETWORKS } from '../../../domain/onchain/network.ts';
import { RAILS } from '../../../domain/payments/corridors/rail.ts';
import {
  COVER_TRADE_VERSION,
  isTradedOver,
  isTradeReference,
  tradedText,
  type CoverTrade,
} from '../../../domain/payments/fx/cover-trade.ts';
import { ENVIRONMENTS } from '../../../domain/scope.ts';
import { proposeApproval } from '../../approvals/propose-approval.ts';
import { choicesOf } from './act-input.ts';
import { defineAct, NO_SUBJECT, proposed, refused, type ActInput } from './operator-act.ts';

function readMoney(text: string): Money | null {
  const [amount = '', currency = '', ...more] = text.trim().split(/\s+/);
  const parsed = isMoneyCode(currency) ? parseAmount(amount, currency) : null;
  return parsed?.ok === true && more.length === 0 ? { currency, minor: parsed.minor } : null;
}

const money = (label: string, option: string, help: string): ActInput => ({
  ...{ label, what: 'an amount and a currency', lengthMax: 60, option, help },
  check: (text) =>
    readMoney(text) === null
      ? 'Enter an amount and its currency, for example "1000.00 USD".'
      : null,
});
const account = (label: string, option: string): ActInput => ({
  ...{ label, what: 'the rail or network', lengthMax: 40, option },
  ...{ choices: choicesOf([...RAILS, ...NETWORKS]), help: 'rail or network of the account' },
});

const INPUTS = {
  environment: {
    ...{ label: 'Environment', what: 'the environment', lengthMax: 4 },
    ...{ choices: choicesOf(ENVIRONMENTS), option: '--environment <name>', help: 'test or live' },
  },
  reference: {
    ...{ label: 'Trade reference', what: 'the trade reference', lengthMax: 64 },
    check: (text: string) =>
      isTradeReference(text) ? null : 'Enter 1 to 64 letters, digits, or the characters . / _ -',
    ...{ option: '--reference <text>', help: "the bank's reference of the trade" },
  },
  sold: money('Sold', '--sold <amount>', 'amount that left our account, for example "1000.00 USD"'),
  soldFrom: account('Sold from', '--sold-from <rail>'),
  bought: money('Bought', '--bought <amount>', 'amount that arrived, for example "900.00 EUR"'),
  boughtTo: account('Bought to', '--bought-to <rail>'),
} as const satisfies Readonly<Record<string, ActInput>>;

/** Null where one of the amounts is none. */
function tradeOf(values: { readonly [Name in keyof typeof INPUTS]: string }): CoverTrade | null {
  const [sold, bought] = [readMoney(values.sold), readMoney(values.bought)];
  if (sold === null || bought === null) return null;
  return {
    reference: values.reference,
    sold: { ...sold, rail: values.soldFrom },
    bought: { ...bought, rail: values.boughtTo },
  };
}

export const RECORD_COVER_TRADE = defineAct({
  name: 'fx.cover',
  ...{ title: 'Record a cover trade', submit: 'Propose' },
  summary: 'Records a currency trade that you made at a bank.',
  ...{ right: 'decide-reconciliation', decidedBy: 'TWO', inputs: INPUTS, subject: NO_SUBJECT },
  page: { none: 'The console has no page for currency positions.' },
  command: { line: 'fx cover' },
  words: (_subject, { reference = '' }) => `Propose to record cover trade ${reference}`,
  judge(values) {
    const trade = tradeOf(values);
    if (trade === null) return null;
    if (trade.sold.currency === trade.bought.currency)
      return 'a trade needs two different currencies';
    return [trade.sold, trade.bought].every(({ currency, rail }) => isTradedOver(currency, rail))
      ? null
      : 'an asset needs a network, and a currency needs a rail';
  },
  async run(deps, { values, act }) {
    const trade = tradeOf(values);
    if (trade === null) return refused('An amount is not valid.');
    const { reference, sold, bought } = trade;
    const environment = values.environment === 'live' ? 'live' : 'test';
    const platform = platformScope(environment);
    if (await deps.db.read(platform, (tx) => isCoverTradeKnown(tx, platform, reference))) {
      return refused(`Trade ${reference} is already recorded.`);
    }
    const proposal = {
      ...({ action: 'FX_COVER', subjectVersion: COVER_TRADE_VERSION } as const),
      subjectId: `${environment}:${reference}`,
      content: {
        ...{ sold: tradedText(sold), bought: tradedText(bought), reference },
        ...{ soldCurrency: sold.currency, soldMinor: sold.minor.toString() },
        ...{ soldRail: sold.rail, boughtRail: bought.rail },
        ...{ boughtCurrency: bought.currency, boughtMinor: bought.minor.toString() },
      },
    };
    return proposed(await proposeApproval(deps, platform, proposal, act), `trade ${reference}`);
  },
});

export const FX_ACTS = [RECORD_COVER_TRADE] as const;
