import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readAttemptsForOps } from '../../../src/db/operations/ops-store.ts';
import { readWaiting } from '../../../src/db/operations/waiting-store.ts';
import { readStuckSections } from '../../../src/modules/payments/stuck-payments.ts';
import { showPayment } from '../../../src/cli/ops/show-payment.ts';
import { credit, seeDeposit, type FundedAnswer } from '../../support/funded-payments.ts';
import type { ScriptedChain } from '../../support/wallet-payments.ts';
import {
  createFundedHarness,
  FUNDING,
  minorOf,
  type FundedHarness,
} from '../../support/payments/funded-harness.ts';
import { TIMING } from '../../support/payments/settlement-harness.ts';

let funded: FundedHarness;
beforeAll(async () => {
  funded = await createFundedHarness();
});
afterEach(() => funded.resetRails());
afterAll(() => funded.close());

type Rail = 'bank' | 'chain';

/** What the rail executed in a life that is lost. */
const isSent = async ({ id }: FundedAnswer): Promise<void> => {
  await funded.settle(id);
};
const isNotSent = async (): Promise<void> => undefined;

async function order(rail: Rail, amount: string, key: string): Promise<FundedAnswer> {
  if (rail === 'chain') return funded.ordered({ amount }, key);
  const { harness } = funded;
  const answer = await harness.pay(harness.order({ amount, funding: FUNDING }), key);
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json<FundedAnswer>();
}

/**
 * One life has a payment of 25.00, all of it comes, and the test does with it what it wants. The next life has it for
 * 26.00, by `rails[1]`, and what came is all that comes in time, or nothing.
 */
async function repeated(
  beforeRestore: (payment: FundedAnswer) => Promise<void>,
  { rails = ['bank', 'bank'] as readonly [Rail, Rail], comes = true } = {},
) {
  const { harness } = funded;
  const key = randomUUID();
  const before = await funded.usdc();
  const restore = await harness.database.keepCopy();
  const first = await order(rails[0], '25.00', key);
  await credit(harness, await seeDeposit(harness, first, { amount: minorOf(first) }));
  await funded.wake(first.id);
  await beforeRestore(first);
  await restore();
  harness.clock.advance(1_000);
  const payment = await order(rails[1], '26.00', key);
  expect(payment.funding.address).toBe(first.funding.address);
  await funded.passRestoreMode();
  const came = minorOf(first);
  if (comes) await credit(harness, await seeDeposit(harness, payment, { amount: came }));
  await funded.wake(payment.id);
  await funded.expire(payment);
  const [still, back] = [
    { ...before, pending: before.pending + came },
    { ...before, available: before.available + came },
  ];
  return { id: payment.id, payment, came, before, still, back };
}

/** So long after the first word of the rails that a second one counts. */
const passMissing = () => funded.harness.clock.advance(TIMING.missingAfterMs + 1);

const HUMAN = { kind: 'WAIT', needsHuman: true };
const WAIT = { kind: 'WAIT', needsHuman: false };
const EXPIRED = { kind: 'DONE', status: 'EXPIRED' };
const marked = (said: string) => ({
  ...{ status: 'PROCESSING', statusDetail: 'AWAITING_DEPOSIT' },
  reconciliation: {
    status: 'EXCEPTION',
    evidence: { kind: 'PAID_BEFORE_RESTORE', said, reference: expect.stringMatching(/^CW/) },
  },
});

/** The one reference of a rail that was sent last is known under another attempt's number. */
function renumber({ orders }: ScriptedChain, attempt: string): void {
  const [[reference, sent] = ['', '']] = [...orders].slice(-1);
  orders.delete(reference);
  orders.set(`${reference.slice(0, -2)}${attempt}`, sent);
}

