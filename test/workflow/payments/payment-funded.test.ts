import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { replaceRates } from '../../../src/db/payments/fx-rate-store.ts';
import { credit, orphan, readUpTo, seeDeposit } from '../../support/funded-payments.ts';
import { SAMPLE_NETWORK } from '../../support/sample-networks.ts';
import { startEngine, type Engine } from '../../support/workflow/engine-harness.ts';
import type { Beneficiary, PaidOrder, Seen } from '../../support/workflow/test-partner.ts';

let engine: Engine;
let to: Beneficiary;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cw-funded-'));
  const file = join(folder, 'networks.json');
  writeFileSync(file, JSON.stringify({ networks: [SAMPLE_NETWORK] }));
  engine = await startEngine({ TEST_NETWORKS_FILE: file });
  await engine.startWorkers();
  to = await engine.addApprovedBeneficiary();
  const asOf = engine.resources.clock.now();
  const legs = ['EUR', 'USDC'].map((one) => {
    return { source: 'sample', base: 'USD', quote: one, rate: '1', asOf };
  });
  await engine.resources.db.system((tx) => replaceRates(tx, legs, asOf));
});
afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true });
});

interface Funded extends Seen {
  readonly funding: { readonly address: string; readonly amountDue: string };
}

const FUNDING = { type: 'CRYPTO_DEPOSIT', asset: 'USDC', network: 'BASE' };
const pay = () => engine.pay(to, '10.00', { funding: FUNDING });
const shown = (id: string) => engine.call<Funded>('GET', `/payments/${id}`);
const minorOf = ({ funding }: Funded) => BigInt(funding.amountDue.replace('.', ''));
const harness = () => {
  const { db, clock } = engine.resources;
  return { database: { db }, clock, scope: engine.scope };
};
/** As the reader of the chain says it after its commit. */
const wake = ({ id, workflowId }: PaidOrder) =>
  engine.resources.workflows.wakePayment(workflowId, { ...engine.scope, paymentId: id }, 'deposit');
const untilItWaits = (workflowId: string) =>
  expect
    .poll(async () =>
      (await engine.handle(workflowId).fetchHistory()).events?.some(
        ({ timerStartedEventAttributes: timer }) => timer !== null && timer !== undefined,
      ),
    )
    .toBe(true);

/** A payment whose time ends in a moment: no partner can order that. Its workflow has begun. */
async function payBriefly(ms: number): Promise<PaidOrder> {
  engine.heard.isDeaf = true;
  const order = await pay();
  engine.heard.isDeaf = false;
  await engine.sql("SET session_replication_role = 'replica'");
  await engine.sql('UPDATE payment_fundings SET expires_at = $2 WHERE payment_id = $1', [
    ...[order.id, new Date(Date.now() + ms)],
  ]);
  await engine.sql("SET session_replication_role = 'origin'");
  await engine.temporal.client.workflow.start('payment', {
    ...{ workflowId: order.workflowId, taskQueue: 'payments-test' },
    args: [{ ...engine.scope, paymentId: order.id }],
  });
  return order;
}

describe('the workflow of a payment that a deposit pays for', () => {
  it('sleeps until it is there, and pays the bank account out of it, once, in 33 events at the most', async () => {
    const order = await pay();
    await untilItWaits(order.workflowId);
    const deposit = await seeDeposit(harness(), await shown(order.id), {
      amount: minorOf(await shown(order.id)),
    });
    await wake(order);
    await engine.untilPayment(order.id, 'PROCESSING/DEPOSIT_SEEN');
    await credit(harness(), deposit);
    await wake(order);
    await engine.untilPayment(order.id, 'COMPLETED');
    const reference = await engine.referenceOf(order.id);
    expect(engine.bank.countMoney(reference).executed.count).toBe(1);
    const history = await engine.historyOf(order.workflowId);
    // It waits, and does not look again and again: activities that are tried again add none of these.
    const scheduled = history.events?.filter((event) => event.activityTaskScheduledEventAttributes);
    expect(scheduled?.length).toBeLessThan(12);
    // 26, of which seven for each word that there is something new; one word more is let pass.
    expect(history.events?.length).toBeLessThanOrEqual(33);
  });

  it('goes on by the reconciler where the word that it is there was lost', async () => {
    const order = await pay();
    await untilItWaits(order.workflowId);
    const payment = await shown(order.id);
    const deposit = await seeDeposit(harness(), payment, { amount: minorOf(payment) });
    await credit(harness(), deposit);
    await engine.sql(
      "UPDATE payment_fundings SET updated_at = now() - interval '5 minutes' WHERE payment_id = $1",
      [order.id],
    );
    await engine.run('sweep');
    await engine.untilPayment(order.id, 'COMPLETED');
  });

  it('waits again for one that its network took back, and sends nothing meanwhile', async () => {
    const order = await payBriefly(600_000);
    await untilItWaits(order.workflowId);
    const payment = await shown(order.id);
    const deposit = await seeDeposit(harness(), payment, { amount: minorOf(payment) });
    await credit(harness(), deposit);
    await orphan(harness(), deposit);
    await wake(order);
    await engine.untilPayment(order.id, 'PROCESSING/AWAITING_DEPOSIT');
    expect((await engine.payment(order.id)).references).toHaveLength(1);
    expect(engine.bank.countMoney(await engine.referenceOf(order.id)).executed.count).toBe(0);
    await engine.call('POST', `/payments/${order.id}/cancel`, {});
    await engine.historyOf(order.workflowId);
    expect(await engine.handle(order.workflowId).result()).toBe('CANCELED');
  });

  it('ends it by itself once its time is over and its chain is read to behind that', async () => {
    const order = await payBriefly(2_000);
    await untilItWaits(order.workflowId);
    await readUpTo(harness(), new Date(Date.now() + 3_600_000));
    const payment = await engine.untilPayment(order.id, 'EXPIRED/DEPOSIT_EXPIRED');
    expect(payment.references).toHaveLength(1);
    await engine.historyOf(order.workflowId);
    expect(await engine.handle(order.workflowId).result()).toBe('EXPIRED');
  });
});
