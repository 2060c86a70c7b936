import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readFeesFile } from '../../../src/server/config/fees-file.ts';
import { replaceRates } from '../../../src/db/payments/fx-rate-store.ts';
import { storeStatementReport } from '../../../src/db/payments/transfer-report-store.ts';
import { createFeeSchedule } from '../../../src/domain/payments/fees/fee-schedule.ts';
import { formatAmount, parseAmount } from '../../../src/domain/money/amount.ts';
import { fundBalance } from '../../../src/modules/ledger/fund-balance.ts';
import type { EntryDraft } from '../../support/reconciliation/statement-xml.ts';
import { readMoneyPage } from '../../support/money-page.ts';
import type { Payer } from '../../support/payment-harness.ts';
import { addCustomer } from '../../support/test-customer.ts';
import { says } from '../../support/payments/scripted-bank.ts';
import {
  startScriptedHarness,
  type ScriptedHarness,
} from '../../support/payments/settlement-harness.ts';
import {
  createStatementPlays,
  type StatementPlays,
} from '../../support/payments/statement-plays.ts';
import { ASSET_MARKUP_BPS } from '../../../src/domain/payments/quotes/asset-markup.ts';

const page = readMoneyPage();
const { settings } = page;
const MID = '0.9';
const GRACE_MS = 60_000;
/** An automatic quote is locked for a minute. */
const RATE_MS = 60_000 + GRACE_MS;
const RAILS: Readonly<Record<string, string>> = { EUR: 'SEPA', GBP: 'FPS', USD: 'ACH' };

let harness: ScriptedHarness;
let plays: StatementPlays;
beforeAll(async () => {
  const fees = readFeesFile(page.fees);
  if (!fees.ok) throw new Error(fees.lines.join());
  const charged = {
    markupBps: Number(settings['TEST_QUOTE_MARKUP_BPS']),
    feeBps: Number(settings['TEST_QUOTE_FEE_BPS']),
    feeFixed: settings['TEST_QUOTE_FEE_FIXED'] ?? '',
    assetMarkupBps: ASSET_MARKUP_BPS,
    lockMarkupPercent: 0,
    hasCurrencies: true,
    graceMs: GRACE_MS,
  };
  harness = await startScriptedHarness(undefined, {
    settings: { fees: createFeeSchedule(fees.rows), quotes: { test: charged, live: charged } },
  });
  plays = createStatementPlays(harness);
});
afterAll(async () => {
  await harness.expectBooksToHold();
  await harness.close();
});

const minorOf = (text: string, currency: string): bigint => {
  const parsed = parseAmount(text, currency);
  if (!parsed.ok) throw new Error(`${text} ${currency} is no amount`);
  return parsed.minor;
};

/** A customer of its own for one example, and what has happened to it so far. */
class Play {
  readonly #payer: Payer;
  readonly #accounts: Readonly<Record<string, string>>;
  readonly #begun: Readonly<Record<string, bigint>>;
  #paymentId = '';
  #paidOut: EntryDraft | null = null;
  #quoteId = '';
  #deposit: { readonly currency: string; readonly entry: EntryDraft } | null = null;

  constructor(
    payer: Payer,
    accounts: Readonly<Record<string, string>>,
    begun: Readonly<Record<string, bigint>>,
  ) {
    this.#payer = payer;
    this.#accounts = accounts;
    this.#begun = begun;
  }

  static async begin(): Promise<Play> {
    await rateBecomes(MID);
    const customerId = await harness.database.db.system((tx) => addCustomer(tx));
    const payer = await harness.addPayer({ customerId, environment: 'test' });
    const british = await harness.ask({
      ...{ method: 'POST', url: '/bank-accounts', token: payer.token },
      body: {
        ...{ endUserId: payer.endUserId, country: 'GB', currency: 'GBP', rail: 'FPS' },
        ...{ holderName: 'Ada Sample', holderType: 'INDIVIDUAL' },
        details: { sortCode: '040004', accountNumber: '12345678' },
      },
    });
    expect(british.statusCode, british.body).toBe(201);
    const GBP = british.json<{ id: string }>().id;
    const begun = await accountsOf(payer.scope.customerId);
    return new Play(payer, { EUR: payer.bankAccountId, GBP }, begun);
  }

