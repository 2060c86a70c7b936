import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { beginCursor } from '../../../src/db/onchain/chain-cursor-store.ts';
import { payOnDeposit } from '../../../src/modules/onchain/deposits/pay-on-deposit.ts';
import type { BlockedDecision } from '../../../src/domain/onchain/deposits/deposit.ts';
import { depositsArePaidOn } from '../../../src/cli/verify/deposits-are-paid-on.ts';
import { connectToVerify } from '../../../src/cli/verify/reader.ts';
import { judged } from '../../../src/cli/verify/verdict.ts';
import { addRecipient } from '../../support/add-recipient.ts';
import { decideBlockedDeposit } from '../../support/decide-blocked-deposit.ts';
import { block } from '../../support/deposit-harness.ts';
import { createPaymentHarness, type PaymentHarness } from '../../support/payment-harness.ts';
import { publishRates } from '../../support/quoted-harness.ts';
import { bookStandingDeposit, finaliseStandingDeposit } from '../../support/standing-deposit.ts';
import { testSettings } from '../../support/test-app.ts';
import { createTwoOperators, type TwoOperators } from '../../support/two-operators.ts';
import { addWallet, ENCODERS, NETWORKS } from '../../support/wallet-payments.ts';

let harness: PaymentHarness;
let operators: TwoOperators;
beforeAll(async () => {
  const settings = testSettings({ networks: NETWORKS });
  harness = await createPaymentHarness({ settings, encoderFor: ENCODERS });
  await publishRates(harness, { EUR: '0.8', USDC: '1.0001' });
  operators = createTwoOperators(harness.database.people, harness.clock);
});
afterAll(async () => {
  await harness.expectBooksToHold();
  await harness.close();
});

async function addAddress(body: object): Promise<string> {
  const answer = await harness.ask({ method: 'POST', url: '/deposit-addresses', body });
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json<{ id: string }>().id;
}
const come = (addressId: string) => bookStandingDeposit(harness, addressId, { status: 'BLOCKED' });
const show = async (id: string) =>
  (await harness.ask({ url: `/deposits/${id}` })).json<Record<string, unknown>>();
const refund = (id: string, walletId: string, key: string) =>
  harness.ask({ method: 'POST', url: `/deposits/${id}/refund`, body: { walletId }, key });

/** Two operators decide, and the network's next looks make final what is credited. */
async function decide(id: string, decision: BlockedDecision): Promise<void> {
  const { people } = harness.database;
  await decideBlockedDeposit({ people, clock: harness.clock, operators }, id, decision);
  if (decision === 'RELEASE') await finaliseStandingDeposit(harness, id);
}

describe('a blocked deposit to an address that stands', () => {
  it('is released to the balance, from where the usual refund gives it to a wallet', async () => {
    const { id: walletId } = await addWallet(harness);
    const id = await come(await addAddress({}));
    const before = await harness.balance('USDC');
    expect((await refund(id, walletId, 'early')).json()).toMatchObject({
      error: 'refund_exceeds_deposit',
    });
    await decide(id, 'RELEASE');
    expect(await show(id)).toMatchObject({ status: 'FINAL', appliedTo: 'BALANCE', reason: null });
    const after = await harness.balance('USDC');
    expect(BigInt(after.available) - BigInt(before.available)).toBe(100_000_000n);
    const paid = await refund(id, walletId, 'released');
    expect(paid.json()).toMatchObject({ walletId, metadata: { depositId: id } });
    const listed = await harness.ask({ url: '/balance-transactions?currency=USDC&type=DEPOSIT' });
    expect(listed.body).toContain('"amount":"100.000000"');
  });

  it('of an end-user that was closed meanwhile stays in the balance, with the reason', async () => {
    const { endUserId, bankAccountId } = await addRecipient(harness);
    const id = await come(await addAddress({ endUserId, bankAccountId }));
    const closed = await harness.ask({ method: 'DELETE', url: `/end-users/${endUserId}` });
    expect(closed.statusCode, closed.body).toBe(204);
    await decide(id, 'RELEASE');
    await payOnDeposit(harness.deps, { ...harness.scope, depositId: id });
    expect(await show(id)).toMatchObject({
      ...{ status: 'FINAL', appliedTo: 'BALANCE', reason: 'PAYMENT_REFUSED' },
      onward: { paymentId: null, code: 'end_user_not_active' },
    });
    const connection = await connectToVerify(harness.database.url);
    const verdict = await connection.snapshot(depositsArePaidOn).finally(() => connection.close());
    expect(judged('I23', 'paid on', verdict)).toMatchObject({ status: 'held' });
  });

  it('that is kept is in no balance, and neither refunded nor paid on', async () => {
    const { id: walletId } = await addWallet(harness, { endUserId: null });
    const id = await come(await addAddress({}));
    const before = await harness.balance('USDC');
    const place = { environment: harness.scope.environment, network: 'BASE' } as const;
    const at = harness.clock.now();
    await harness.database.db.system((tx) =>
      beginCursor(tx, place, 'FINAL', { number: 7n, hash: block().hash, at }, at),
    );
    await decide(id, 'KEEP');
    expect(await show(id)).toMatchObject({ status: 'KEPT', appliedTo: 'SUSPENSE', onward: null });
    expect((await refund(id, walletId, 'kept')).json()).toMatchObject({
      error: 'refund_exceeds_deposit',
    });
    expect(await harness.balance('USDC')).toEqual(before);
  });
});
