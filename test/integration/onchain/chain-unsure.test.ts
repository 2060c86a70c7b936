import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { findPaidBeforeRestore } from '../../../src/db/operations/paid-before-restore-store.ts';
import { voidTransfer } from '../../../src/modules/onchain/void-transfer.ts';
import { stopChain } from '../../../src/db/onchain/chain-stop-store.ts';
import { findChainTransfer } from '../../../src/db/onchain/chain-transfer-store.ts';
import { cancelPayment } from '../../../src/modules/payments/cancel-payment.ts';
import { withLockedPayment } from '../../../src/modules/payments/lock-payment.ts';
import {
  createSignerHarness,
  PLACE,
  type SignerHarness,
} from '../../support/onchain/signer-harness.ts';
import { comeBack, thawUntilOpen } from '../../support/onchain/restored-signer-account.ts';
import { withSuperuser } from '../../support/onchain/sweep-parts.ts';
import { nameForeign } from '../../support/onchain/thaw-signer-account.ts';

let harness: SignerHarness;
let startOver: () => Promise<void>;
beforeAll(async () => {
  harness = await createSignerHarness();
  startOver = await harness.keepStart();
});
beforeEach(() => startOver());
afterAll(() => harness.close());

async function stop(): Promise<void> {
  const { latest } = await harness.deps.nodes.heads();
  const now = harness.clock.now();
  await harness.database.db.system((tx) => stopChain(tx, PLACE, latest, now));
}

/** With triggers off: two operators and a reader lift it. */
const lift = () =>
  withSuperuser(harness.database.url, (superuser) =>
    superuser.query(
      'SET session_replication_role = replica; UPDATE chain_stops SET lifted_at = stopped_at',
    ),
  );

/** As the payment's workflow does when it is woken. */
const applyReports = (paymentId: string) =>
  withLockedPayment(harness.deps, harness.customer.scope, paymentId, async () => undefined);

const cancel = (paymentId: string) => {
  const { scope } = harness.customer;
  return harness.database.db.write(scope, (tx) =>
    cancelPayment(harness.deps, tx, scope, {
      ...{ paymentId, requireVersion: () => undefined },
      actor: { kind: 'OPERATOR', name: 'ada' },
    }),
  );
};

const mayHavePaid = async (reference: string) => {
  const sql = `SELECT may_chain_have_paid('test', 'BASE', $1) AS may`;
  const [row] = await harness.rows<{ may: boolean }>(sql, [reference]);
  return row?.may;
};

it('while a network is stopped a transfer that was voided gives nothing back, and nothing is sent', async () => {
  const { id, reference } = await harness.send();
  const lost = { nodes: { ...harness.deps.nodes, broadcast: async () => undefined } };
  await harness.poll(lost);
  expect(await voidTransfer(harness.deps, reference)).toBe(true);
  await harness.poll(lost);
  await stop();
  const { raw } = (
    await harness.rows<{ raw: Buffer }>(`SELECT raw FROM chain_transactions WHERE kind = 'VOID'`)
  )[0]!;
  await harness.deps.nodes.broadcast([raw]);
  let sent = 0;
  const counted = {
    ...harness.deps.nodes,
    broadcast: async () => {
      sent += 1;
    },
  };
  for (let mined = 0; mined < 9; mined += 1) {
    await harness.anvil.mine();
    await harness.poll({ nodes: counted });
  }
  await applyReports(id);
  expect(sent).toBe(0);
  expect(await harness.payment(id)).toMatchObject({ status: 'SENT' });
  const reject = `UPDATE chain_transfers SET state = 'REJECTED', reason = 'VOIDED'`;
  await expect(harness.deps.db.system((tx) => tx.query(reject, []))).rejects.toThrow();
  await lift();
  await harness.poll();
  await applyReports(id);
  expect(await harness.payment(id)).toMatchObject({ status: 'FAILED' });
});

it('what was given up before a network stopped is told only once the stop is lifted', async () => {
  const { id, reference } = await harness.send();
  expect(await voidTransfer(harness.deps, reference)).toBe(true);
  await stop();
  await harness.poll();
  const asked = await findChainTransfer(harness.database.db, 'test', reference);
  expect(asked).toMatchObject({ state: 'CARRIED', reason: null });
  await applyReports(id);
  expect(await harness.payment(id)).toMatchObject({ status: 'SENT' });
  await lift();
  await harness.poll();
  await applyReports(id);
  expect(await harness.payment(id)).toMatchObject({ status: 'FAILED' });
});

it('a restored database that knows no address of a network gives back nothing that it may have paid', async () => {
  const restore = await harness.database.keepCopy();
  const sent = await harness.send();
  await harness.poll();
  await harness.makeFinal();
  await comeBack(harness, restore);
  // The client repeats, and no process has looked at the chain yet.
  const id = await harness.accept(sent.order.amount, sent.order.to, sent.id);
  await expect(cancel(id)).rejects.toMatchObject({ code: 'payment_not_cancelable' });
  expect(await harness.balance(sent.order.to)).toBe(sent.order.amount);
});

it('what operators say of one transaction says nothing of the payment that used the same nonce', async () => {
  await harness.send();
  await harness.poll();
  const restore = await harness.database.keepCopy();
  const sent = await harness.send();
  await harness.poll();
  await harness.makeFinal();
  await comeBack(harness, restore);
  await harness.send();
  await harness.poll();
  expect(await paidBeforeRestore(sent.reference)).toEqual({ kind: 'UNSURE', networks: ['BASE'] });
  await thawUntilOpen(harness);
  expect(await mayHavePaid(sent.reference)).toBe(true);
  const { reference } = sent;
  expect(await paidBeforeRestore(reference)).toEqual({ kind: 'SEEN', place: 'BASE', reference });
  expect(await paidBeforeRestore(sent.reference, 'BASE')).toBeNull();
  await nameForeign(harness, 1n, `0x${'ab'.repeat(32)}`);
  expect(await mayHavePaid(sent.reference)).toBe(true);
  const found = await harness.rows<{ hash: string }>(
    `SELECT hash FROM chain_transactions WHERE nonce = 1 AND is_found AND kind = 'TRANSFER'`,
  );
  await nameForeign(harness, 1n, found[0]!.hash);
  expect(await mayHavePaid(sent.reference)).toBe(false);
  expect(await paidBeforeRestore(sent.reference)).toBeNull();
}, 240_000);

/** What is known of a reference beside its payment, as the payment of another rail asks. */
const paidBeforeRestore = (reference: string, exceptNetwork: string | null = null) =>
  harness.database.db.write(harness.customer.scope, (tx) =>
    findPaidBeforeRestore(tx, 'test', reference, exceptNetwork),
  );
