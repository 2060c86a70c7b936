import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { COMPLIANCE_REVIEW_MAX_MS } from '../../../src/domain/payments/settlement-timing.ts';
import {
  ScreeningError,
  type ScreeningFailure,
  type ScreeningProvider,
} from '../../../src/domain/parties/screening/screening-provider.ts';
import { lookAtList } from '../../../src/modules/parties/screening/look-at-list.ts';
import { NEVER_SEEN, says } from '../../support/payments/scripted-bank.ts';
import {
  startScreeningHarness,
  type ScreeningHarness,
} from '../../support/payments/screening-harness.ts';

let harness: ScreeningHarness;
beforeAll(async () => {
  harness = await startScreeningHarness();
});
beforeEach(async () => {
  harness.bank.onPut = says('SETTLED');
  harness.bank.onGet = () => NEVER_SEEN;
  harness.bank.calls.splice(0);
  await harness.putList();
});
afterAll(async () => {
  await harness.expectBooksToHold();
  await harness.close();
});

const HELD = { kind: 'WAIT', waitMs: 10_000, needsHuman: true };
/** A listed name that no other test's party has. */
let names = 0;
const freshName = (): string =>
  `Listed${String.fromCharCode(...[3, 5, 7, 11].map((step) => 97 + (((names += 1) * step) % 26)))}person`;

describe('a payment whose parties were looked up', () => {
  it('is claimed on the fast path, without a look-up of its own', async () => {
    const id = await harness.accept(await harness.addParty());
    expect(await harness.settleWith(failing, id)).toEqual({ kind: 'DONE', status: 'COMPLETED' });
    expect((await harness.tell(id)).story).toEqual(['PROCESSING/QUEUED', 'COMPLETED/DELIVERED']);
  });

  it.each(['end-user', 'account'])(
    'is held where its %s hits, and nothing is sent',
    async (who) => {
      const lastName = freshName();
      await harness.putList({ id: `hit-${lastName}`, names: [`Jo ${lastName}`] });
      const named =
        who === 'end-user' ? { firstName: 'Jo', lastName } : { holder: `Jo ${lastName}` };
      const party = await harness.addParty(named);
      for (const isFirst of [true, false]) {
        const id = await harness.accept(party);
        expect(await harness.settleWith(harness.provider, id, isFirst)).toMatchObject(HELD);
        const { payment } = await harness.tell(id);
        expect(payment).toMatchObject({ status: 'ON_HOLD', statusDetail: 'COMPLIANCE_REVIEW' });
        expect(payment.fundsStatus).toBe('HELD');
      }
      expect(harness.bank.calls).toEqual([]);
      const id = who === 'end-user' ? party.endUserId : party.bankAccountId;
      expect((await harness.cases()).filter(({ party: of }) => of === id)).toMatchObject([
        { outcome: null },
      ]);
    },
  );

  it('fails after 30 days without a decision, and the funds are back', async () => {
    const lastName = freshName();
    await harness.putList({ id: `hit-${lastName}`, names: [`Jo ${lastName}`] });
    const party = await harness.addParty({ firstName: 'Jo', lastName });
    const before = await harness.balance();
    const id = await harness.accept(party);
    await harness.settle(id);
    harness.clock.advance(COMPLIANCE_REVIEW_MAX_MS - 1);
    expect(await harness.settle(id)).toMatchObject({ ...HELD, waitMs: 3_600_000 });
    harness.clock.advance(1);
    expect(await harness.settle(id)).toEqual({ kind: 'DONE', status: 'FAILED' });
    const { payment } = await harness.tell(id);
    expect(payment).toMatchObject({ statusDetail: 'COMPLIANCE_DECLINED' });
    expect(payment.failure).toEqual({
      ...{ code: 'compliance_declined', category: 'COMPLIANCE', retryable: false, railCode: null },
      action: 'DO_NOT_RETRY',
      message: 'The payment was declined for compliance reasons.',
    });
    expect(await harness.balance()).toEqual(before);
    expect(harness.bank.calls).toEqual([]);
  });
});

