import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { newId } from '../../../src/db/client/new-id.ts';
import { insertOperatorDecision } from '../../../src/db/approvals/operator-decision-store.ts';
import { ID_PREFIXES } from '../../../src/domain/ids.ts';
import { retryPayment } from '../../../src/modules/payments/resolve-payment.ts';
import { NEVER_SEEN } from '../../support/payments/scripted-bank.ts';
import {
  startScriptedHarness,
  type ScriptedHarness,
} from '../../support/payments/settlement-harness.ts';

let harness: ScriptedHarness;
beforeAll(async () => {
  harness = await startScriptedHarness();
});
afterAll(() => harness.close());

const OLA = { operator: 'Ola Sample', reason: 'the bank is back' };
let id: string;
beforeEach(async () => {
  harness.bank.onPut = () => ({ status: 409 });
  harness.bank.onGet = () => NEVER_SEEN;
  id = await harness.accept();
  await harness.drive(id);
});

async function decide(paymentId: string): Promise<string> {
  const decisionId = newId(ID_PREFIXES.operatorDecision);
  const decision = { id: decisionId, paymentId, action: 'RETRY', ...OLA } as const;
  const at = harness.clock.now();
  await harness.deps.db.system((tx) => insertOperatorDecision(tx, harness.scope, decision, at));
  return decisionId;
}

const retry = (decisionId?: string) =>
  retryPayment(harness.deps, harness.scope, id, {
    action: 'RETRY',
    ...(decisionId === undefined ? {} : { decisionId }),
  });

const audited = () =>
  harness.rows('SELECT actor, details FROM audit_log WHERE subject = $1 ORDER BY id', [id]);

it('the audit log takes operator and reason from the stored decision', async () => {
  const decisionId = await decide(id);
  expect(await retry(decisionId)).toBe(true);
  expect(await audited()).toMatchObject([
    { actor: 'operator:Ola Sample', details: { reason: OLA.reason, decisionId } },
  ]);
});

it('a decision is acted upon once, though the payment comes to wait again', async () => {
  const decisionId = await decide(id);
  expect(await retry(decisionId)).toBe(true);
  await harness.drive(id);
  expect((await harness.tell(id)).payment.status).toBe('ON_HOLD');
  expect(await retry(decisionId)).toBe(false);
  expect(await audited()).toHaveLength(1);
});

it('a decision about another payment, or one that is not stored, changes nothing', async () => {
  const other = await harness.accept();
  expect(await retry(await decide(other))).toBe(false);
  expect(await retry(newId(ID_PREFIXES.operatorDecision))).toBe(false);
  expect((await harness.tell(id)).payment.status).toBe('ON_HOLD');
  expect(await audited()).toEqual([]);
});

it('without a stored decision the audit log names Temporal UI', async () => {
  expect(await retry()).toBe(true);
  expect(await audited()).toMatchObject([
    { actor: 'operator:temporal-ui', details: { reason: null, decisionId: null } },
  ]);
});

it('a stored decision cannot be changed, nor be written by the role of partners', async () => {
  const decisionId = await decide(id);
  await expect(
    harness.deps.db.system((tx) =>
      tx.query(`UPDATE operator_decisions SET operator = 'Eve' WHERE id = $1`, [decisionId]),
    ),
  ).rejects.toThrow();
  await expect(
    harness.deps.db.write(harness.scope, (tx) =>
      tx.query(
        `INSERT INTO operator_decisions SELECT 'dec_x', customer_id, environment, payment_id, action,
           operator, reason, decided_at FROM operator_decisions WHERE id = $1`,
        [decisionId],
      ),
    ),
  ).rejects.toThrow('permission denied');
});
