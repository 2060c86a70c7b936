import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sendInTime } from '../../../src/modules/payments/call-bank.ts';
import type { Send } from '../../../src/modules/payments/claim-attempt.ts';
import { advancePayment } from '../../../src/modules/payments/advance-payment.ts';
import type { TransferAnswer } from '../../../src/domain/payments/transfer-report.ts';
import { recordAnswer } from '../../../src/modules/payments/record-answer.ts';
import { NEVER_SEEN, says, type BankReply } from '../../support/payments/scripted-bank.ts';
import {
  startScriptedHarness,
  TIMING,
  type ScriptedHarness,
} from '../../support/payments/settlement-harness.ts';

const BLANK = { bankReference: null, reason: null, returnedAmount: null, at: null };

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

/** What a settle run commits before it talks to the bank; then its process dies. */
async function claimAndDie(id: string): Promise<Send> {
  const deps = {
    ...harness.deps,
    timing: TIMING,
    screenedSince: () => new Date(0),
    encodeFor: () => harness.connector.encode.bind(harness.connector),
  };
  const claimed = await advancePayment(deps, harness.scope, id);
  if (claimed.kind !== 'SEND') throw new Error('nothing was claimed');
  return claimed;
}

/** What comes back to a run of settle that another run has overtaken. */
const comesLate = (paymentId: string, reference: string, answer: TransferAnswer, sends = 1) =>
  recordAnswer(
    { ...harness.deps, timing: TIMING },
    harness.scope,
    { paymentId, reference, call: { sends, to: 'SEND', calledAt: harness.deps.clock.now() } },
    answer,
  );

const methods = () => harness.bank.calls.map(({ method }) => method);

describe('settle, run twice', () => {
  it('at the same time: one of them sends, and the money moves once', async () => {
    let answer: (reply: BankReply) => void = () => undefined;
    harness.bank.onPut = () => new Promise((resolve) => (answer = resolve));
    harness.bank.onGet = () => ({ status: 500 });
    const id = await harness.accept();
    const first = harness.settle(id);
    await expect.poll(() => methods()).toEqual(['PUT']);
    await Promise.all([harness.settle(id), harness.settle(id), harness.settle(id)]);
    const [put] = harness.bank.puts();
    if (put === undefined) throw new Error('nothing was sent');
    answer(says('SETTLED')(put));
    expect(await first).toEqual({ kind: 'DONE', status: 'COMPLETED' });
    expect(harness.bank.puts()).toHaveLength(1);
  });

  it('eight at once: one send, one movement', async () => {
    harness.bank.onGet = says('SETTLED');
    const id = await harness.accept();
    await Promise.all(Array.from({ length: 8 }, () => harness.settle(id)));
    expect((await harness.drive(id)).payment.status).toBe('COMPLETED');
    expect(harness.bank.puts()).toHaveLength(1);
    const posted = await harness.rows<{ kind: string }>(
      'SELECT kind FROM ledger_transactions WHERE payment_id = $1 ORDER BY seq',
      [id],
    );
    expect(posted.map(({ kind }) => kind)).toEqual(['HOLD', 'SETTLE']);
  });

  it('after it is done, it does nothing', async () => {
    const id = await harness.accept();
    await harness.settle(id);
    const before = await harness.tell(id);
    expect(await harness.settle(id)).toEqual({ kind: 'DONE', status: 'COMPLETED' });
    expect(await harness.tell(id)).toEqual(before);
    expect(methods()).toEqual(['PUT']);
  });
});

describe('a process that dies', () => {
  it('between claim and answer: the bank is asked, not sent the bytes again', async () => {
    const id = await harness.accept();
    await claimAndDie(id);
    harness.bank.onGet = says('SETTLED');
    expect(await harness.settle(id)).toEqual({ kind: 'DONE', status: 'COMPLETED' });
    expect(methods()).toEqual(['GET']);
  });

  it('before the first byte left: sent only after two late "never seen"', async () => {
    const id = await harness.accept();
    await claimAndDie(id);
    const startedAt = harness.clock.now().getTime();
    let sentAt = 0;
    harness.bank.onPut = (call) => {
      sentAt = harness.clock.now().getTime() - startedAt;
      return says('SETTLED')(call);
    };
    const { payment, attempts } = await harness.drive(id);
    expect(payment.status).toBe('COMPLETED');
    expect(attempts).toMatchObject([{ number: 1, sends: 2, fruitlessSends: 1 }]);
    expect(sentAt).toBeGreaterThan(TIMING.attemptDeadlineMs + TIMING.missingAfterMs);
  });

  it('"never seen" counts from when it was asked, however late it is written down', async () => {
    const id = await harness.accept();
    const { attempt } = await claimAndDie(id);
    const { reference, sends } = attempt;
    const early = {
      paymentId: id,
      reference,
      call: { sends, to: 'ASK', calledAt: harness.clock.now() },
    } as const;
    harness.clock.advance(TIMING.attemptDeadlineMs + TIMING.missingAfterMs + 1);
    // Both were asked while the send could still be under way, and lay about since.
    for (const _ of [1, 2]) {
      await recordAnswer({ ...harness.deps, timing: TIMING }, harness.scope, early, {
        kind: 'NEVER_SEEN',
      });
    }
    expect((await harness.tell(id)).attempts).toMatchObject([{ missingCount: 0 }]);
  });

  it('after the deadline no worker sends what was committed before it', async () => {
    const id = await harness.accept();
    const send = await claimAndDie(id);
    // Not dead after all: suspended for longer than the deadline allows.
    harness.clock.advance(TIMING.attemptDeadlineMs - TIMING.bankTimeoutMs + 1);
    const deps = { ...harness.deps, timing: TIMING };
    expect(await sendInTime(deps, harness.connector, send)).toEqual({
      kind: 'NOT_SENT',
      why: 'TOO_LATE',
    });
    expect(harness.bank.calls).toEqual([]);
  });
});

