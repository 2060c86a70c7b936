import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/db/client/new-id.ts';
import { createOpsCommands } from '../../support/cli/ops/ops-commands.ts';
import {
  createDecidingHarness,
  type DecidingHarness,
} from '../../support/reconciliation/deciding-harness.ts';
import type { EntryDraft } from '../../support/reconciliation/statement-xml.ts';

let harness: DecidingHarness;
let ops: ReturnType<typeof createOpsCommands>;
let amounts = 7_000;
beforeAll(async () => {
  harness = await createDecidingHarness();
  ops = createOpsCommands(harness.commands, harness.clock);
});
afterAll(() => harness.close());

/** An amount that no other test has. */
function newAmount(): string {
  amounts += 1;
  return `${String(Math.floor(amounts / 100))}.${String(amounts % 100).padStart(2, '0')}`;
}

/** A report with one line; answers the line's id. */
async function shows(entry: EntryDraft, report: 'DAY' | 'INTRADAY' = 'DAY'): Promise<string> {
  return `${(await harness.reconcile({ report, entries: [entry] })).statementId}/1`;
}

async function propose(...args: string[]) {
  const { printed } = await ops('exceptions', ...args, '--reason', 'asked', '--operator', 'ada');
  return { printed, id: /apr_[0-9a-z]+/.exec(printed)?.[0] ?? '' };
}

const writeOff = (line: string) =>
  propose('apply', line, '--act', 'WRITE_OFF', '--account', 'BANK_CHARGES');

const recover = (line: string) =>
  propose('apply', line, '--act', 'RECOVER', '--customer', harness.customer.scope.customerId);

/** Two operators do it; answers the act. */
async function done({ id, printed }: { id: string; printed: string }): Promise<string> {
  expect(id, printed).not.toBe('');
  const approved = await harness.approve(id);
  expect(approved, approved.printed).toMatchObject({ code: 0 });
  return /exa_[0-9a-z]+/.exec(approved.printed)?.[0] ?? '';
}

async function nostro(): Promise<bigint> {
  const [row] = await harness.rows<{ sum: bigint }>(
    `SELECT coalesce(sum(amount), 0)::bigint AS sum FROM ledger_entries WHERE account LIKE 'nostro:%'`,
  );
  return row?.sum ?? 0n;
}

const closing = async (credit: string, line: string): Promise<string> => {
  const [shown] = await harness.rows<{ id: string }>(
    'SELECT bank_statement_id AS id FROM statements WHERE id = $1',
    [line.slice(0, line.indexOf('/'))],
  );
  const debit = { statementId: 0n, bankStatementId: shown?.id ?? '', line: 1 };
  return harness.proposeClosing(credit, debit);
};

