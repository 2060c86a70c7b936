import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSandboxBankControl } from '../../../src/adapters/http-bank/sandbox-control.ts';
import {
  ARMED_FAULTS_MAX,
  FAULT_LIFE_MS,
  type BankFault,
} from '../../../src/domain/sandbox/bank-faults.ts';
import { createArmedFaults } from '../../../src/sandbox/bank/armed-faults.ts';
import { openBankJournal } from '../../../src/sandbox/bank/bank-journal.ts';
import { createTestClock } from '../../support/test-clock.ts';
import { startBankHarness, type BankHarness } from '../../support/sandbox/bank-harness.ts';

const ADA = 'cus_ada';
const MINE = { onBehalfOf: ADA };

let harness: BankHarness;
beforeEach(async () => {
  harness = await startBankHarness();
});
afterEach(() => harness.close());

const control = () => createSandboxBankControl(harness.bank().url);
const statuses = () => harness.receiver.accepted.map(({ body }) => body.status);
const money = (reference = 'CW1') => {
  const { executed, returned } = harness.bank().countMoney(reference);
  return [executed.count, returned.count];
};
const arm = (fault: BankFault, count = 1, id = `flt_${fault}`) =>
  control().arm({ id, ...MINE, fault, count });
const soon = () => AbortSignal.timeout(1_500);
const statusOf = async (answer: Promise<Response>) => {
  const told = await answer;
  return told.status > 201 ? told.status : ((await told.json()) as { status: string }).status;
};

describe('a fault that was armed for a customer', () => {
  it.each([
    ['REJECTED', 'ACCEPTED', ['REJECTED'], [0, 0]],
    ['RETURNED', 'SETTLED', ['RETURNED'], [1, 1]],
    ['CALLBACKS_SHUFFLED', 'ACCEPTED', ['ACCEPTED', 'SETTLED', 'SETTLED', 'SETTLED'], [1, 0]],
  ] as const)('%s is met whatever the cents', async (fault, answered, told, moved) => {
    await arm(fault);
    expect(await statusOf(harness.put('CW1', '10.05', MINE))).toBe(answered);
    // In which order they arrive is the network's.
    await expect.poll(() => statuses().sort()).toEqual(told);
    expect(money()).toEqual(moved);
  });

  it.each(['SETTLED_UNANSWERED', 'REJECTED_UNANSWERED'] as const)(
    '%s loses its answer and two questions',
    async (fault) => {
      await arm(fault);
      await expect(harness.put('CW1', '10.00', MINE)).rejects.toThrow();
      for (const _ of [1, 2]) expect((await harness.get('/transfers/CW1')).status).toBe(500);
      const status = fault === 'SETTLED_UNANSWERED' ? 'SETTLED' : 'REJECTED';
      expect(await harness.json('/transfers/CW1')).toMatchObject({ status });
    },
  );

  it('is met by so many of its own transfers, and by none of another customer', async () => {
    await arm('UNDECIDED', 2);
    expect(await statusOf(harness.put('CW1', '1.00', { onBehalfOf: 'cus_bob' }))).toBe('SETTLED');
    expect(await statusOf(harness.put('CW2', '1.00'))).toBe('SETTLED');
    for (const reference of ['CW3', 'CW4', 'CW4']) {
      expect(await statusOf(harness.put(reference, '1.00', MINE))).toBe('ACCEPTED');
    }
    expect(await statusOf(harness.put('CW5', '1.00', MINE))).toBe('SETTLED');
    expect(await control().listArmed(ADA)).toEqual([]);
  });

  it('is not met by one that came before and is sent again', async () => {
    expect(await statusOf(harness.put('CW1', '10.06', MINE))).toBe(503);
    await arm('RETURNED');
    for (const _ of [2, 3, 4]) expect(await statusOf(harness.put('CW1', '10.06', MINE))).toBe(503);
    expect(await statusOf(harness.put('CW1', '10.06', MINE))).toBe('SETTLED');
    expect(await control().listArmed(ADA)).toMatchObject([{ left: 1 }]);
  });

  it('is met in the order in which several were armed', async () => {
    await arm('UNDECIDED', 1, 'flt_1');
    await arm('RETURNED', 1, 'flt_2');
    expect(await statusOf(harness.put('CW1', '1.00', MINE))).toBe('ACCEPTED');
    expect(await statusOf(harness.put('CW2', '1.00', MINE))).toBe('SETTLED');
    await expect.poll(() => money('CW2')).toEqual([1, 1]);
  });

  it('stays over a restart, with what has met it, and UNAVAILABLE counts its refusals on', async () => {
    await arm('UNAVAILABLE', 2);
    for (const _ of [1, 2]) expect(await statusOf(harness.put('CW1', '1.00', MINE))).toBe(503);
    await harness.restart();
    expect(await control().listArmed(ADA)).toMatchObject([{ count: 2, left: 1 }]);
    for (const _ of [3, 4]) expect(await statusOf(harness.put('CW1', '1.00', MINE))).toBe(503);
    expect(await statusOf(harness.put('CW1', '1.00', MINE))).toBe('SETTLED');
    expect(money()).toEqual([1, 0]);
  });

  it('is armed once an id, and not for another order', async () => {
    const first = await arm('RETURNED', 3);
    expect(await arm('RETURNED', 3)).toEqual(first);
    expect(await arm('RETURNED', 4)).toBe('OTHER_ORDER');
    expect(await control().listArmed(ADA)).toEqual([first]);
    expect(await control().listArmed('cus_bob')).toEqual([]);
  });

  it('waits with a bounded number of others', async () => {
    for (let turn = 0; turn < ARMED_FAULTS_MAX; turn += 1) {
      await arm('RETURNED', 1, `flt_${String(turn)}`);
    }
    expect(await arm('RETURNED')).toBe('TOO_MANY');
    expect(
      await control().arm({ id: 'flt_b', onBehalfOf: 'cus_b', fault: 'RETURNED', count: 1 }),
    ).not.toBe('TOO_MANY');
  });

  it('ends after an hour', async () => {
    const journal = await openBankJournal(null);
    const clock = createTestClock(new Date('2026-09-29T12:00:00Z'));
    const armed = createArmedFaults(journal, clock);
    await armed.arm({ id: 'flt_1', ...MINE, fault: 'RETURNED', count: 2 });
    clock.advance(FAULT_LIFE_MS - 1);
    expect(armed.take('CW1', ADA)).toBe('RETURNED');
    clock.advance(1);
    expect(armed.take('CW2', ADA)).toBeNull();
    expect(armed.take('CW1', ADA)).toBe('RETURNED');
    expect(await armed.list(ADA)).toMatchObject({ body: { data: [] } });
  });

  it('is none at a bank that plays a live one', async () => {
    const live = await startBankHarness({ magic: false });
    const liveControl = createSandboxBankControl(live.bank().url);
    expect(await liveControl.listArmed(ADA)).toBe('NO_CONTROL_API');
    expect(await liveControl.advance({ reference: 'CW1', to: 'SETTLED' })).toBe('NO_CONTROL_API');
    await live.close();
  });
});