describe('a payment that is repeated after a restore for more than came', () => {
  it.each(['ACCEPTED', 'SETTLED', 'RETURNED'] as const)(
    'waits for operators where its rail says %s, and gives nothing back',
    async (status) => {
      const { id, still } = await repeated(isSent);
      funded.bank.word = { status };
      expect(await funded.settle(id)).toMatchObject(HUMAN);
      expect(await funded.shown(id)).toMatchObject(marked(status));
      passMissing();
      expect(await funded.settle(id)).toMatchObject(HUMAN);
      expect(await funded.usdc()).toEqual(still);
    },
  );

  it.each(['04', '08'])('is asked about by the reference of attempt %s', async (attempt) => {
    const { id, still } = await repeated(isSent);
    renumber(funded.bank, attempt);
    expect(await funded.settle(id)).toMatchObject(HUMAN);
    expect(await funded.usdc()).toEqual(still);
  });

  it('waits for operators where so many attempts were rejected that another one may have followed', async () => {
    const { id, still } = await repeated(isSent);
    renumber(funded.bank, '05');
    funded.bank.word = { status: 'REJECTED' };
    expect(await funded.settle(id)).toMatchObject(HUMAN);
    expect(await funded.usdc()).toEqual(still);
  });

  it('waits while its rail is silent, and ends once it has said twice that it never saw it', async () => {
    const { id, still, back } = await repeated(isNotSent);
    const { bank } = funded;
    const ask = bank.ask;
    let answers = 0;
    // Of eight references one is not answered.
    bank.ask = async (reference, limit) => {
      answers += 1;
      return answers === 6 ? { kind: 'SILENCE', why: 'TIMEOUT' } : ask(reference, limit);
    };
    expect(await funded.settle(id)).toMatchObject(WAIT);
    expect(await funded.settle(id)).toMatchObject({ ...WAIT, waitMs: TIMING.missingAfterMs });
    // Too soon after the first word.
    expect(await funded.settle(id)).toMatchObject(WAIT);
    expect(await funded.usdc()).toEqual(still);
    passMissing();
    expect(await funded.settle(id)).toEqual(EXPIRED);
    bank.ask = ask;
    expect(answers).toBe(4 * 8);
    expect(await funded.usdc()).toEqual(back);
  });

  it('calls operators where its rail stays silent', async () => {
    const { id } = await repeated(isNotSent);
    const { bank, harness } = funded;
    const ask = bank.ask;
    bank.ask = async () => ({ kind: 'SILENCE', why: 'TIMEOUT' });
    harness.clock.advance(TIMING.stalledAfterMs);
    expect(await funded.settle(id)).toMatchObject(HUMAN);
    bank.ask = ask;
  });

  it('ends where its rail has rejected it, also after it was on its way', async () => {
    const { id, back } = await repeated(isSent);
    expect(await funded.settle(id)).toMatchObject(HUMAN);
    expect(await funded.shown(id)).toMatchObject(marked('ACCEPTED'));
    funded.bank.word = { status: 'REJECTED', reason: 'AC04' };
    expect(await funded.settle(id)).toMatchObject(HUMAN);
    passMissing();
    expect(await funded.settle(id)).toEqual(EXPIRED);
    expect(await funded.shown(id)).toMatchObject({
      reconciliation: { status: 'PENDING', evidence: null },
    });
    expect(await funded.usdc()).toEqual(back);
  });

  it('stays for operators where its rail has paid it, and then says that it never saw it', async () => {
    const { id, still } = await repeated(isSent);
    funded.bank.word = { status: 'SETTLED' };
    expect(await funded.settle(id)).toMatchObject(HUMAN);
    funded.bank.orders.clear();
    for (let look = 0; look < 3; look += 1) {
      passMissing();
      expect(await funded.settle(id)).toMatchObject(HUMAN);
    }
    expect(await funded.usdc()).toEqual(still);
  });

  it('completes where the rest is found after all: its rail is asked, and has paid it', async () => {
    const { id, payment, came, before } = await repeated(isSent);
    expect(await funded.settle(id)).toMatchObject(HUMAN);
    const amount = minorOf(payment) - came;
    const minedAt = new Date(new Date(payment.funding.expiresAt).getTime() - 1_000);
    await credit(funded.harness, await seeDeposit(funded.harness, payment, { amount, minedAt }));
    await funded.wake(id);
    funded.bank.word = { status: 'SETTLED' };
    await funded.settle(id);
    expect(await funded.shown(id)).toMatchObject({ status: 'COMPLETED' });
    expect(await funded.usdc()).toEqual(before);
  });

  it('does not end where restore mode begins while its rail is asked', async () => {
    const { id, still, back } = await repeated(isNotSent);
    const { bank } = funded;
    expect(await funded.settle(id)).toMatchObject(WAIT);
    passMissing();
    const ask = bank.ask;
    bank.ask = async (reference, limit) => {
      bank.ask = ask;
      await funded.beginRestoreMode();
      return ask(reference, limit);
    };
    expect(await funded.settle(id)).toMatchObject(WAIT);
    await funded.endRestoreMode();
    // What a rail says counts only some time after the end.
    expect(await funded.settle(id)).toMatchObject(WAIT);
    expect(await funded.usdc()).toEqual(still);
    passMissing();
    expect(await funded.settle(id)).toEqual(EXPIRED);
    expect(await funded.usdc()).toEqual(back);
  });

  it('waits for operators where a callback says that it was paid, until that is gone', async () => {
    const { id, still, back } = await repeated(isSent);
    const [reference] = [...funded.bank.orders.keys()].slice(-1);
    funded.bank.orders.clear();
    await funded.harness.rows(
      `INSERT INTO transfer_reports (environment, reference, source, report_id, status, received_at)
       VALUES ('test', $1, 'CALLBACK', $1, 'SETTLED', now())`,
      [reference],
    );
    expect(await funded.settle(id)).toMatchObject(HUMAN);
    expect(await funded.shown(id)).toMatchObject(marked('FOUND'));
    expect(await funded.usdc()).toEqual(still);
    await funded.harness.rows(
      `BEGIN; SET LOCAL session_replication_role = replica;
       DELETE FROM transfer_reports WHERE payment_id IS NULL; COMMIT`,
    );
    expect(await funded.settle(id)).toMatchObject(HUMAN);
    passMissing();
    expect(await funded.settle(id)).toEqual(EXPIRED);
    expect(await funded.usdc()).toEqual(back);
  });

  it('counts no word of its rail from before a further restore', async () => {
    const { id, still } = await repeated(isNotSent);
    expect(await funded.settle(id)).toMatchObject(WAIT);
    funded.harness.clock.advance(1_000);
    await funded.passRestoreMode();
    expect(await funded.settle(id)).toMatchObject(WAIT);
    expect(await funded.usdc()).toEqual(still);
    passMissing();
    expect(await funded.settle(id)).toEqual(EXPIRED);
  });

  it('does not end over a network before its hot addresses are looked at since', async () => {
    const { id, still, back } = await repeated(isNotSent, { rails: ['chain', 'chain'] });
    for (let look = 0; look < 3; look += 1) {
      expect(await funded.settle(id)).toMatchObject(WAIT);
      passMissing();
    }
    expect(await funded.usdc()).toEqual(still);
    await knowNetwork();
    expect(await funded.settle(id)).toEqual(EXPIRED);
    expect(await funded.usdc()).toEqual(back);
  });
});