describe('one booking on two reports', () => {
  it('is booked once by acts: the second one is refused with the line that ended it, until that is reversed', async () => {
    const entry = { amount: newAmount(), bankReference: newId('back') };
    const [intraday, day] = [await shows(entry, 'INTRADAY'), await shows(entry)];
    const before = await nostro();
    const waiting = await recover(day);
    const act = await done(await writeOff(intraday));
    const booked = (await nostro()) - before;
    expect(booked).toBe(BigInt(entry.amount.replace('.', '')));

    const refused = await harness.approve(waiting.id);
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.printed).toMatch(new RegExp(`Line 1 of statement \\S+ shows .*act ${act}`));
    expect((await writeOff(day)).printed).toContain(act);
    expect((await nostro()) - before).toBe(booked);
    await done(await propose('apply', day, '--act', 'ACKNOWLEDGE'));

    await done(await propose('reverse', act));
    const again = await shows(entry);
    await done(await writeOff(again));
    expect((await nostro()) - before).toBe(booked);
  });

  it('is two bookings under two references, two days apart, or twice on one report', async () => {
    const amount = newAmount();
    const bankReference = newId('back');
    const entries = [
      { amount, bankReference },
      { amount, bankReference },
    ];
    const { statementId } = await harness.reconcile({ entries });
    await done(await writeOff(`${statementId}/1`));
    await done(await writeOff(`${statementId}/2`));
    await done(await writeOff(await shows({ amount, bankReference: newId('back') })));
    const later = { amount, bankReference, bookedAt: '2026-10-05T12:00:00Z' };
    await done(await writeOff(await shows(later)));
  });

  it('is booked once by two acts at one moment', async () => {
    const entry = { amount: newAmount(), bankReference: newId('back') };
    const [one, other] = [await shows(entry, 'INTRADAY'), await shows(entry)];
    const before = await nostro();
    const [first, second] = [await writeOff(one), await writeOff(other)];
    const codes = await harness.whileHeld(
      'LOCK TABLE ledger_transactions IN SHARE MODE',
      async (release) => {
        const acting = [harness.approve(first.id), harness.approve(second.id)];
        await harness.somebodyWaits('both acts', ['relation', 'advisory'], { count: 2 });
        await release();
        return (await Promise.all(acting)).map(({ code }) => code);
      },
    );
    expect(codes.toSorted()).toEqual([0, 1]);
    expect((await nostro()) - before).toBe(BigInt(entry.amount.replace('.', '')));
  });

  it('closes no credit by one line once an act has ended the other, and the other way round', async () => {
    const amount = newAmount();
    const [one = '', two = ''] = await harness.arriveUnmatched(
      harness.deposit({ amount, remittance: 'Rent' }),
      2,
    );
    const entry = { amount, bankReference: newId('back') };
    const [intraday, day] = [await shows(entry, 'INTRADAY'), await shows(entry)];
    const act = await done(await recover(intraday));
    const refused = await harness.approve(await closing(one, day));
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.printed).toContain(act);
    await done(await propose('reverse', act));
    expect(await harness.approve(await closing(two, day))).toMatchObject({ code: 0 });
    expect((await recover(intraday)).printed).toContain(two);
  });

  it('is no credit to assign once an act has ended the line that names a payment', async () => {
    const { reference } = await harness.pay('COMPLETED');
    const back = (bankReference: string): EntryDraft => ({
      ...{ reference, bankReference, amount: '10.00', direction: 'CRDT', returnReason: 'AC04' },
    });
    await shows({ reference, amount: '10.00', bankReference: newId('back') });
    await shows(back(newId('back')));
    const bankReference = newId('back');
    const second = await shows(back(bankReference), 'INTRADAY');
    const act = await done(
      await propose('apply', second, '--act', 'WRITE_OFF', '--account', 'GOODWILL'),
    );
    const unmarked = { amount: '10.00', bankReference, remittance: 'Rent' };
    const [credit = ''] = await harness.arriveUnmatched({ ...unmarked, direction: 'CRDT' });
    const assigned = await harness.proposeAssignment(credit);
    const refused = await harness.approve(assigned);
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.printed).toContain(act);
    await done(await propose('reverse', act));
    const goodwill = ['--act', 'WRITE_OFF', '--account', 'GOODWILL'];
    expect((await propose('apply', second, ...goodwill)).printed).toContain(credit);
    const again = await harness.approve(await harness.proposeAssignment(credit));
    expect(again, again.printed).toMatchObject({ code: 0 });
  });

  it('is shown to the operators where no reference proves it', async () => {
    const amount = newAmount();
    const intraday = await shows({ amount, bankReference: null }, 'INTRADAY');
    const day = await shows({ amount, bankReference: newId('back') });
    const other = await shows({ amount: newAmount(), bankReference: newId('back') });
    await done(await recover(intraday));
    const [{ id: likely }, { id: alone }] = [await writeOff(day), await writeOff(other)];
    const [content] = await harness.rows<{ likely: string[]; alone: unknown }>(
      `SELECT (SELECT content -> 'twins' FROM approvals WHERE id = $1) AS likely,
         (SELECT content -> 'twins' FROM approvals WHERE id = $2) AS alone`,
      [likely, alone],
    );
    expect(content?.likely).toEqual([
      expect.stringMatching(/line 1: UNEXPECTED_AT_BANK, ended by exa_/),
    ]);
    expect(content?.alone ?? null).toBeNull();
  });
});
