import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  NEVER_SEEN,
  says,
  type BankCall,
  type BankReply,
} from '../../support/payments/scripted-bank.ts';
import {
  startScriptedHarness,
  type ScriptedHarness,
} from '../../support/payments/settlement-harness.ts';

let harness: ScriptedHarness;
beforeAll(async () => {
  harness = await startScriptedHarness();
});
beforeEach(() => {
  harness.bank.calls.length = 0;
  harness.bank.onPut = says('SETTLED');
  harness.bank.onGet = () => NEVER_SEEN;
});
afterAll(async () => {
  await harness.expectBooksToHold();
  await harness.close();
});

const REJECTED = { status: 'REJECTED', reason: 'AC04' } as const;

/** A payment whose bytes go out for the second time at this moment; `answer` ends that send. */
async function sendingAgain() {
  let answer: (reply: BankReply) => void = () => undefined;
  let puts = 0;
  harness.bank.onPut = () => {
    puts += 1;
    return puts === 1 ? { status: 503 } : new Promise<BankReply>((resolve) => (answer = resolve));
  };
  const id = await harness.accept();
  const driven = harness.drive(id);
  await expect.poll(() => harness.bank.puts()).toHaveLength(2);
  const [, put] = harness.bank.puts() as [BankCall, BankCall];
  return { id, driven, put, answer: (reply: BankReply) => answer(reply) };
}

describe('a rejection reported while the bytes are under way again', () => {
  it('releases nothing: the answer to the repeated send decides', async () => {
    const before = await harness.balance();
    const { id, driven, put, answer } = await sendingAgain();
    await harness.callback({ reference: put.reference, ...REJECTED });
    await harness.applyTransferReports(id);
    expect((await harness.tell(id)).payment.status).toBe('PROCESSING');
    expect((await harness.balance()).reserved).not.toBe(before.reserved);
    answer(says('SETTLED')(put));
    const { payment, story } = await driven;
    expect(payment).toMatchObject({ status: 'COMPLETED', reconciliationStatus: 'PENDING' });
    expect(story).not.toContain('FAILED/REJECTED_BY_BANK');
  });

  it('ends in FAILED once the bank says so to a question asked after the send', async () => {
    const before = await harness.balance();
    const { id, driven, put, answer } = await sendingAgain();
    await harness.callback({ reference: put.reference, ...REJECTED });
    await harness.applyTransferReports(id);
    answer('RESET');
    harness.bank.onGet = says('REJECTED', 'AC04');
    const { payment } = await driven;
    expect(payment).toMatchObject({ status: 'FAILED', statusDetail: 'REJECTED_BY_BANK' });
    expect(await harness.balance()).toEqual(before);
  });

  it('is believed from the answer to the repeated send itself', async () => {
    const { driven, put, answer } = await sendingAgain();
    answer(says('REJECTED', 'AC04')(put));
    expect((await driven).payment.status).toBe('FAILED');
  });
});

describe('a return reported while the bytes are under way again', () => {
  it('credits nothing: it may be about the earlier send, and the later one pays', async () => {
    const { id, driven, put, answer } = await sendingAgain();
    const reserved = (await harness.balance()).reserved;
    await harness.callback({ reference: put.reference, status: 'RETURNED', reason: 'AC04' });
    await harness.applyTransferReports(id);
    expect((await harness.tell(id)).payment.status).toBe('PROCESSING');
    expect((await harness.balance()).reserved).toBe(reserved);
    answer(says('SETTLED')(put));
    expect((await driven).payment.status).toBe('COMPLETED');
  });
});

describe('a rejection that is not believed', () => {
  it('is asked about before anything is sent, whatever was counted as never seen', async () => {
    harness.bank.onPut = () => ({ status: 503 });
    const id = await harness.accept();
    const { attempts } = await harness.drive(id, (told) => told.attempts[0]?.missingCount === 2);
    const reference = attempts[0]?.reference ?? '';
    harness.bank.onPut = says('SETTLED');
    harness.bank.onGet = says('SETTLED');
    harness.bank.calls.length = 0;
    const at = new Date(harness.clock.now().getTime() - 3_600_000).toISOString();
    await harness.callback({ reference, ...REJECTED, at });
    expect((await harness.drive(id)).payment.status).toBe('COMPLETED');
    expect(harness.bank.calls.map(({ method }) => method)).toEqual(['GET']);
  });
});

describe('a rejection that the bank dates before the send', () => {
  it('is a reason to ask, and the bank that settled it meanwhile is believed', async () => {
    harness.bank.onPut = says('ACCEPTED');
    harness.bank.onGet = says('SETTLED');
    const id = await harness.accept();
    await harness.settle(id);
    const { reference } = (await harness.tell(id)).attempts[0] ?? { reference: '' };
    const at = new Date(harness.clock.now().getTime() - 3_600_000).toISOString();
    await harness.callback({ reference, ...REJECTED, at });
    await harness.applyTransferReports(id);
    expect((await harness.tell(id)).payment.status).toBe('SENT');
    expect((await harness.drive(id)).payment.status).toBe('COMPLETED');
  });
});
