import type { Client } from '@temporalio/client';
import { describe, expect, it } from 'vitest';
import { createWorkflowClient } from '../../../src/adapters/temporal/temporal-workflow-client.ts';

const REF = { customerId: 'cus_1', environment: 'test', paymentId: 'pay_1' } as const;
const PAYMENT = { ...REF, rail: 'SEPA', currency: 'EUR' };
const CHECK = { ...REF, endUserId: 'eu_1', kycCheckId: 'kyc_1', round: 1 };
const ENDPOINT = { ...REF, endpointId: 'we_1' };

interface Call {
  readonly name: string;
  readonly isEager: boolean;
  readonly deadlineMs: number;
}

/** What the workflows of the latest calls were started for. */
let memos: (object | undefined)[] = [];

/** Every call of Temporal that `work` makes, with the time that it is given. */
async function callsOf(
  work: (workflows: ReturnType<typeof createWorkflowClient>) => Promise<void>,
): Promise<Call[]> {
  const calls: Call[] = [];
  let deadlineMs = 0;
  memos = [];
  const note = (name: string, options: { requestEagerStart?: boolean; memo?: object } = {}) => {
    memos.push(options.memo);
    calls.push({ name, isEager: options.requestEagerStart === true, deadlineMs });
    return Promise.resolve();
  };
  const client = {
    connection: {
      withDeadline(deadline: number, call: () => Promise<unknown>) {
        deadlineMs = Math.round((deadline - Date.now()) / 1_000) * 1_000;
        return call();
      },
    },
    workflow: {
      start: (type: string, options: object) => note(`start ${type}`, options),
      signalWithStart: (type: string, options: object) => note(`signal ${type}`, options),
      getHandle: () => ({ signal: (signal: string) => note(signal) }),
    },
  };
  const workflows = createWorkflowClient({
    getClient: () => client as unknown as Client,
    isEager: () => true,
    isBankQuick: () => true,
  });
  await work(workflows);
  return calls;
}

describe('calls of Temporal', () => {
  it('the first start of a payment is eager, and waited for as long as its first task may take', async () => {
    expect(await callsOf((to) => to.startPayment('payment/1', PAYMENT, 'req_1'))).toEqual([
      { name: 'start payment', isEager: true, deadlineMs: 10_000 },
    ]);
  });

  it('no other start takes a slot of this worker: neither of a KYC check nor of what was lost', async () => {
    const calls = await callsOf(async (to) => {
      await to.startKycCheck(CHECK, 'req_1');
      await to.restartPayment('payment/1', PAYMENT, 'sweep');
      await to.restartKycCheck(CHECK, 'sweep');
    });
    expect(calls).toEqual([
      { name: 'start kycCheck', isEager: false, deadlineMs: 10_000 },
      { name: 'start payment', isEager: false, deadlineMs: 2_000 },
      { name: 'start kycCheck', isEager: false, deadlineMs: 2_000 },
    ]);
  });

  it('every start says what it was for: a request by its id, the reconciler as such', async () => {
    await callsOf(async (to) => {
      await to.startPayment('payment/1', PAYMENT, 'req_1');
      await to.startKycCheck(CHECK, 'req_2');
      await to.restartPayment('payment/1', PAYMENT, 'sweep');
      await to.restartKycCheck(CHECK, 'sweep');
    });
    expect(memos).toEqual(['req_1', 'req_2', 'sweep', 'sweep'].map((requestId) => ({ requestId })));
  });

  it('a wake by a report is left to the reconciler after two seconds', async () => {
    const calls = await callsOf(async (to) => {
      await to.wakePayment('payment/1', PAYMENT, '1');
      await to.wakeKycCheck(CHECK, '1');
    });
    expect(calls).toEqual([
      { name: 'wake', isEager: false, deadlineMs: 2_000 },
      { name: 'wake', isEager: false, deadlineMs: 2_000 },
    ]);
  });

  it('a burst that keeps Temporal busy for seconds loses no wake of an endpoint', async () => {
    expect(await callsOf((to) => to.wakeEndpoint(ENDPOINT))).toEqual([
      { name: 'signal webhookEndpoint', isEager: false, deadlineMs: 10_000 },
    ]);
  });
});
