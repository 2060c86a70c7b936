import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MailRelay } from '../../../src/domain/customers/mail/mail-relay.ts';
import {
  ADA,
  createMailHarness,
  createScriptedRelay,
  type MailHarness,
} from '../../support/customers/mail-harness.ts';

let mails: MailHarness;
beforeAll(async () => {
  mails = await createMailHarness();
});
afterAll(() => mails.close());

const LATER = { kind: 'LATER', code: 'SMTP_451' } as const;

describe('a mail', () => {
  it('is sent once, and its contents are gone then', async () => {
    const id = await mails.write();
    const { relay, handed } = createScriptedRelay();
    expect(await mails.send(relay, id)).toEqual({ kind: 'DONE' });
    expect(await mails.send(relay, id)).toEqual({ kind: 'DONE' });
    expect(handed.map((mail) => [mail.id, mail.to])).toEqual([[id, ADA]]);
    expect(await mails.stateOf(id)).toEqual({
      ...{ status: 'SENT', tries: 1, failure: null, isForgotten: true },
    });
  });

  it('that a relay refuses for good is FAILED, by a code that does not name the receiver', async () => {
    const id = await mails.write();
    const { relay } = createScriptedRelay({ kind: 'REFUSED', code: 'SMTP_550' });
    expect(await mails.send(relay, id)).toEqual({ kind: 'DONE' });
    expect(await mails.stateOf(id)).toEqual({
      ...{ status: 'FAILED', tries: 1, failure: 'SMTP_550', isForgotten: true },
    });
  });

  it('is tried again after 2 s, doubling to 10 min, and not sooner, until a day is over', async () => {
    const id = await mails.write();
    const { relay, handed } = createScriptedRelay(...Array.from({ length: 200 }, () => LATER));
    const waits: number[] = [];
    for (let step = await mails.send(relay, id); step.kind === 'WAIT';) {
      waits.push(step.waitMs);
      mails.clock.advance(step.waitMs - 1);
      const early = handed.length;
      await mails.send(relay, id);
      expect(handed).toHaveLength(early);
      mails.clock.advance(1);
      step = await mails.send(relay, id);
    }
    expect(waits.slice(0, 11)).toEqual([
      ...[2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 128_000, 256_000, 512_000],
      ...[600_000, 600_000],
    ]);
    expect(waits.reduce((sum, wait) => sum + wait, 0)).toBe(86_400_000);
    expect(await mails.stateOf(id)).toMatchObject({ status: 'EXPIRED', failure: 'SMTP_451' });
    expect(await mails.stateOf(id)).toMatchObject({ isForgotten: true });
  });

  it('with a code is not sent once the code has expired, nor handed over for longer than it holds', async () => {
    const late = await mails.write('code');
    const soon = await mails.write('code');
    mails.clock.advance(295_000);
    const { relay, handed, timeouts } = createScriptedRelay();
    await mails.send(relay, soon);
    expect(timeouts).toEqual([5_000]);
    mails.clock.advance(5_000);
    expect(await mails.send(relay, late)).toEqual({ kind: 'DONE' });
    expect(handed.map(({ id }) => id)).toEqual([soon]);
    expect(await mails.stateOf(late)).toMatchObject({ status: 'EXPIRED', tries: 0 });
  });

  it('is sent by one of many who try it at once', async () => {
    const id = await mails.write();
    const { relay, handed } = createScriptedRelay();
    const steps = await Promise.all(Array.from({ length: 12 }, () => mails.send(relay, id)));
    expect(handed).toHaveLength(1);
    expect(steps.filter(({ kind }) => kind === 'DONE').length).toBeGreaterThan(0);
  });

  it('whose sender died at work is sent by another, under one id, once the lease is over', async () => {
    const id = await mails.write();
    const dying: MailRelay = { send: () => Promise.reject(new Error('killed')) };
    await expect(mails.send(dying, id)).rejects.toThrow('killed');
    const { relay, handed } = createScriptedRelay();
    expect(await mails.send(relay, id)).toEqual({ kind: 'WAIT', waitMs: 60_000 });
    mails.clock.advance(60_000);
    expect(await mails.send(relay, id)).toEqual({ kind: 'DONE' });
    expect(handed.map((mail) => mail.id)).toEqual([id]);
  });

  it('is not brought back by a sender whose lease is over', async () => {
    const id = await mails.write();
    const { relay } = createScriptedRelay();
    const slow: MailRelay = {
      async send() {
        mails.clock.advance(60_000);
        await mails.send(relay, id);
        return LATER;
      },
    };
    await mails.send(slow, id);
    expect(await mails.stateOf(id)).toMatchObject({ status: 'SENT', failure: null });
  });
});

describe('the table of mails', () => {
  it('holds neither address nor contents in plain', async () => {
    const id = await mails.write('code');
    const [row] = await mails.sql(
      `SELECT row_to_json(m)::text || encode(address, 'escape') || encode(contents, 'escape') AS all
       FROM mails m WHERE id = $1`,
      [id],
    );
    const all = String(row?.['all']);
    expect(all).toContain(id);
    for (const plain of ['ada@', 'partner.example', '40417263', '4041 7263', 'logging in']) {
      expect(all).not.toContain(plain);
    }
  });

  it.each([
    ['sent to another address', `UPDATE mails SET address = 'x' WHERE id = $1`, 'does not change'],
    ['kept alive', `UPDATE mails SET expires_at = expires_at + '1 h' WHERE id = $1`, 'not change'],
    ['given other words', `UPDATE mails SET contents = 'x' WHERE id = $1`, 'does not change'],
    ['tried less often', `UPDATE mails SET tries = tries - 1 WHERE id = $1`, 'does not change'],
  ])('a mail can be %s by no database role', async (_what, statement, words) => {
    const id = await mails.write();
    await expect(mails.sql(statement, [id])).rejects.toThrow(words);
  });

  it('a mail that is over stays over', async () => {
    const id = await mails.write();
    await mails.send(createScriptedRelay().relay, id);
    const again = `UPDATE mails SET status = 'WAITING', contents = 'x', ended_at = NULL WHERE id = $1`;
    await expect(mails.sql(again, [id])).rejects.toThrow('it is over');
  });

  it('who works for one customer writes no mail to users of another, and reads none', async () => {
    const { db } = mails.database;
    const scope = { customerId: 'cus_a', environment: 'test' } as const;
    const foreign = db.write(scope, (tx) =>
      tx.query(
        `INSERT INTO mails (id, customer_id, kind, address_hash, address, contents, created_at, due_at,
           expires_at)
         VALUES ($1, 'cus_b', 'KEY_CREATED', $2, 'x', 'x', now(), now(), now() + interval '1 h')`,
        ['mai_01k0000000000000000000000a', Buffer.alloc(32)],
      ),
    );
    await expect(foreign).rejects.toThrow('row-level security');
    const look = db.read(scope, (tx) => tx.query('SELECT id FROM mails'));
    await expect(look).rejects.toThrow('permission denied');
  });
});