describe('when the list changes between acceptance and release', () => {
  it.each([true, false])('a party that is on it now is held (first step: %s)', async (isFirst) => {
    const lastName = freshName();
    const party = await harness.addParty({ firstName: 'Jo', lastName });
    const id = await harness.accept(party);
    await harness.putList({ id: `hit-${lastName}`, names: [`Jo ${lastName}`] });
    expect(await harness.settleWith(harness.provider, id, isFirst)).toMatchObject(HELD);
    expect(harness.bank.calls).toEqual([]);
  });

  it('a party that is not on it is looked up and paid in the same step', async () => {
    const party = await harness.addParty();
    const id = await harness.accept(party);
    const before = await harness.screeningOf(party.endUserId);
    await harness.putList();
    expect(await harness.settle(id)).toEqual({ kind: 'DONE', status: 'COMPLETED' });
    expect((await harness.tell(id)).story).toEqual([
      ...['PROCESSING/QUEUED', 'COMPLETED/DELIVERED'],
    ]);
    const after = await harness.screeningOf(party.endUserId);
    expect(after.status).toBe('CLEAR');
    expect(after.list).not.toBe(before.list);
  });

  it('a list that no worker has noticed yet comes into force with the first look-up in it', async () => {
    const lastName = freshName();
    const known = await harness.accept(await harness.addParty({ firstName: 'Jo', lastName }));
    const party = await harness.addParty();
    await harness.rows(`UPDATE end_users SET screening_status = 'UNSCREENED' WHERE id = $1`, [
      party.endUserId,
    ]);
    const unknown = await harness.accept(party);
    harness.writeList({ id: `hit-${lastName}`, names: [`Jo ${lastName}`] });
    expect(await harness.settle(unknown)).toEqual({ kind: 'DONE', status: 'COMPLETED' });
    expect(await harness.settle(known)).toMatchObject(HELD);
  });

  it('a version that was replaced within the hour is not put back: two workers take no turns', async () => {
    const later = 'worker-two';
    const version = (of: string) => ({ ...harness.provider, listVersion: async () => of });
    const inForce = async () =>
      (await harness.rows("SELECT version FROM screening_lists WHERE environment = 'test'"))[0];
    await lookAt(version('worker-one'));
    await lookAt(version(later));
    for (let look = 0; look < 2; look += 1) {
      await expect(lookAt(version('worker-one'))).rejects.toMatchObject({
        code: 'SCREENING_LIST_REPLACED',
      });
      expect(await inForce()).toEqual({ version: later });
    }
    await lookAt(version('a-third-one'));
    expect(await inForce()).toEqual({ version: 'a-third-one' });
    harness.clock.advance(3_600_000);
    await lookAt(version('worker-one'));
    expect(await inForce()).toEqual({ version: 'worker-one' });
  });

  it('a look at all parties finds whom no payment waits for, those with payments first', async () => {
    const lastName = freshName();
    const idle = await harness.addParty({ firstName: 'Jo', lastName });
    const paying = await harness.addParty({ firstName: 'Jo', lastName });
    const id = await harness.accept(paying);
    await harness.putList({ id: `hit-${lastName}`, names: [`Jo ${lastName}`] });
    expect(await harness.rescreen()).toBeGreaterThan(3);
    const opened = (await harness.cases()).map(({ party }) => party).slice(-2);
    expect(opened).toEqual([paying.endUserId, idle.endUserId]);
    expect(await harness.rescreen()).toBe(0);
    expect(await harness.settle(id)).toMatchObject(HELD);
  });
});

describe('killed in between', () => {
  it('after the look-up and before the claim: the next run claims', async () => {
    const party = await harness.addParty();
    const id = await harness.accept(party);
    await harness.putList();
    const { endUserId, bankAccountId } = party;
    await harness.screener.screenParties(harness.scope, [
      { kind: 'END_USER', id: endUserId },
      { kind: 'BANK_ACCOUNT', id: bankAccountId },
    ]);
    expect(await harness.settleWith(failing, id)).toEqual({ kind: 'DONE', status: 'COMPLETED' });
  });

  it('after the look-up of one party: the other one is still looked up', async () => {
    const lastName = freshName();
    const party = await harness.addParty({ holder: `Jo ${lastName}` });
    const id = await harness.accept(party);
    await harness.putList({ id: `hit-${lastName}`, names: [`Jo ${lastName}`] });
    await harness.screener.screenParties(harness.scope, [
      { kind: 'END_USER', id: party.endUserId },
    ]);
    expect(await harness.settle(id)).toMatchObject(HELD);
  });
});

