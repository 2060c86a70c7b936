import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Config } from '../../../src/server/config/config.ts';
import type { NameChecks } from '../../../src/modules/parties/bank-accounts/check-holder-name.ts';
import type { NameQuestion } from '../../../src/domain/parties/bank-accounts/name-check.ts';
import { openNameChecks } from '../../../src/server/runtime/open-name-checks.ts';
import { createSandboxNameCheck } from '../../../src/sandbox/name-check/sandbox-name-check.ts';
import { startHangingServer } from '../../support/hanging-server.ts';
import { createPaymentHarness, type PaymentHarness } from '../../support/payment-harness.ts';

// The sandbox's own server, asked as the API asks it: over HTTP, with every bound in place.
const sandbox = createSandboxNameCheck({ magic: true, log: pino({ level: 'silent' }) });
const asked: NameQuestion[] = [];
const log: string[] = [];
let harness: PaymentHarness;
let checks: NameChecks;

const stream = new Writable({
  write(chunk, _, done) {
    log.push(String(chunk));
    done();
  },
});
const openAt = (url: string, nameCheckTimeoutMs: number): NameChecks =>
  openNameChecks(
    { providers: { nameCheck: { test: { url } }, nameCheckTimeoutMs } } as Config,
    pino(stream),
  );

beforeAll(async () => {
  checks = openAt(await sandbox.listen(0), 5_000);
  harness = await createPaymentHarness({
    nameChecks: {
      test: async (question) => {
        asked.push(question);
        return (await checks.test?.(question)) ?? 'NOT_SUPPORTED';
      },
    },
  });
});
afterAll(async () => {
  await harness.close();
  await sandbox.close();
});

let serial = 0;
/** A UK account that no one has had yet. */
const fps = (holderName: string, more: object = {}) => {
  const accountNumber = String(10_000_000 + serial++);
  return {
    ...{ endUserId: harness.payer.endUserId, country: 'GB', currency: 'GBP', holderName },
    ...{ holderType: 'INDIVIDUAL', details: { sortCode: '12-34-56', accountNumber }, ...more },
  };
};
const post = (body: object, key?: string) =>
  harness.ask({ method: 'POST', url: '/bank-accounts', body, ...(key && { key }) });

describe('the name of the holder', () => {
  it.each([
    ['Ada Sample', 'MATCH'],
    ['Ada Closematch', 'CLOSE_MATCH'],
    ['Ada Nomatch', 'NO_MATCH'],
    ['Ada Unavailable', 'UNAVAILABLE'],
    ['Nomatch Sample', 'MATCH'],
  ])('%s: %s, in the answer and in the event', async (holderName, nameCheck) => {
    const answer = await post(fps(holderName));
    expect([answer.statusCode, answer.json().nameCheck]).toEqual([201, nameCheck]);
    const [event] = await harness.rows<{ body: string }>(
      'SELECT body FROM events WHERE resource_id = $1',
      [answer.json().id],
    );
    expect(JSON.parse(event?.body ?? '')).toMatchObject({ data: { nameCheck } });
  });

  it('is asked about with the canonical account', async () => {
    const body = fps('Ada Asked');
    await post(body);
    const { accountNumber } = body.details as { accountNumber: string };
    expect(asked.at(-1)).toEqual({
      ...{ country: 'GB', currency: 'GBP', rail: 'FPS', holderType: 'INDIVIDUAL' },
      ...{ holderName: 'Ada Asked', details: { sortCode: '123456', accountNumber } },
    });
  });

  it('is not asked about where the rail has no scheme for it', async () => {
    const before = asked.length;
    const details = { routingNumber: '021000021', accountNumber: '123', accountType: 'CHECKING' };
    const answer = await post(
      fps('Ada Nomatch', {
        ...{ country: 'US', currency: 'USD' },
        details: { ...details, accountNumber: '123456' },
      }),
    );
    expect([answer.statusCode, answer.json().nameCheck]).toEqual([201, 'NOT_SUPPORTED']);
    expect(asked.length).toBe(before);
  });

  it('of an order that is refused, or of an account that is known, is told to no bank', async () => {
    const known = fps('Ada Known');
    const first = await post(known, 'known-once');
    const before = asked.length;
    expect((await post({ ...known, holderName: 'Ada Nomatch' })).json()).toEqual(first.json());
    expect((await post(known, 'known-once')).headers['idempotent-replayed']).toBe('true');
    expect((await post(fps('Ada Nomatch', { details: {} }))).statusCode).toBe(400);
    const foreign = { endUserId: 'eu_01k6b7q0e8f1htx9n3r5p7v2ab' };
    expect((await post(fps('Ada Nomatch', foreign))).statusCode).toBe(422);
    expect(asked.length).toBe(before);
  });

  it('is UNAVAILABLE where the bank hangs: the account is there within the time allowed', async () => {
    const hanging = await startHangingServer();
    checks = openAt(hanging.url, 100);
    const answer = await post(fps('Planted Holder'));
    expect([answer.statusCode, answer.json().nameCheck]).toEqual([201, 'UNAVAILABLE']);
    expect(hanging.opened()).toBeGreaterThan(0);
    await hanging.close();
    checks = openAt(sandbox.url, 5_000);
    expect(log.join('')).toContain('NAME_CHECK_UNREACHABLE');
    expect(log.join('')).not.toMatch(/Planted|1000000|123456/);
  });

  it('holds no connection of the database while the bank thinks', async () => {
    let answerAll = (): void => undefined;
    const released = new Promise<void>((resolve) => (answerAll = resolve));
    checks = { test: async () => (await released, 'MATCH' as const) };
    const before = asked.length;
    const waiting = Array.from({ length: 60 }, () => post(fps('Ada Patient')));
    await expect.poll(() => asked.length - before).toBe(60);
    expect((await harness.ask({ url: '/bank-accounts' })).statusCode).toBe(200);
    answerAll();
    const answers = await Promise.all(waiting);
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([201]));
    checks = openAt(sandbox.url, 5_000);
  });

  it('decides about payments: NO_MATCH is refused, with nothing reserved; others pass', async () => {
    const sepa = async (holderName: string, iban: string) => {
      const body = fps(holderName, { country: 'DE', currency: 'EUR', details: { iban } });
      return (await post(body)).json<{ id: string; nameCheck: string }>();
    };
    const wrong = await sepa('Ada Nomatch', 'DE02120300000000202051');
    const close = await sepa('Ada Closematch', 'DE02500105170137075030');
    const unavailable = await sepa('Ada Unavailable', 'DE02100500000054540402');
    const before = await harness.balance();
    const refused = await harness.pay(harness.order({ bankAccountId: wrong.id }));
    expect(refused.statusCode).toBe(422);
    expect(refused.json()).toMatchObject({
      error: 'payee_name_mismatch',
      details: [{ path: '/bankAccountId', code: 'payee_name_mismatch' }],
    });
    expect(await harness.balance()).toEqual(before);
    for (const { id } of [close, unavailable]) {
      expect((await harness.pay(harness.order({ bankAccountId: id }))).statusCode).toBe(201);
    }
  });
});

describe('the sandbox of live', () => {
  it('has no magic names', async () => {
    const live = createSandboxNameCheck({ magic: false, log: pino({ level: 'silent' }) });
    const ask = openAt(await live.listen(0), 5_000).test;
    const question = asked[0];
    if (ask === undefined || question === undefined) throw new Error('nothing was asked');
    expect(await ask({ ...question, holderName: 'Ada Nomatch' })).toBe('MATCH');
    await live.close();
  });
});
