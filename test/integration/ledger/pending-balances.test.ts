import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertLedgerTransactions } from '../../../src/db/ledger/ledger-store.ts';
import { newId } from '../../../src/db/client/new-id.ts';
import { move, type LedgerLine } from '../../../src/domain/ledger/movements.ts';
import { createPaymentHarness, type PaymentHarness } from '../../support/payment-harness.ts';
import { fundAsset } from '../../support/wallet-payments.ts';

let harness: PaymentHarness;
beforeAll(async () => {
  harness = await createPaymentHarness();
  await fundAsset(harness, 'USDC', 1n);
});
afterAll(async () => {
  await harness.expectBooksToHold();
  await harness.close();
});

/** Ledger transactions as a deposit writes them, in one database transaction. */
const post = (...transactions: readonly (readonly LedgerLine[])[]) =>
  harness.deps.db.write(harness.scope, async (tx) => {
    const rows = transactions.map((lines) => {
      return { id: newId('ltx'), kind: 'FUND', paymentId: null, lines } as const;
    });
    const isCovered = await insertLedgerTransactions(tx, harness.scope, rows, harness.clock.now());
    if (!isCovered) throw new Error('not covered');
  });
const usdc = (minor: bigint) => ({ currency: 'USDC', minor });
const stored = async () => {
  const [row] = await harness.rows<Record<string, string>>(
    `SELECT available::text, reserved::text, pending::text FROM balances WHERE currency = 'USDC'`,
  );
  return row;
};

describe('what is on its way to a customer', () => {
  it('moves with its lines, into what is reserved or available, in one transaction or several', async () => {
    await post(move(usdc(700_000n), 'nostro:BASE', 'pending'));
    expect(await stored()).toEqual({ available: '1', reserved: '0', pending: '700000' });
    await post(
      move(usdc(300_000n), 'nostro:BASE', 'pending'),
      move(usdc(900_000n), 'pending', 'reserved'),
    );
    expect(await stored()).toEqual({ available: '1', reserved: '900000', pending: '100000' });
    await post(
      move(usdc(100_000n), 'pending', 'available'),
      move(usdc(900_000n), 'reserved', 'available'),
    );
    expect(await stored()).toEqual({ available: '1000001', reserved: '0', pending: '0' });
    const lines = await harness.rows<{ after: string }>(
      `SELECT balance_after::text AS after FROM ledger_entries
       WHERE account = 'pending' ORDER BY seq, line`,
    );
    expect(lines.map(({ after }) => after)).toEqual(['700000', '1000000', '100000', '0']);
  });

  it('is never less than nothing, and nothing of it pays', async () => {
    await post(move(usdc(5n), 'nostro:BASE', 'pending'));
    await expect(post(move(usdc(6n), 'pending', 'available'))).rejects.toMatchObject({
      constraint: 'pending_is_never_negative',
    });
    await expect(post(move(usdc(1_000_002n), 'available', 'reserved'))).rejects.toThrow();
    await post(move(usdc(5n), 'pending', 'available'));
  });

  it('repays nothing before it is available', async () => {
    const owed = move(usdc(400_000n), 'receivable', 'nostro:BASE');
    const [{ available } = { available: '0' }] = await harness.rows<{ available: string }>(
      `SELECT available::text FROM balances WHERE currency = 'USDC'`,
    );
    await post([...move(usdc(BigInt(available)), 'available', 'nostro:BASE'), ...owed]);
    await post(move(usdc(1_000_000n), 'nostro:BASE', 'pending'));
    expect(await stored()).toEqual({ available: '0', reserved: '0', pending: '1000000' });
    await post(move(usdc(1_000_000n), 'pending', 'available'));
    expect(await stored()).toEqual({ available: '600000', reserved: '0', pending: '0' });
  });
});