describe('a payment that is repeated after a restore over another rail', () => {
  it('does not end before the rail that may have paid it is asked', async () => {
    const { id, still } = await repeated(isSent, { rails: ['chain', 'bank'] });
    expect(await funded.settle(id)).toMatchObject(HUMAN);
    expect(await funded.usdc()).toEqual(still);
  });

  it('is not sent, though all came: the first rail has it', async () => {
    const { harness, bank, chain } = funded;
    const { id, payment, came } = await repeated(isSent, { rails: ['chain', 'bank'] });
    const sent = bank.orders.size;
    const amount = minorOf(payment) - came;
    const minedAt = new Date(new Date(payment.funding.expiresAt).getTime() - 1_000);
    await credit(harness, await seeDeposit(harness, payment, { amount, minedAt }));
    await funded.wake(id);
    chain.word = { status: 'SETTLED' };
    for (let look = 0; look < 8; look += 1) {
      await funded.settle(id);
      harness.clock.advance(TIMING.askMaxMs);
    }
    expect(bank.orders.size).toBe(sent);
    expect(await funded.shown(id)).toMatchObject({ fundsStatus: 'UNKNOWN' });
    const [reference = ''] = [...chain.orders.keys()].slice(-1);
    expect(await shownToOperators(id)).toMatchObject({
      lastAnswer: `KNOWN_BEFORE_RESTORE ${reference} by scripted-chain`,
    });
  });

  it('is held, and says by what, where a callback and no rail says that it was paid', async () => {
    const { harness, bank, chain } = funded;
    await knowNetwork();
    const { id, payment, came } = await repeated(isSent, { rails: ['chain', 'bank'] });
    const [reference = ''] = [...chain.orders.keys()]
      .slice(-1)
      .map((one) => `${one.slice(0, -2)}02`);
    chain.orders.clear();
    await harness.rows(
      `INSERT INTO transfer_reports (environment, reference, source, report_id, status, received_at)
       VALUES ('test', $1, 'CALLBACK', $1, 'SETTLED', now())`,
      [reference],
    );
    const sent = bank.orders.size;
    const amount = minorOf(payment) - came;
    const minedAt = new Date(new Date(payment.funding.expiresAt).getTime() - 1_000);
    await credit(harness, await seeDeposit(harness, payment, { amount, minedAt }));
    await funded.wake(id);
    await knowNetwork();
    for (let look = 0; look < 6; look += 1) {
      await funded.settle(id);
      harness.clock.advance(TIMING.askMaxMs);
    }
    expect(bank.orders.size).toBe(sent);
    expect(await funded.shown(id)).toMatchObject({ status: 'ON_HOLD', statusDetail: 'STALLED' });
    const heldBy = `KNOWN_BEFORE_RESTORE ${reference} by callback`;
    expect(await shownToOperators(id)).toMatchObject({ lastAnswer: 'NEVER_SEEN', heldBy });
    const printed: string[] = [];
    const print = (text: string) => void printed.push(text);
    await showPayment({ db: harness.database.people, print }, id);
    expect(printed.join()).toContain(`is not sent: ${heldBy}`);
  });
});

