import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { voidTransfer } from '../../../src/modules/onchain/void-transfer.ts';
import { findWallet, moveWallet } from '../../../src/db/parties/wallet-store.ts';
import { withLockedPayment } from '../../../src/modules/payments/lock-payment.ts';
import { createSignerHarness, type SignerHarness } from '../../support/onchain/signer-harness.ts';
import { mintUsdc } from '../../support/onchain/usdc.ts';

let harness: SignerHarness;
let startOver: () => Promise<void>;
beforeAll(async () => {
  harness = await createSignerHarness();
  startOver = await harness.keepStart();
});
beforeEach(() => startOver());
afterAll(() => harness.close());

/** More than the hot address holds at first. */
const AMOUNT = 1_500_000_000n;

async function moveWalletOf(paymentId: string, status: 'REJECTED' | 'DISABLED'): Promise<void> {
  const { scope } = harness.customer;
  const [paid] = await harness.rows<{ walletId: string }>(
    'SELECT wallet_id AS "walletId" FROM payments WHERE id = $1',
    [paymentId],
  );
  await harness.database.db.write(scope, async (tx) => {
    const wallet = await findWallet(tx, scope, paid!.walletId);
    await moveWallet(tx, scope, wallet!, { status }, harness.clock.now());
  });
}

const reportsOf = (reference: string) =>
  harness.rows(
    `SELECT status, reason FROM transfer_reports WHERE reference = $1 AND source = 'CHAIN'
     ORDER BY id`,
    [reference],
  );

it.each(['REJECTED', 'DISABLED'] as const)(
  'a transfer that waited until its wallet was %s takes no nonce, calls a human, and can be given up',
  async (status) => {
    const { id, reference, order } = await harness.send(AMOUNT);
    await harness.poll();
    await moveWalletOf(id, status);
    await mintUsdc(harness.anvil, harness.usdc, harness.signerAccount, 2_000_000_000n);
    const other = await harness.send();
    await harness.poll();
    await harness.makeFinal();
    expect(await harness.rows('SELECT reference FROM chain_nonces')).toEqual([
      { reference: other.reference },
    ]);
    expect(await harness.balance(order.to)).toBe(0n);
    expect(await harness.balance(other.order.to)).toBe(other.order.amount);
    expect(harness.alarms).toContainEqual({ kind: 'WALLET_NOT_ACTIVE', paymentId: id });
    const { deps, customer } = harness;
    const shown = await withLockedPayment(deps, customer.scope, id, async ({ payment }) => payment);
    expect(shown).toMatchObject({ status: 'ON_HOLD', statusDetail: 'STALLED' });

    expect(await voidTransfer(deps, reference)).toBe(true);
    await harness.poll();
    expect(await reportsOf(reference)).toEqual([
      { status: 'ACCEPTED', reason: 'AWAITING_LIQUIDITY' },
      { status: 'ACCEPTED', reason: 'STALLED' },
      { status: 'REJECTED', reason: 'VOIDED' },
    ]);
    await withLockedPayment(deps, customer.scope, id, async () => undefined);
    expect(await harness.payment(id)).toMatchObject({ status: 'FAILED' });
  },
);
