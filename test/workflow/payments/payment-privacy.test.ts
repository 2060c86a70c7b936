import { afterAll, beforeAll, expect, it } from 'vitest';
import { findPaymentForOps } from '../../../src/db/operations/ops-store.ts';
import { retryInTime } from '../../../src/modules/payments/retry-held-payment.ts';
import { payWithBrokenBytes } from '../../support/workflow/broken-bytes.ts';
import { startEngine, type Engine } from '../../support/workflow/engine-harness.ts';

/** Planted where a partner would put them; none may reach Temporal. */
const PLANTED = {
  holder: 'Wilhelmina Plantedname',
  iban: 'DE89370400440532013000',
  reference: 'Planted invoice 99881',
  metadata: 'planted-metadata-value',
  lastName: 'Plantedlastname',
  operator: 'Plantedoperator',
  reason: 'planted reason of an operator',
};

/** Signs of a stack, or of what a library says where a sealed row does not open. */
const FOREIGN = /^\s*at .+:\d+:\d+|node_modules|decrypt|authenticate data|sealed/im;

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine();
  await engine.startWorkers();
});
afterAll(() => engine.close());

it('Temporal holds ids and codes only: no name, account, reference or foreign message', async () => {
  const endUser = await engine.addEndUser(PLANTED.lastName);
  await engine.call('POST', `/end-users/${endUser}/kyc`, {});
  await engine.historyOf(`kyc/${endUser}/1`);

  const to = await engine.addApprovedBeneficiary('SEPA', PLANTED.holder);
  const overrides = { reference: PLANTED.reference, metadata: { note: PLANTED.metadata } };
  const settled = await engine.pay(to, '10.00', overrides);
  await engine.historyOf(settled.workflowId);
  const returned = await engine.pay(to, '10.02', overrides);
  await engine.untilPayment(returned.id, 'RETURNED');
  const rejected = await engine.pay(to, '10.01', overrides);
  await engine.untilPayment(rejected.id, 'FAILED');
  await engine.fault('garbage');
  const confused = await engine.pay(to, '10.00', overrides);
  await engine.untilPayment(confused.id, 'COMPLETED');

  // What breaks here speaks of the row it broke on, in the words of a library.
  const broken = await payWithBrokenBytes(engine, to, JSON.stringify(PLANTED), overrides);
  await engine.untilPayment(broken.id, 'ON_HOLD/ENGINE_FAULT');

  const { operator, reason } = PLANTED;
  const payment = await engine.resources.db.system((tx) => findPaymentForOps(tx, broken.id));
  if (payment === null) throw new Error('the payment is gone');
  const retried = await retryInTime(engine.resources, payment, { operator, reason });
  expect(retried).toEqual({ kind: 'TAKEN' });
  const told = await engine.sql(`SELECT actor, details FROM audit_log WHERE subject = $1`, [
    broken.id,
  ]);
  expect(told).toMatchObject([{ actor: `operator:${operator}`, details: { reason } }]);

  const histories = [];
  for await (const { workflowId, runId } of engine.temporal.client.workflow.list()) {
    const history = await engine.temporal.client.workflow
      .getHandle(workflowId, runId)
      .fetchHistory();
    histories.push(...textsIn(history), workflowId);
  }
  expect(histories.join('\n')).toContain(settled.id);
  expect(histories.filter((text) => text.includes('Internal error'))).not.toEqual([]);
  for (const value of Object.values(PLANTED)) {
    expect(histories.filter((text) => text.includes(value))).toEqual([]);
  }
  // Failures are our sentences: no stack, no cause, no word of a package.
  const foreign = histories.filter((text) => FOREIGN.test(text));
  expect(foreign).toEqual([]);
});

/** Every text in a history, payloads included: they are bytes there. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (value instanceof Uint8Array) return [Buffer.from(value).toString('utf8')];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}