describe('a payment that is repeated after a restore to a bank account, not to a wallet', () => {
  it('is not sent before the hot addresses of its network are looked at since', async () => {
    const { harness, bank, chain } = funded;
    await knowNetwork();
    const { id, payment, came } = await repeated(isSent, { rails: ['chain', 'bank'] });
    // The book of the network was restored with the database.
    chain.orders.clear();
    const sent = bank.orders.size;
    const amount = minorOf(payment) - came;
    const minedAt = new Date(new Date(payment.funding.expiresAt).getTime() - 1_000);
    await credit(harness, await seeDeposit(harness, payment, { amount, minedAt }));
    await funded.wake(id);
    for (let look = 0; look < 6; look += 1) {
      await funded.settle(id);
      harness.clock.advance(TIMING.askMaxMs);
    }
    expect(bank.orders.size).toBe(sent);
    expect(await funded.settle(id)).toMatchObject(HUMAN);
    expect(await funded.wake(id)).toMatchObject(HUMAN);
    expect(await funded.shown(id)).toMatchObject({ status: 'PROCESSING' });
    expect(await shownToOperators(id)).toMatchObject({ heldBy: 'NETWORK_UNSURE BASE' });
    expect(await waiting(id)).toEqual({ kinds: ['PAYMENT_UNSURE'], heldBy: 'NETWORK_UNSURE BASE' });
    // Nothing of it was found there.
    await knowNetwork();
    await funded.settle(id);
    expect(bank.orders.size).toBe(sent + 1);
    expect(await waiting(id)).toEqual({ kinds: [] });
    // The column stays as it is where something was sent: it counts no more.
    await harness.rows(`UPDATE settlement_attempts SET held_by = $2 WHERE payment_id = $1`, [
      ...[id, 'NETWORK_UNSURE BASE'],
    ]);
    expect(await waiting(id)).toEqual({ kinds: [] });
    expect(await shownToOperators(id)).toMatchObject({ heldBy: null });
  });
});

describe('a payment that is repeated after a restore, and of which nothing came yet', () => {
  it('does not end before its rail is asked: what comes too late for it was paid out before', async () => {
    const { id, payment, came, still } = await repeated(isSent, { comes: false });
    expect(await funded.settle(id)).toMatchObject(HUMAN);
    const minedAt = new Date(new Date(payment.funding.expiresAt).getTime() - 1_000);
    const found = await seeDeposit(funded.harness, payment, { amount: came, minedAt });
    await credit(funded.harness, found);
    expect(await funded.usdc()).toEqual(still);
  });
});

/** What operators are shown of the last attempt of a payment. */
async function shownToOperators(id: string) {
  const { people } = funded.harness.database;
  return (await people.system((tx) => readAttemptsForOps(tx, id))).at(-1);
}

/** What waits for operators because of a network, and what they read of one payment in the list. */
async function waiting(id: string) {
  const { database, clock } = funded.harness;
  const rows = await database.people.system((tx) => readWaiting(tx, clock.now()));
  const kinds = rows.map(({ kind }) => kind).filter((kind) => kind === 'PAYMENT_UNSURE');
  const sections = await readStuckSections({ db: database.people, clock }, 1_000);
  const section = sections.find(({ title }) => title.includes('before a restore'));
  const row = section?.rows.find(([paymentId]) => paymentId === id);
  return { kinds, ...(row && { heldBy: row[3] }) };
}

/** The hot address of BASE was thawed since the restore, put there by hand: all that it ever signed is known. */
function knowNetwork(): Promise<object[]> {
  const at = funded.harness.clock.now().toISOString();
  return funded.harness.rows(
    `BEGIN; SET LOCAL session_replication_role = replica;
     INSERT INTO chain_signer_accounts (environment, network, address, first_nonce, next_nonce, status, thawed_at,
       created_at, updated_at)
     VALUES ('test', 'BASE', '0x3${'0'.repeat(39)}', 0, 0, 'OPEN', '${at}', '${at}', '${at}')
     ON CONFLICT (environment, network, address) DO UPDATE SET thawed_at = '${at}';
     COMMIT`,
  );
}
