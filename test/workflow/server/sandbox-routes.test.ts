import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEngine, type Engine } from '../../support/workflow/engine-harness.ts';
import type { Beneficiary } from '../../support/workflow/test-partner.ts';

let engine: Engine;
let to: Beneficiary;
beforeAll(async () => {
  engine = await startEngine();
  await engine.startWorkers();
  to = await engine.addApprovedBeneficiary();
});
afterAll(() => engine.close());

interface Paid {
  readonly id: string;
  readonly statusDetail: string;
  readonly references: readonly { readonly type: string; readonly value: string }[];
}

const pay = async (amount: string): Promise<string> => (await engine.pay(to, amount)).id;
const read = (id: string) => engine.call<Paid>('GET', `/payments/${id}`);
const arm = (fault: string) => engine.call('POST', '/sandbox/faults', { fault });
const advance = (id: string, body: object) =>
  engine.call('POST', `/sandbox/payments/${id}/advance`, body);
const untilUnknown = (id: string) =>
  expect.poll(async () => (await read(id)).statusDetail).toBe('OUTCOME_UNKNOWN');
const untilSeen = (id: string, wanted: string) => engine.untilPayment(id, wanted);

/** How often the bank's own journal says that money went out and came back. */
async function moved(id: string): Promise<[number, number]> {
  const { references } = await read(id);
  const reference = references.find(({ type }) => type === 'END_TO_END_ID')?.value ?? '';
  const { executed, returned } = engine.bank.countMoney(reference);
  return [executed.count, returned.count];
}

describe('a payment that is moved on in the sandbox', () => {
  it('is COMPLETED, then RETURNED with the code that was given; the journal has it once out and once back', async () => {
    await arm('UNDECIDED');
    const id = await pay('10.00');
    await untilSeen(id, 'SENT');
    await Promise.all([0, 1, 2].map(() => advance(id, { to: 'COMPLETED' })));
    await untilSeen(id, 'COMPLETED');
    expect(await moved(id)).toEqual([1, 0]);
    await advance(id, { to: 'RETURNED', railCode: 'AC04' });
    await untilSeen(id, 'RETURNED');
    expect(await read(id)).toMatchObject({ return: { railCode: 'AC04' } });
    expect(await moved(id)).toEqual([1, 1]);
  });

  it('is FAILED with the code that was given, and no money has moved', async () => {
    await arm('UNDECIDED');
    const id = await pay('10.00');
    await untilSeen(id, 'SENT');
    await advance(id, { to: 'FAILED', railCode: 'AC04' });
    await untilSeen(id, 'FAILED');
    expect(await read(id)).toMatchObject({ failure: { railCode: 'AC04' } });
    expect(await moved(id)).toEqual([0, 0]);
  });

  it('that the bank never answered is answered, while its workflow asks', async () => {
    const id = await pay('10.05');
    await untilUnknown(id);
    await advance(id, { to: 'COMPLETED' });
    await untilSeen(id, 'COMPLETED');
    expect(await moved(id)).toEqual([1, 0]);
  });

  it('is not decided otherwise than the bank has decided', async () => {
    const id = await pay('10.03');
    await untilUnknown(id);
    await expect(advance(id, { to: 'FAILED' })).rejects.toThrow('move_not_possible');
    await untilSeen(id, 'COMPLETED');
    await expect(advance(id, { to: 'FAILED' })).rejects.toThrow('move_not_possible');
    expect(await moved(id)).toEqual([1, 0]);
  });

  it('is on a statement of the bank at once', async () => {
    const id = await pay('10.00');
    await untilSeen(id, 'COMPLETED');
    await advance(id, { to: 'RECONCILED' });
    const answer = await fetch(`${engine.bank.url}/statements?after=0`);
    const { data } = (await answer.json()) as { data: { id: string }[] };
    const pages = await Promise.all(
      data.map(async (one) => (await fetch(`${engine.bank.url}/statements/${one.id}`)).text()),
    );
    const { references } = await read(id);
    expect(pages.filter((page) => page.includes(references[0]?.value ?? 'none'))).toHaveLength(1);
  });
});

describe('a fault that was armed', () => {
  it('is met by the next payment and not by the one after it', async () => {
    await arm('REJECTED');
    const first = await pay('10.00');
    await untilSeen(first, 'FAILED');
    const second = await pay('10.00');
    await untilSeen(second, 'COMPLETED');
    expect([await moved(first), await moved(second)]).toEqual([
      [0, 0],
      [1, 0],
    ]);
  });
});

describe('a KYC check that is decided in the sandbox', () => {
  const untilKyc = (endUserId: string, status: string) =>
    expect.poll(() => engine.kycStatus(endUserId), { interval: 100 }).toBe(status);
  const decide = (endUserId: string, state: string) =>
    engine.call('POST', `/sandbox/end-users/${endUserId}/kyc`, { state });

  it('goes where the provider says, by its own callback, through the states between', async () => {
    const endUserId = await engine.addEndUser('Review');
    await engine.call('POST', `/end-users/${endUserId}/kyc`, {});
    await untilKyc(endUserId, 'IN_REVIEW');
    for (const state of ['RESUBMISSION_REQUIRED', 'APPROVED', 'EXPIRED']) {
      await decide(endUserId, state);
      await untilKyc(endUserId, state);
    }
    await expect(decide(endUserId, 'APPROVED')).rejects.toThrow('move_not_possible');
  });
});