describe('a transfer that is moved by hand', () => {
  it('that was never answered is settled once, told, and answered from then on', async () => {
    await expect(harness.put('CW1', '10.05', {}, soon())).rejects.toThrow(/timeout/);
    const order = { reference: 'CW1', to: 'SETTLED' } as const;
    const both = await Promise.all([control().advance(order), control().advance(order)]);
    expect(both).toEqual(['DONE', 'DONE']);
    await expect.poll(statuses).toContain('SETTLED');
    expect(await harness.json('/transfers/CW1')).toMatchObject({ status: 'SETTLED' });
    expect(money()).toEqual([1, 0]);
    expect(await control().advance({ reference: 'CW1', to: 'REJECTED' })).toBe('NOT_POSSIBLE');
  });

  it('is rejected and returned with the reason that was given', async () => {
    await arm('UNDECIDED', 2);
    for (const reference of ['CW1', 'CW2']) await harness.put(reference, '1.00', MINE);
    await control().advance({ reference: 'CW1', to: 'REJECTED', reason: 'AC04' });
    await control().advance({ reference: 'CW2', to: 'SETTLED' });
    await control().advance({ reference: 'CW2', to: 'RETURNED', reason: 'AC06' });
    const { receiver } = harness;
    const told = () => receiver.accepted.map(({ body }) => [body.status, body.reason ?? null]);
    await expect.poll(told).toContainEqual(['RETURNED', 'AC06']);
    expect(told()).toContainEqual(['REJECTED', 'AC04']);
    expect([money('CW1'), money('CW2')]).toEqual([
      [0, 0],
      [1, 1],
    ]);
  });

  it('is not moved a second time by what would have come by itself', async () => {
    await harness.restart({ decideAfterMs: 2_000, returnAfterMs: 2_000 });
    await harness.put('CW1', '10.01');
    expect(await control().advance({ reference: 'CW1', to: 'SETTLED' })).toBe('DONE');
    await harness.put('CW2', '10.02');
    expect(await control().advance({ reference: 'CW2', to: 'RETURNED' })).toBe('DONE');
    // One that is decided later shows that the time of the others is over.
    await harness.put('CW3', '10.01');
    await expect
      .poll(async () => (await harness.json('/transfers/CW3'))['status'])
      .toBe('REJECTED');
    expect([money('CW1'), money('CW2')]).toEqual([
      [1, 0],
      [1, 1],
    ]);
    await harness.restart();
    expect(await harness.json('/transfers/CW1')).toMatchObject({ status: 'SETTLED' });
    expect([money('CW1'), money('CW2')]).toEqual([
      [1, 0],
      [1, 1],
    ]);
  });

  it('that it has settled and not told is told at once', async () => {
    await expect(harness.put('CW1', '10.03')).rejects.toThrow();
    expect(await control().advance({ reference: 'CW1', to: 'REJECTED' })).toBe('NOT_POSSIBLE');
    expect(await control().advance({ reference: 'CW1', to: 'SETTLED' })).toBe('DONE');
    await expect.poll(statuses).toEqual(['SETTLED']);
    expect(await harness.json('/transfers/CW1')).toMatchObject({ status: 'SETTLED' });
    expect(money()).toEqual([1, 0]);
  });

  it('is on a statement at once, and on one alone', async () => {
    await harness.put('CW1', '10.00');
    const order = { reference: 'CW1', to: 'ON_STATEMENT' } as const;
    expect([await control().advance(order), await control().advance(order)]).toEqual([
      'DONE',
      'DONE',
    ]);
    const { data } = (await harness.json('/statements')) as { data: unknown[] };
    expect(data).toHaveLength(1);
    await harness.put('CW2', '10.01');
    expect(await control().advance({ ...order, reference: 'CW2' })).toBe('NOT_POSSIBLE');
  });

  it('that was refused, or never came, is not known', async () => {
    await harness.put('CW1', '10.06');
    for (const reference of ['CW1', 'CW2']) {
      expect(await control().advance({ reference, to: 'SETTLED' })).toBe('UNKNOWN');
    }
    expect(money()).toEqual([0, 0]);
  });

  it('is unanswered while the bank is down', async () => {
    const before = control();
    await harness.bank().close();
    expect(await before.advance({ reference: 'CW1', to: 'SETTLED' })).toBe('SILENCE');
    expect(await before.listArmed(ADA)).toBe('SILENCE');
    await harness.restart();
  });
});