describe('where names cannot be looked up', () => {
  it.each([true, false])(
    'the payment waits, neither sent nor failed (first: %s)',
    async (isFirst) => {
      const id = await harness.accept(await harness.addParty());
      await harness.putList();
      for (const provider of [failing, null]) {
        await expect(harness.settleWith(provider, id, isFirst)).rejects.toMatchObject({
          code: 'PROVIDER_UNREACHABLE',
        });
      }
      expect((await harness.tell(id)).story).toEqual(['PROCESSING/QUEUED']);
      expect(harness.bank.calls).toEqual([]);
      expect(harness.failures.slice(-2)).toEqual(['SCREENING_FAILED', 'SCREENING_NOT_CONFIGURED']);
      expect(await harness.settle(id)).toEqual({ kind: 'DONE', status: 'COMPLETED' });
    },
  );

  it('an environment whose list was taken away clears no party any more', async () => {
    const id = await harness.accept(await harness.addParty());
    await expect(harness.settleWith(null, id)).rejects.toMatchObject({
      code: 'PROVIDER_UNREACHABLE',
    });
    expect(harness.bank.calls).toEqual([]);
  });

  it.each(['SCREENING_REFUSED', 'SCREENING_GARBLED'] as const)(
    'one party that the provider does not take (%s) keeps no other from being looked up',
    async (code) => {
      const first = await harness.addParty();
      const later = [await harness.addParty(), await harness.addParty()];
      await harness.putList();
      const refusing = refusingOf(first.endUserId, code);
      await expect(harness.rescreen(refusing)).rejects.toMatchObject({ code });
      const version = await harness.provider.listVersion();
      for (const { endUserId, bankAccountId } of later) {
        expect((await harness.screeningOf(endUserId)).list).toBe(version);
        expect((await harness.screeningOf(bankAccountId)).list).toBe(version);
      }
      expect((await harness.screeningOf(first.endUserId)).list).not.toBe(version);
      // Not noted as complete: the next look finds whom this one has left.
      expect(await harness.rescreen()).toBe(1);
      expect((await harness.screeningOf(first.endUserId)).list).toBe(version);
    },
  );

  it.each(['SCREENING_UNREACHABLE', 'SCREENING_FAILED'] as const)(
    'a provider that does not answer (%s) is not asked about every party',
    async (code) => {
      for (let party = 0; party < 5; party += 1) await harness.addParty();
      await harness.putList();
      let asked = 0;
      const down = {
        ...harness.provider,
        screen: () => {
          asked += 1;
          return Promise.reject(new ScreeningError(code));
        },
      };
      await expect(harness.rescreen(down)).rejects.toMatchObject({ code });
      expect(asked).toBeLessThanOrEqual(4);
    },
  );

  it('a provider whose look-ups grow old is asked again, and not before', async () => {
    const asked: string[] = [];
    const provider = {
      ...harness.provider,
      screenNow: null,
      maxAgeMs: 3_600_000,
      screen: async (subjects: Parameters<typeof harness.provider.screen>[0]) => {
        asked.push(...subjects.map(({ reference }) => reference));
        return harness.provider.screen(subjects);
      },
    };
    const party = await harness.addParty();
    const young = await harness.accept(party);
    const old = await harness.accept(party);
    await harness.settleWith(provider, young);
    expect(asked).toEqual([]);
    harness.clock.advance(3_600_000);
    await harness.settleWith(provider, old);
    expect(asked).toEqual([`${party.endUserId}/0`, `${party.bankAccountId}/0`]);
    expect((await harness.tell(old)).payment.status).toBe('COMPLETED');
  });
});

const lookAt = (provider: Pick<ScreeningProvider, 'listVersion'>) =>
  lookAtList({ db: harness.database.db, clock: harness.clock }, provider, 'test');

const refusingOf = (id: string, code: ScreeningFailure): ScreeningProvider => ({
  ...harness.provider,
  screen: (subjects) =>
    subjects.some(({ reference }) => reference.startsWith(`${id}/`))
      ? Promise.reject(new ScreeningError(code))
      : harness.provider.screen(subjects),
});

const failing = {
  listVersion: () => Promise.reject(new ScreeningError('SCREENING_FAILED')),
  screen: () => Promise.reject(new ScreeningError('SCREENING_FAILED')),
  screenNow: null,
  maxAgeMs: null,
};