describe('an answer that comes after another worker has acted', () => {
  /** Sent by a run that hangs; another one has asked twice and sent again, unclearly. */
  async function overtaken(): Promise<{ id: string; reference: string }> {
    const id = await harness.accept();
    await claimAndDie(id);
    harness.bank.onPut = () => ({ status: 500 });
    const { attempts } = await harness.drive(id, (told) => told.attempts[0]?.sends === 2);
    return { id, reference: attempts[0]?.reference ?? '' };
  }

  it.each<TransferAnswer>([
    { kind: 'NOT_SENT', why: 'CONNECT_FAILED' },
    { kind: 'REFUSED', why: 'HTTP_409' },
    { kind: 'UNCLEAR', why: 'HTTP_503' },
    { kind: 'SILENCE', why: 'TIMEOUT' },
    { kind: 'NEVER_SEEN' },
  ])('$kind says nothing about the send that came behind it', async (answer) => {
    const { id, reference } = await overtaken();
    const before = await harness.tell(id);
    await comesLate(id, reference, answer);
    expect(await harness.tell(id)).toEqual(before);
  });

  it('SETTLED completes it: it is the same transfer', async () => {
    const { id, reference } = await overtaken();
    const report = { ...BLANK, status: 'SETTLED' } as const;
    expect(await comesLate(id, reference, { kind: 'REPORT', report })).toMatchObject({
      kind: 'DONE',
    });
    const before = await harness.tell(id);
    await comesLate(id, reference, { kind: 'REPORT', report }, 2);
    expect(await harness.tell(id)).toEqual(before);
  });

  it('REJECTED releases nothing: the send that came behind it may have moved the money', async () => {
    const { id, reference } = await overtaken();
    const before = await harness.balance();
    const report = { ...BLANK, status: 'REJECTED', reason: 'AC04' } as const;
    await comesLate(id, reference, { kind: 'REPORT', report });
    expect((await harness.tell(id)).payment.status).toBe('PROCESSING');
    expect(await harness.balance()).toEqual(before);
    harness.bank.onGet = says('SETTLED');
    expect((await harness.drive(id)).payment.status).toBe('COMPLETED');
  });

  describe('after a rejection that another attempt may follow', () => {
    const REJECTED: TransferAnswer = {
      kind: 'REPORT',
      report: { ...BLANK, status: 'REJECTED', reason: 'BANK_UNAVAILABLE' },
    };

    /** Rejected for now; a question and a send of before are still on their way back to us. */
    async function rejected() {
      const id = await harness.accept();
      const { reference } = (await claimAndDie(id)).attempt;
      const calledAt = harness.clock.now();
      harness.clock.advance(1_000);
      await comesLate(id, reference, REJECTED);
      const answers = (to: 'SEND' | 'ASK', answer: TransferAnswer, at = calledAt) =>
        recordAnswer(
          { ...harness.deps, timing: TIMING },
          harness.scope,
          { paymentId: id, reference, call: { sends: 1, to, calledAt: at } },
          answer,
        );
      const isConfirmed = async () => (await harness.tell(id)).attempts[0]?.isRejectionConfirmed;
      return { answers, isConfirmed };
    }

    it.each<[string, 'SEND' | 'ASK', TransferAnswer]>([
      ['"never seen" asked before it', 'ASK', { kind: 'NEVER_SEEN' }],
      ['REJECTED asked before it', 'ASK', REJECTED],
      ['the same REJECTED by another way', 'SEND', REJECTED],
    ])('%s does not confirm it', async (_, to, answer) => {
      const { answers, isConfirmed } = await rejected();
      await answers(to, answer);
      expect(await isConfirmed()).toBe(false);
    });

    it.each<[string, TransferAnswer]>([
      ['"never seen"', { kind: 'NEVER_SEEN' }],
      ['REJECTED', REJECTED],
    ])('%s asked after it confirms it', async (_, answer) => {
      const { answers, isConfirmed } = await rejected();
      await answers('ASK', answer, harness.clock.now());
      expect(await isConfirmed()).toBe(true);
    });
  });

  it('one send that the bank never saw counts as fruitless once, whichever run finds it out', async () => {
    const id = await harness.accept();
    const { reference } = (await claimAndDie(id)).attempt;
    await harness.settle(id);
    await comesLate(id, reference, { kind: 'SILENCE', why: 'TIMEOUT' });
    expect((await harness.tell(id)).attempts).toMatchObject([{ sends: 1, fruitlessSends: 1 }]);
  });
});
