import {
  transactionOf,
  forgetTransaction,
  awaitDeposit,
  holdNothing,
  bringPart,
  type Plant,
} from './plant-statements.ts';

/** By invariant: what ledger and balances cannot be. */
export const MONEY_PLANTS: Readonly<Record<string, readonly Plant[]>> = {
  I4: [
    [
      'a transaction that makes money out of nothing',
      ({ completed }) => `UPDATE ledger_entries SET amount = amount + 1
        WHERE transaction_id = ${transactionOf(completed, 'SETTLE')} AND account LIKE 'nostro%'`,
    ],
    [
      'two transactions that are wrong by opposite amounts',
      ({ completed, returned }) => `
        UPDATE ledger_entries SET amount = amount + 1
        WHERE transaction_id = ${transactionOf(completed, 'SETTLE')} AND account LIKE 'nostro%';
        UPDATE ledger_entries SET amount = amount - 1
        WHERE transaction_id = ${transactionOf(returned, 'SETTLE')} AND account LIKE 'nostro%'`,
    ],
    [
      'two lines that sum to zero only across currencies',
      ({ completed }) => `UPDATE ledger_entries SET currency = 'USD'
        WHERE transaction_id = ${transactionOf(completed, 'SETTLE')} AND account LIKE 'nostro%'`,
    ],
    [
      'a transaction without entries',
      ({ scope, processing }) => `
        INSERT INTO ledger_transactions (id, customer_id, environment, kind, payment_id, created_at)
        VALUES ('ltx_empty', '${scope.customerId}', 'test', 'RETURN', '${processing}', now())`,
    ],
    [
      'a line in another environment than its transaction',
      ({ completed }) => `UPDATE ledger_entries SET environment = 'live'
        WHERE transaction_id = ${transactionOf(completed, 'SETTLE')} AND account LIKE 'nostro%'`,
    ],
    [
      'lines of no transaction',
      ({ scope }) => `INSERT INTO ledger_entries
        (transaction_id, line, customer_id, environment, account, currency, amount) VALUES
        ('ltx_none', 1, '${scope.customerId}', 'test', 'fees', 'EUR', 5),
        ('ltx_none', 2, '${scope.customerId}', 'test', 'rounding', 'EUR', -5)`,
    ],
  ],
  I5: [
    ['a stored balance that no entry explains', () => 'UPDATE balances SET pending = 5'],
    ['a balance that is one cent short', () => 'UPDATE balances SET available = available - 1'],
    ['entries without a stored balance', () => 'DELETE FROM balances'],
    [
      'a customer who spent more than there was, in both books',
      ({ scope }) => `
        ALTER TABLE balances DROP CONSTRAINT available_is_never_negative;
        INSERT INTO ledger_transactions (id, customer_id, environment, kind, created_at)
        VALUES ('ltx_over', '${scope.customerId}', 'test', 'FUND', now());
        INSERT INTO ledger_entries
          (transaction_id, line, customer_id, environment, account, currency, amount) VALUES
          ('ltx_over', 1, '${scope.customerId}', 'test', 'available', 'EUR', -1000000),
          ('ltx_over', 2, '${scope.customerId}', 'test', 'fees', 'EUR', 1000000);
        UPDATE balances SET available = available - 1000000 WHERE currency = 'EUR'`,
    ],
  ],
  FX: [
    [
      'a conversion at another rate than was quoted',
      ({ quotedPaid }) => `UPDATE ledger_entries SET amount = amount + 1
        WHERE transaction_id = ${transactionOf(quotedPaid, 'SETTLE')} AND currency = 'EUR'
          AND amount < 0;
        UPDATE ledger_entries SET amount = amount - 1
        WHERE transaction_id = ${transactionOf(quotedPaid, 'SETTLE')} AND currency = 'EUR'
          AND account LIKE 'nostro%'`,
    ],
    [
      'a return that is credited at another rate',
      ({ quotedBack }) => `UPDATE payments SET return_info = return_info || '{"amount": "79999"}'
        WHERE id = '${quotedBack}'`,
    ],
    [
      'a conversion that never came into the position',
      ({ quotedPaid }) => `UPDATE ledger_entries SET account = 'suspense'
        WHERE transaction_id = ${transactionOf(quotedPaid, 'SETTLE')} AND account = 'fx'
          AND currency = 'USD'`,
    ],
    [
      'a cover trade without its ledger transaction',
      () => `INSERT INTO cover_trades (id, customer_id, environment, reference, sold_currency,
          sold_amount, sold_rail, bought_currency, bought_amount, bought_rail, transaction_id,
          recorded_at)
        VALUES ('cov_1', 'cus_platform', 'test', 'T1', 'USD', 5, 'ACH', 'EUR', 4, 'SEPA', 'ltx_x', now())`,
    ],
    [
      'a hold without the fees',
      ({
        quotedPaid,
      }) => `UPDATE quotes SET source_amount = source_amount + 1, fixed_fee = fixed_fee + 1
        WHERE payment_id = '${quotedPaid}'`,
    ],
    [
      'a payment that is not as its quote says',
      ({ quotedPaid }) => `UPDATE payments SET rate = '0.9' WHERE id = '${quotedPaid}'`,
    ],
    [
      'a quote whose payment names another',
      ({ completed }) => `UPDATE quotes SET payment_id = '${completed}'
        WHERE id = (SELECT min(id) FROM quotes)`,
    ],
    [
      'a checkpoint that is no sum of entries',
      () => `INSERT INTO fx_checkpoints VALUES ('test', 'USD', 1, 'ltx_0')`,
    ],
  ],
  I10: [
    [
      'money still reserved for a failed payment',
      ({ failed }) => `${forgetTransaction(failed, 'RELEASE')}
        UPDATE balances SET available = available - 1000, reserved = reserved + 1000
        WHERE currency = 'EUR'`,
    ],
    [
      'an unfinished payment that holds no money',
      ({ processing }) => `${forgetTransaction(processing, 'HOLD')}
        UPDATE balances SET available = available + 1000, reserved = reserved - 1000
        WHERE currency = 'EUR'`,
    ],
    ['a payment that waits for a deposit and holds money', awaitDeposit],
    [
      'a deposit that brought a payment more than is pending',
      (harness) => `${awaitDeposit(harness)} ${holdNothing(harness)} ${bringPart(harness, 599)}`,
    ],
    [
      'what deposits brought still pending when the payment has ended',
      (harness) => bringPart(harness, 600),
    ],
    [
      'money reserved for nothing',
      ({ scope }) => `
        INSERT INTO ledger_transactions (id, customer_id, environment, kind, created_at)
        VALUES ('ltx_free', '${scope.customerId}', 'test', 'HOLD', now());
        INSERT INTO ledger_entries
          (transaction_id, line, customer_id, environment, account, currency, amount) VALUES
          ('ltx_free', 1, '${scope.customerId}', 'test', 'available', 'EUR', -7),
          ('ltx_free', 2, '${scope.customerId}', 'test', 'reserved', 'EUR', 7);
        UPDATE balances SET available = available - 7, reserved = reserved + 7 WHERE currency = 'EUR'`,
    ],
  ],
};
