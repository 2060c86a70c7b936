import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TASK_QUEUES } from '../../../src/domain/workflows/task-queues.ts';
import { FORM_TYPE, writeForm, type FilePart } from '../../support/parties/kyc-page-visitor.ts';
import { pdf, png } from '../../support/kyc-files.ts';
import { startEngine, type Engine } from '../../support/workflow/engine-harness.ts';

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine();
  await engine.startWorkers();
});
afterAll(() => engine.close());

async function check(lastName: string): Promise<string> {
  const endUserId = await engine.addEndUser(lastName);
  await engine.call('POST', `/end-users/${endUserId}/kyc`, {});
  return endUserId;
}

const untilKyc = (endUserId: string, status: string) =>
  expect.poll(() => engine.kycStatus(endUserId), { interval: 100 }).toBe(status);

/** Posts a form as the hosted page does; answers the status. */
async function visit(url: string, type: string, body: Uint8Array): Promise<number> {
  const { origin } = new URL(url);
  const headers = { 'content-type': type, origin, 'sec-fetch-site': 'same-origin' };
  const answer = await fetch(url, {
    ...{ method: 'POST', headers, redirect: 'manual' },
    body: new Uint8Array(body),
  });
  return answer.status;
}

describe("a KYC check's workflow", () => {
  it.each([
    ['Approve', 'APPROVED'],
    ['Reject', 'REJECTED'],
  ])('of %s ends with the decision', async (lastName, status) => {
    const endUserId = await check(lastName);
    await untilKyc(endUserId, status);
    await engine.historyOf(`kyc/${endUserId}/1`);
    const { status: ended } = await engine.handle(`kyc/${endUserId}/1`).describe();
    expect(ended.name).toBe('COMPLETED');
  });

  it('stays open while the provider reviews', async () => {
    const endUserId = await check('Review');
    await untilKyc(endUserId, 'IN_REVIEW');
    const { status } = await engine.handle(`kyc/${endUserId}/1`).describe();
    expect(status.name).toBe('RUNNING');
  });

  it('has ended when the approval is revoked: a follow-up takes it back', async () => {
    const endUserId = await check('Approve');
    await untilKyc(endUserId, 'APPROVED');
    await engine.historyOf(`kyc/${endUserId}/1`);
    const { id: reference } = await engine.call<{ id: string }>(
      'GET',
      `/end-users/${endUserId}/kyc`,
    );
    await engine.providerSays({ reference, status: 'REVOKED', reasons: [], version: 99 });
    await untilKyc(endUserId, 'REVOKED');
    await expect
      .poll(async () => {
        const found = await engine.workflowsBelow(`kyc/${endUserId}/1/`);
        return found.map(({ type, status }) => `${type} ${status.name}`);
      })
      .toContain('kycFollowUp COMPLETED');
  });

  it.each([
    ['its worker hears of them at once', false],
    ['every wake of them is lost', true],
  ])(
    'that asks for documents goes on with those of the hosted page, where %s',
    async (_name, isDeaf) => {
      const endUserId = await check('Resubmit');
      await untilKyc(endUserId, 'RESUBMISSION_REQUIRED');
      const kyc = `/end-users/${endUserId}/kyc`;
      const { link } = await engine.call<{ link: { url: string } }>('POST', kyc, {});
      engine.heard.isDeaf = isDeaf;
      const page = await fetch(link.url);
      expect(await page.text()).toContain('Please send documents again');
      const parts: FilePart[] = [
        ['PASSPORT', 'a', png(300)],
        ['PROOF_OF_ADDRESS', 'a', pdf()],
      ];
      expect(await visit(`${link.url}/documents`, FORM_TYPE, writeForm(parts))).toBe(303);
      const button = 'application/x-www-form-urlencoded';
      expect(await visit(`${link.url}/submission`, button, Buffer.alloc(0))).toBe(303);
      engine.heard.isDeaf = false;
      await untilKyc(endUserId, 'APPROVED');
      const documents = await engine.sql(
        `SELECT type, content IS NULL AS gone, handed_on_at IS NOT NULL AS taken
         FROM kyc_documents d JOIN kyc_checks c ON c.id = d.kyc_check_id
         WHERE c.end_user_id = $1 ORDER BY type`,
        [endUserId],
      );
      expect(documents).toEqual([
        { type: 'PASSPORT', gone: true, taken: true },
        { type: 'PROOF_OF_ADDRESS', gone: true, taken: true },
      ]);
      expect(await (await fetch(link.url)).text()).toContain('You are verified');
    },
  );

  it('may be withdrawn under a payment, which then waits and goes once there is approval again', async () => {
    const to = await engine.addApprovedBeneficiary();
    engine.heard.isDeaf = true;
    const { id, workflowId } = await engine.pay(to, '10.00');
    engine.heard.isDeaf = false;
    await engine.sql('SET session_replication_role = replica');
    const setStatus = (status: string) =>
      engine.sql('UPDATE end_users SET kyc_status = $2 WHERE id = $1', [to.endUserId, status]);
    await setStatus('REVOKED');
    const { workflows } = engine.resources;
    await workflows.startPayment(workflowId, engine.toStart(id), 'req_1');
    await engine.untilPayment(id, 'ON_HOLD/KYC_WITHDRAWN');
    await setStatus('APPROVED');
    await engine.untilPayment(id, 'COMPLETED');
  });
});

describe('the expiry schedule', () => {
  it('ends an approval in Temporal, and a payment that was accepted before waits', async () => {
    const endUserId = await check('Approve');
    await untilKyc(endUserId, 'APPROVED');
    const to = await engine.addAccount(endUserId, 'SEPA', 'Ada Sample');
    const { id: reference } = await engine.call<{ id: string }>(
      'GET',
      `/end-users/${endUserId}/kyc`,
    );
    engine.heard.isDeaf = true;
    const { id, workflowId } = await engine.pay(to, '10.00');
    engine.heard.isDeaf = false;
    const expiresAt = new Date(Date.now() + 1_000).toISOString();
    const reasons: never[] = [];
    await engine.providerSays({ reference, status: 'APPROVED', reasons, version: 99, expiresAt });
    const path = `/end-users/${endUserId}/kyc`;
    await expect.poll(async () => (await engine.call('GET', path))['expiresAt']).toBe(expiresAt);
    await pause(Date.parse(expiresAt) - Date.now() + 10);
    const run = { workflowId: 'kyc-expiry', taskQueue: TASK_QUEUES.engine };
    await engine.temporal.client.workflow.execute('kycExpiry', run);
    expect(await engine.kycStatus(endUserId)).toBe('EXPIRED');
    const { workflows } = engine.resources;
    await workflows.startPayment(workflowId, engine.toStart(id), 'sweep');
    await engine.untilPayment(id, 'ON_HOLD/KYC_WITHDRAWN');
  });
});
