import { ApplicationFailure } from '@temporalio/common';
import { afterAll, beforeAll, it } from 'vitest';
import { TASK_QUEUES } from '../../../src/domain/workflows/task-queues.ts';
import { until } from '../../support/until.ts';
import { startHostileRelay } from '../../support/customers/hostile-relay.ts';
import { smtpTo, writeNotice } from '../../support/workflow/engine-mails.ts';
import { startReceiver } from '../../support/webhooks/receiver.ts';
import { startEngine, type Engine } from '../../support/workflow/engine-harness.ts';
import { createRequests } from '../../support/workflow/engine-requests.ts';
import { keepHistory } from './keep-history.ts';

let relay: Awaited<ReturnType<typeof startHostileRelay>>;
let engine: Engine;
beforeAll(async () => {
  relay = await startHostileRelay();
  engine = await startEngine(smtpTo(relay.port));
  await engine.startWorkers();
});
afterAll(async () => {
  await engine.close();
  await relay.close();
});

const keep = (name: string, workflowId: string) => keepHistory(engine, name, workflowId);

it('records one history of every kind', async () => {
  const to = await engine.addBeneficiary();
  const { client } = engine.temporal;

  relay.behave({ at: 'RCPT', answer: '451 later' });
  const mailId = await writeNotice(engine);
  await engine.resources.workflows.startMail(mailId, 'req_1');
  await until('a first try', () => (relay.commands.length > 0 ? true : null));
  relay.behave(null);
  await engine.historyOf(`mail/${mailId}`);
  await keep('mail', `mail/${mailId}`);

  const requests = await createRequests(engine);
  const requestId = await requests.ask('ada@partner.example', 40);
  await requests.wake(requestId);
  await until('a reminder', async () => (await requests.rowOf(requestId))['reminded_at']);
  await requests.decide('decline', requestId, 31);
  await requests.wake(requestId);
  await engine.historyOf(`onboarding/${requestId}`);
  await keep('onboarding', `onboarding/${requestId}`);

  const expiry = { workflowId: 'key-expiry', taskQueue: TASK_QUEUES.engine };
  await client.workflow.execute('keyExpiry', { ...expiry, args: [] });
  await keep('key-expiry', 'key-expiry');

  const final = { workflowId: 'finality', taskQueue: TASK_QUEUES.engine };
  await client.workflow.execute('finality', { ...final, args: ['test'] });
  await keep('finality', 'finality');

  const { id: batchId } = await engine.call<{ id: string }>('POST', '/payment-batches', {
    items: ['1.00', '10.000'].map((amount) => {
      return { idempotencyKey: `of-a-batch-${amount}`, ...to, amount, currency: 'EUR' };
    }),
  });
  await engine.historyOf(`payment-batch/${batchId}`);
  await keep('payment-batch', `payment-batch/${batchId}`);

  // The key of an item is still being used.
  const key = `idempotency:${engine.scope.customerId}:test:in-use`;
  await engine.sql('SELECT pg_advisory_lock(hashtextextended($1, 0))', [key]);
  const { id: waitingId } = await engine.call<{ id: string }>('POST', '/payment-batches', {
    items: [{ idempotencyKey: 'in-use', ...to, amount: '1.00', currency: 'EUR' }],
  });
  await until('an item that waits', async () => {
    const [row] = await engine.sql(
      'SELECT waiting_since FROM payment_batch_items WHERE batch_id = $1',
      [waitingId],
    );
    return row?.['waiting_since'] ?? null;
  });
  await engine.sql('SELECT pg_advisory_unlock(hashtextextended($1, 0))', [key]);
  await engine.historyOf(`payment-batch/${waitingId}`);
  await keep('payment-batch-waiting', `payment-batch/${waitingId}`);

  const party = { ...engine.scope, kind: 'END_USER', id: to.endUserId };
  for (const [type, name, argument] of [
    ['rescreenAll', 'rescreen-all', 'test'],
    ['screenParty', 'screen-party', party],
  ] as const) {
    const options = { workflowId: name, taskQueue: TASK_QUEUES.engine, args: [argument] };
    await client.workflow.execute(type, options);
    await keep(name, name);
  }

  const settled = await engine.pay(to, '10.00');
  await engine.historyOf(settled.workflowId);
  await keep('payment-settled-at-once', settled.workflowId);

  const ach = await engine.addBeneficiary('ACH');
  const byCallback = await engine.pay(ach, '10.00', { currency: 'USD' });
  await engine.historyOf(byCallback.workflowId);
  await keep('payment-settled-by-callback', byCallback.workflowId);

  const unknown = await engine.pay(to, '10.03');
  await engine.historyOf(unknown.workflowId);
  await keep('payment-unknown-then-completed', unknown.workflowId);

  const held = await engine.pay(to, '10.06');
  await engine.untilPayment(held.id, 'ON_HOLD');
  const decision = { action: 'RETRY' };
  await engine.resolve(held.workflowId, decision);
  await engine.historyOf(held.workflowId);
  await keep('payment-on-hold-and-resolved', held.workflowId);

  await engine.stopWorkers();
  const fault = ApplicationFailure.nonRetryable('a fault', 'ENGINE_FAULT');
  await engine.startWorkers({ settle: () => Promise.reject(fault) });
  const broken = await engine.pay(to, '10.00');
  await engine.untilPayment(broken.id, 'ON_HOLD/ENGINE_FAULT');
  await engine.stopWorkers();
  await engine.startWorkers();
  await engine.resolve(broken.workflowId, decision);
  await engine.historyOf(broken.workflowId);
  // Beside payment-engine-fault-and-resolved, whose first step was a remote activity.
  await keep('payment-fault-at-once-and-resolved', broken.workflowId);

  const returned = await engine.pay(to, '10.02');
  await engine.untilPayment(returned.id, 'RETURNED');
  const [followUp] = await engine.workflowsBelow(`return/${returned.id}/`);
  await keep('payment-follow-up', followUp?.workflowId ?? '');

  await keep('kyc-check-approved', `kyc/${to.endUserId}/1`);
  const revoked = await engine.addEndUser('Revoke');
  await engine.call('POST', `/end-users/${revoked}/kyc`, {});
  const kycFollowUp = await until('a KYC follow-up', async () => {
    const found = await engine.workflowsBelow(`kyc/${revoked}/1/`);
    return found.find(({ status }) => status.name === 'COMPLETED');
  });
  await keep('kyc-follow-up', kycFollowUp.workflowId);

  const receiver = await startReceiver();
  const { id: endpointId } = await engine.call<{ id: string }>('POST', '/webhook-endpoints', {
    url: receiver.url,
  });
  const announced = await engine.pay(to, '10.00');
  await engine.untilPayment(announced.id, 'COMPLETED');
  await until('its webhook', () =>
    receiver.received.some(({ body }) => body.includes('payment.completed')) ? true : null,
  );
  await keep('webhook-endpoint', `webhook-endpoint/${endpointId}`);
  await receiver.close();

  await engine.bank.cutStatements();
  const fetch = { workflowId: 'statement-fetch', taskQueue: TASK_QUEUES.engine };
  await client.workflow.execute('statementFetch', { ...fetch, args: ['test'] });
  await keep('statement-fetch', 'statement-fetch');
  const [reconcile] = await engine.workflowsBelow('reconcile/');
  await engine.historyOf(reconcile?.workflowId ?? '');
  await keep('reconcile', reconcile?.workflowId ?? '');

  for (const type of ['sweep', 'sweepUnfinished', 'fxRefresh', 'kycExpiry']) {
    await client.workflow.execute(type, { workflowId: type, taskQueue: TASK_QUEUES.engine });
    await keep(
      type.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
      type,
    );
  }
});