  /** Does what a step says. Throws for one that no one knows. */
  async step(text: string): Promise<void> {
    const known: readonly (readonly [RegExp, (words: string[]) => Promise<void>])[] = [
      [/^fund (\S+) (\S+)$/, ([amount = '', currency = '']) => this.fund(amount, currency)],
      [
        /^pay (\S+) ([A-Z]+)(?: from ([A-Z]+)(?:, at most (\S+))?|( by the quote)|(: refused))?$/,
        (words) => this.pay(words),
      ],
      [/^quote (\S+) (\S+) in (\S+)$/, (words) => this.quote(words)],
      [/^the rate becomes (\S+)$/, ([rate = '']) => rateBecomes(rate)],
      [/^its rate ends$/, () => Promise.resolve(harness.clock.advance(RATE_MS))],
      [/^the bank pays out$/, () => this.settle('SETTLED')],
      [/^the bank rejects it$/, () => this.settle('REJECTED')],
      [/^the customer cancels it$/, () => this.cancel()],
      [/^(\S+) [A-Z]+ come back$/, ([amount = '']) => this.comesBack(amount)],
      [/^the bank tells that it comes back$/, () => this.isToldBack()],
      [/^the statement shows it paid$/, () => this.isShownPaid()],
      [/^the statement shows (\S+) [A-Z]+ back$/, ([amount = '']) => this.isShownBack(amount)],
      [/^its return window ends$/, () => plays.endReturnWindow(this.#paymentId)],
      [/^operators credit it$/, () => this.creditLateReturn()],
      [/^(\S+) ([A-Z]+) are deposited( without a reference)?$/, (words) => this.deposit(words)],
      [/^the bank takes the deposit back$/, () => this.takeBack()],
      [/^operators assign it$/, () => this.assign()],
    ];
    for (const [pattern, act] of known) {
      const words = pattern.exec(text);
      if (words !== null) return act(words.slice(1));
    }
    throw new Error(`the test does not know how to do: ${text}`);
  }

  /** All that is on the customer's accounts and on the platform account's, less what the example began with. */
  async accounts(): Promise<Record<string, string>> {
    const now = await accountsOf(this.#payer.scope.customerId);
    return Object.fromEntries(
      Object.entries(now)
        .map(([name, minor]) => {
          const currency = name.split(' ').at(-1) ?? '';
          return [name, formatAmount(minor - (this.#begun[name] ?? 0n), currency)] as const;
        })
        .filter(([, amount]) => /[1-9]/.test(amount)),
    );
  }

  async fund(amount: string, currency: string): Promise<void> {
    const funding = { currency, amount: minorOf(amount, currency), rail: RAILS[currency] ?? '' };
    const { scope } = this.#payer;
    await harness.database.db.write(scope, (tx) =>
      fundBalance(tx, scope, funding, harness.clock.now()),
    );
  }

  async pay([amount, currency = '', source, maximum, quoted, refused]: string[]): Promise<void> {
    const { endUserId, token } = this.#payer;
    const answer = await harness.pay(
      {
        ...{ endUserId, bankAccountId: this.#accounts[currency], amount, currency },
        ...(source === undefined ? {} : { sourceCurrency: source }),
        ...(maximum === undefined ? {} : { onQuoteExpiry: 'REQUOTE', maxSourceAmount: maximum }),
        ...(quoted === undefined ? {} : { quoteId: this.#quoteId }),
      },
      randomUUID(),
      token,
    );
    const { id = '', error } = answer.json<{ id?: string; error?: string }>();
    expect([answer.statusCode, error]).toEqual(
      refused === undefined ? [201, undefined] : [422, 'insufficient_balance'],
    );
    if (refused === undefined) this.#paymentId = id;
  }

  async quote([sourceAmount, sourceCurrency, targetCurrency]: string[]): Promise<void> {
    const body = { sourceAmount, sourceCurrency, targetCurrency, lockFor: '1h' };
    const { token } = this.#payer;
    const answer = await harness.ask({ method: 'POST', url: '/quotes', body, token });
    expect(answer.statusCode, answer.body).toBe(201);
    this.#quoteId = answer.json<{ id: string }>().id;
  }

  async settle(outcome: 'SETTLED' | 'REJECTED'): Promise<void> {
    harness.bank.onPut = says(outcome, outcome === 'REJECTED' ? 'AC04' : undefined);
    const step = await harness.activities.settle({ ...this.#ref(), isFirst: true });
    const status = outcome === 'SETTLED' ? 'COMPLETED' : 'FAILED';
    expect(step).toEqual({ kind: 'DONE', status });
  }

  async cancel(): Promise<void> {
    const url = `/payments/${this.#paymentId}/cancel`;
    const { token } = this.#payer;
    const answer = await harness.ask({ method: 'POST', url, token });
    expect(answer.statusCode, answer.body).toBe(200);
    expect(answer.json()).toMatchObject({ status: 'CANCELED' });
  }

  /** As its line on a statement says, which names how much. */
  async comesBack(amount: string): Promise<void> {
    const { scope } = this.#payer;
    const line = { reportId: randomUUID(), paymentId: this.#paymentId, bankReference: null };
    const reference = await this.#reference();
    const report = { ...line, reference, status: 'RETURNED', reason: 'AC04', amount } as const;
    await harness.database.db.write(scope, (tx) =>
      storeStatementReport(tx, scope, { ...report, bookedAt: null }, harness.clock.now()),
    );
    await this.#hearReports();
  }

  async isToldBack(): Promise<void> {
    const word = { reference: await this.#reference(), status: 'RETURNED', reason: 'AC04' };
    expect(await harness.callback(word)).toBeLessThan(300);
    await this.#hearReports();
  }

  async isShownPaid(): Promise<void> {
    this.#paidOut = { reference: await this.#reference(), amount: '40.00' };
    await plays.show('EUR', [this.#paidOut]);
  }

  async isShownBack(amount: string): Promise<void> {
    const reference = await this.#reference();
    const out = this.#paidOut === null ? [{ reference, amount: '40.00' }] : [];
    const back = { reference, amount, direction: 'CRDT', returnReason: 'AC04' } as const;
    await plays.show('EUR', [...out, back]);
  }

  creditLateReturn(): Promise<void> {
    return plays.decide('payments', 'settle-late-return', this.#paymentId, '--as', 'credit');
  }

  async deposit([amount = '', currency = '', unmarked]: string[]): Promise<void> {
    const own = await plays.reference(this.#payer.scope, currency);
    const remittance = unmarked === undefined ? own : 'Rent';
    const booking = { amount, remittance, bankReference: randomUUID().slice(0, 8) };
    const entry = { ...booking, direction: 'CRDT' } as const;
    this.#deposit = { currency, entry };
    await plays.show(currency, [entry]);
  }

  async takeBack(): Promise<void> {
    if (this.#deposit === null) throw new Error('nothing was deposited');
    const { currency, entry } = this.#deposit;
    await plays.show(currency, [{ ...entry, direction: 'DBIT', reversal: true }]);
  }

  async assign(): Promise<void> {
    const { customerId } = this.#payer.scope;
    const id = await plays.newestUnmatched();
    await plays.decide('credits', 'assign', id, '--customer', customerId);
  }

  async #hearReports(): Promise<void> {
    const step = await harness.activities.applyTransferReports(this.#ref());
    expect(step).toEqual({ kind: 'DONE', status: 'RETURNED' });
  }

  async #reference(): Promise<string> {
    const [row] = await harness.rows<{ reference: string }>(
      'SELECT reference FROM settlement_attempts WHERE payment_id = $1',
      [this.#paymentId],
    );
    return row?.reference ?? '';
  }

  readonly #ref = () => ({ ...this.#payer.scope, paymentId: this.#paymentId });
}

/** What is on the accounts of a customer and of the platform account, minor units by "account CURRENCY". */
async function accountsOf(customerId: string): Promise<Record<string, bigint>> {
  const rows = await harness.rows<{ name: string; minor: string }>(
    `SELECT split_part(account, ':', 1) || ' ' || currency AS name, sum(amount)::text AS minor
     FROM ledger_entries WHERE customer_id IN ($1, 'cus_platform') GROUP BY 1`,
    [customerId],
  );
  return Object.fromEntries(rows.map(({ name, minor }) => [name, BigInt(minor)]));
}

async function rateBecomes(rate: string): Promise<void> {
  const asOf = harness.clock.now();
  const leg = { source: 'sample', base: 'USD', quote: 'EUR', rate, asOf };
  await harness.database.db.system((tx) => replaceRates(tx, [leg], asOf));
}

/** Of a row of the page: its cells that say something else than nothing. */
const told = (accounts: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(accounts).filter(([, amount]) => /[1-9]/.test(amount)));

describe('docs/explanation/money-rules.md', () => {
  it('has its examples', () => {
    expect(page.examples.length).toBeGreaterThanOrEqual(18);
    expect(page.examples.flatMap(({ steps }) => steps).length).toBeGreaterThan(60);
  });

  it.each(page.examples.map((example) => [example.title, example] as const))(
    'shows what really happens: %s',
    async (_title, { steps }) => {
      const play = await Play.begin();
      for (const { step, accounts } of steps) {
        await play.step(step);
        expect([step, await play.accounts()]).toEqual([step, told(accounts)]);
      }
    },
  );
});
