import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReconciliationActivities } from '../../../activities/reconciliation/reconciliation.ts';
import { createHttpBank, type HttpBank } from '../../../src/adapters/http-bank/http-bank.ts';
import { createSandboxDepositor } from '../../../src/adapters/http-bank/sandbox-deposits.ts';
import { insertSandboxDeposit } from '../../../src/db/onchain/sandbox-deposit-store.ts';
import { newId } from '../../../src/db/client/new-id.ts';
import { createCorridorTable } from '../../../src/domain/payments/corridors/corridor-table.ts';
import { startBankHarness, type BankHarness } from '../../support/sandbox/bank-harness.ts';
import {
  createFundingHarness,
  type FundingHarness,
} from '../../support/reconciliation/funding-harness.ts';

let harness: FundingHarness;
let bank: BankHarness;
let connector: HttpBank;
/** Whether the bank's answers to deposits get lost on their way. */
let areAnswersLost = false;
let activities: ReturnType<typeof createReconciliationActivities>;
beforeAll(async () => {
  harness = await createFundingHarness();
  bank = await startBankHarness();
  connector = createHttpBank({ baseUrl: bank.bank().url, name: 'http-bank' });
  activities = createReconciliationActivities({
    ...{ db: harness.db, clock: { now: () => new Date() }, corridors: createCorridorTable() },
    connectors: {
      statementSources: () => [connector],
      depositor: () => ({
        async deposit(...order) {
          const answer = await createSandboxDepositor(bank.bank().url).deposit(...order);
          return areAnswersLost ? 'SILENCE' : answer;
        },
      }),
    },
    ...{ heartbeat: () => undefined, wakePayment: async () => undefined },
    alarm: (alarm) => harness.alarms.push(alarm),
    missingAfterMs: { test: 60_000, live: 60_000 },
  });
});
afterAll(async () => {
  await connector.close();
  await bank.close();
  await harness.close();
});

async function ask(amount: bigint, reference: string): Promise<string> {
  const id = newId('sdp');
  const { scope } = harness.customer;
  const at = new Date();
  await harness.db.write(scope, (tx) =>
    insertSandboxDeposit(tx, scope, { id, currency: 'EUR', amount, reference, at }),
  );
  return id;
}

/** What the schedules do in turn: deposits are handed on, statements cut, listed, read, reconciled. */
async function turn(): Promise<void> {
  await activities.listStatements('test');
  await bank.bank().cutStatements();
  for (const ref of await activities.listStatements('test')) {
    await activities.readStatement(ref);
    await activities.reconcileStatement(ref);
  }
}

const outcomeOf = async (id: string) => {
  const [row] = await harness.rows<{ outcome: string | null }>(
    'SELECT outcome FROM sandbox_deposits WHERE id = $1',
    [id],
  );
  return row?.outcome;
};

describe('a deposit at the sandbox bank', () => {
  it('arrives by a real statement, is credited once, and taken back by another one', async () => {
    const before = await harness.standing();
    const id = await ask(1_234n, await harness.reference());
    await turn();
    await turn();
    expect(await outcomeOf(id)).toBe('TAKEN');
    expect((await harness.standing()).available - before.available).toBe(1_234n);
    const url = `${bank.bank().url}/deposits/${id}`;
    const reversals = await Promise.all([0, 1].map(() => fetch(url, { method: 'DELETE' })));
    expect(reversals.map(({ status }) => status)).toEqual([200, 200]);
    await turn();
    expect(await harness.standing()).toEqual(before);
    await harness.expectBooksToHold();
  });

  it("under a reference that is no customer's stays unmatched", async () => {
    const before = await harness.standing();
    await ask(500n, 'RENT FOR MAY');
    await turn();
    expect(await harness.standing()).toEqual(before);
    expect((await harness.unmatched()).at(-1)).toMatchObject({
      ...{ unmatchedReason: 'NO_REFERENCE', minor: 500n },
    });
  });

  it('that a lost answer leaves open is booked once all the same, over a restart of the bank', async () => {
    const before = await harness.standing();
    const id = await ask(700n, await harness.reference());
    areAnswersLost = true;
    await turn();
    expect(await outcomeOf(id)).toBeNull();
    areAnswersLost = false;
    await bank.restart();
    connector = createHttpBank({ baseUrl: bank.bank().url, name: 'http-bank' });
    await turn();
    expect(await outcomeOf(id)).toBe('TAKEN');
    expect((await harness.standing()).available - before.available).toBe(700n);
  });

  it('of a bank that is no sandbox is refused and not asked for again', async () => {
    const depositor = createSandboxDepositor(`${bank.bank().url}/statements`);
    const answer = await depositor.deposit(
      { id: 'sdp_x', amount: '1.00', currency: 'EUR', remittance: '' },
      { timeoutMs: 2_000 },
    );
    expect(answer).toBe('REFUSED');
  });

  it('is answered alike again, and not with another amount', async () => {
    const put = (amount: string) =>
      fetch(`${bank.bank().url}/deposits/own-1`, {
        method: 'PUT',
        body: JSON.stringify({ currency: 'EUR', amount, remittance: 'x' }),
      });
    expect((await put('1.00')).status).toBe(201);
    expect((await put('1.00')).status).toBe(200);
    expect((await put('2.00')).status).toBe(409);
    expect((await put('1.001')).status).toBe(422);
    const gone = await fetch(`${bank.bank().url}/deposits/none`, { method: 'DELETE' });
    expect(gone.status).toBe(404);
  });
});
