import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { KYC_STATUSES, kycPath } from '../../../src/domain/parties/kyc/kyc-states.ts';
import { DIRECTED_KYC_STATUSES } from '../../../src/domain/sandbox/kyc-control.ts';
import { playsOf, sandboxRows, sandboxTables, wordsOf } from '../../support/sandbox-page.ts';
import { ROOT } from '../../support/docs/markdown.ts';

/** Every table of docs/reference/sandbox.md, and the test that plays its rows. */
const PLAYED: Readonly<Record<string, string>> = {
  'Amounts of payments to banks / cents': 'test/volume/whole/sandbox-page.test.ts',
  'Moving a payment on / to': 'test/volume/whole/sandbox-page.test.ts',
  'Moving the clock / moved': 'test/unit/docs/sandbox-page.test.ts',
  'Amounts of payments to wallets / cents': 'test/integration/onchain/magic-amounts.test.ts',
  'Amounts of payments to wallets / wallet': 'test/volume/whole/sandbox-page.test.ts',
  'Amounts of deposits / cents': 'test/volume/whole/sandbox-page.test.ts',
  'Last names for KYC / last name': 'test/volume/whole/sandbox-page.test.ts',
  'Deciding a check / from': 'test/unit/docs/sandbox-page.test.ts',
  'Hosts of wallets / name holds': 'test/integration/payments/travel-rule.test.ts',
  'Names of account holders / last word': 'test/volume/whole/sandbox-page.test.ts',
};

describe('docs/reference/sandbox.md', () => {
  it('has no table that no test plays', () => {
    expect([...sandboxTables().keys()].sort()).toEqual(Object.keys(PLAYED).sort());
    for (const [table, file] of Object.entries(PLAYED)) {
      expect(readFileSync(join(ROOT, file), 'utf8'), file).toContain(`'${table}'`);
    }
  });

  it('has a row that nothing plays, or a play without a row, found by name', () => {
    const table = 'Amounts of deposits / cents';
    const plays = Object.fromEntries(
      sandboxRows(table).map(([key = '']) => [key.replaceAll('`', ''), true]),
    );
    expect(playsOf(table, plays)).toHaveLength(sandboxRows(table).length);
    expect(() => playsOf(table, { ...plays, '.77': true })).toThrow('has no row for .77');
    expect(() => playsOf(table, { '.08': true })).toThrow('nothing plays .09');
  });

  it('has a test of each due time that the clock moves', () => {
    const clock = 'test/integration/payments/sandbox-clock.test.ts';
    const rows = playsOf('Moving the clock / moved', {
      'releaseAt of scheduled payments': [clock, 'releases a scheduled payment'],
      'expiresAt of quotes that no payment used': [clock, 'ends quotes that nobody used'],
      'rateHeldUntil of payments not sent': [clock, 'ends the rate of a payment that is held'],
      'time to fund a payment by a deposit': [
        'test/integration/payments/funded-payments-ended.test.ts',
        'ends the payment sooner where the clock of the sandbox was moved',
      ],
      'age of holds (KYC, screening, travel rule)': [clock, 'ends holds after their 30 days'],
      'return window of COMPLETED payments': [clock, 'closes return windows'],
      'end of KYC approvals': [clock, 'lets KYC approvals end'],
      'age of idempotency keys, except of payments': [clock, 'ages idempotency keys'],
      'retries of webhooks, and probes of endpoints': [clock, 'makes retries of webhooks due'],
      'age of wallet reviews': [
        'test/integration/payments/wallet-reviews.test.ts',
        'by the clock of the sandbox',
      ],
    } as const);
    for (const { play } of rows) {
      const [file, title] = play;
      expect(readFileSync(join(ROOT, file), 'utf8'), file).toContain(`it('${title}`);
    }
  });

  it('tells every move of a check that can be asked for, and no other', () => {
    const told = sandboxRows('Deciding a check / from').map(([from = '', to = '']) => [
      ...wordsOf(from),
      wordsOf(to),
    ]);
    const possible = KYC_STATUSES.map((from) => [
      from,
      DIRECTED_KYC_STATUSES.filter((to) => (kycPath(from, to) ?? []).length > 0),
    ]).filter(([from, to]) => from !== 'NOT_STARTED' && (to?.length ?? 0) > 0);
    const sorted = (rows: unknown[]) =>
      rows
        .map((row) =>
          JSON.stringify((row as [string, string[]]).map((one) => [...[one].flat()].sort())),
        )
        .sort();
    expect(sorted(told)).toEqual(sorted(possible));
  });
});
