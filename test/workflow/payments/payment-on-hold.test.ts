import { WorkflowUpdateFailedError } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ATTENTION } from '../../../src/domain/workflows/search-attributes.ts';
import { startEngine, type Engine } from '../../support/workflow/engine-harness.ts';
import type { Beneficiary } from '../../support/workflow/test-partner.ts';
import { payWithBrokenBytes } from '../../support/workflow/broken-bytes.ts';
import { eventTypes } from '../../support/workflow/workflow-watch.ts';

const RETRY = { action: 'RETRY' };

let engine: Engine;
let to: Beneficiary;
beforeAll(async () => {
  engine = await startEngine();
  await engine.startWorkers();
  to = await engine.addApprovedBeneficiary();
});
afterAll(() => engine.close());

const attentionOf = async (workflowId: string) =>
  (await engine.handle(workflowId).describe()).typedSearchAttributes.get(ATTENTION);

const typesOf = async (workflowId: string) =>
  eventTypes(await engine.handle(workflowId).fetchHistory());

describe('a payment that waits for an operator', () => {
  it('is marked for a human while it waits, and RETRY completes it with one movement', async () => {
    const { id, workflowId } = await engine.pay(to, '20.06');
    await engine.untilPayment(id, 'ON_HOLD/SETTLEMENT_FAILED');
    await expect.poll(() => attentionOf(workflowId)).toBe('HUMAN');
    const reference = await engine.referenceOf(id);
    expect(engine.bank.countMoney(reference).executed.count).toBe(0);

    expect(await engine.resolve(workflowId, RETRY)).toBe(true);
    await engine.untilPayment(id, 'COMPLETED');
    await engine.historyOf(workflowId);
    expect(await attentionOf(workflowId)).toBe('NONE');
    expect(engine.bank.countMoney(reference).executed.count).toBe(1);
  });

  it('reads in Temporal UI as a story: what it is, where it stands, and what to do', async () => {
    const { id, workflowId } = await engine.pay(to, '20.06');
    await engine.untilPayment(id, 'ON_HOLD/SETTLEMENT_FAILED');
    await expect.poll(() => attentionOf(workflowId)).toBe('HUMAN');
    const handle = engine.handle(workflowId);
    expect(await (await handle.describe()).staticSummary()).toBe('EUR by SEPA');
    const shown = await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata');
    expect(shown.currentDetails).toContain('**ON_HOLD / SETTLEMENT_FAILED** since ');
    expect(shown.currentDetails).toContain(
      `Reference at the bank: \`${await engine.referenceOf(id)}\``,
    );
    expect(shown.currentDetails).toContain('Next: An operator decides.');
    expect(shown.currentDetails).toContain(`npm run ops -- payments show ${id}`);
    const { events } = await handle.fetchHistory();
    const steps = (events ?? []).filter(
      ({ timerStartedEventAttributes: timer, activityTaskScheduledEventAttributes: activity }) =>
        (timer ?? activity ?? null) !== null,
    );
    expect(steps.length).toBeGreaterThan(0);
    for (const step of steps) expect(step.userMetadata?.summary).toBeDefined();
    expect(await engine.resolve(workflowId, RETRY)).toBe(true);
    await engine.untilPayment(id, 'COMPLETED');
    await engine.historyOf(workflowId);
  });

  it("takes a decision after a cancel from Temporal's UI, which it ignores", async () => {
    const { id, workflowId, mend } = await payWithBrokenBytes(engine, to, 'not what was sealed');
    await engine.untilPayment(id, 'ON_HOLD/ENGINE_FAULT');
    await engine.handle(workflowId).cancel();
    await expect.poll(() => typesOf(workflowId)).toContain('workflowExecutionCancelRequested');
    await mend();
    expect(await engine.resolve(workflowId, RETRY)).toBe(true);
    await engine.untilPayment(id, 'COMPLETED');
    await engine.historyOf(workflowId);
    expect((await engine.handle(workflowId).describe()).status.name).toBe('COMPLETED');
    expect(engine.bank.countMoney(await engine.referenceOf(id)).executed.count).toBe(1);
  });

  it('refuses what is no decision, without a trace in the history', async () => {
    const { id, workflowId } = await payWithBrokenBytes(engine, to, 'not what was sealed');
    await engine.untilPayment(id, 'ON_HOLD/ENGINE_FAULT');
    for (const [what, argument] of [
      ['no argument', undefined],
      ['another action', { ...RETRY, action: 'CONFIRM_SETTLED' }],
      ['a reason in it', { ...RETRY, operator: 'Op Sample', reason: 'the bank is back' }],
      ['another id than of a decision', { ...RETRY, decisionId: 'pay_01h2xcejqtf2nbrexx3vqjhp41' }],
      ['an unknown field', { ...RETRY, force: true }],
    ] as const) {
      await expect(engine.resolve(workflowId, argument as object), what).rejects.toSatisfy(
        (error) =>
          error instanceof WorkflowUpdateFailedError &&
          (error.cause as { type?: string } | undefined)?.type === 'INVALID_RESOLUTION',
      );
    }
    const types = await typesOf(workflowId);
    expect(types.filter((type) => type.startsWith('workflowExecutionUpdate'))).toEqual([]);
    expect(await engine.payment(id)).toMatchObject({ status: 'ON_HOLD' });
  });

  it('answers false to a decision about a payment that does not wait for one', async () => {
    await engine.fault('hang');
    const { id, workflowId } = await engine.pay(to, '10.00');
    await engine.untilPayment(id, 'PROCESSING/OUTCOME_UNKNOWN');
    expect(await engine.resolve(workflowId, RETRY)).toBe(false);
    await engine.untilPayment(id, 'COMPLETED');
  });

  it('is what a fault of the engine makes of it, and never a failed workflow', async () => {
    const { id, workflowId, mend } = await payWithBrokenBytes(engine, to, 'not what was sealed');
    await engine.untilPayment(id, 'ON_HOLD/ENGINE_FAULT');
    await expect.poll(() => attentionOf(workflowId)).toBe('HUMAN');
    expect((await engine.handle(workflowId).describe()).status.name).toBe('RUNNING');

    // Nothing is mended yet: it comes back to where it was.
    expect(await engine.resolve(workflowId, RETRY)).toBe(true);
    await engine.untilPayment(id, 'ON_HOLD/ENGINE_FAULT');

    await mend();
    expect(await engine.resolve(workflowId, RETRY)).toBe(true);
    await engine.untilPayment(id, 'COMPLETED');
    await engine.historyOf(workflowId);
    expect((await engine.handle(workflowId).describe()).status.name).toBe('COMPLETED');
    expect(engine.bank.countMoney(await engine.referenceOf(id)).executed.count).toBe(1);
  });
});
