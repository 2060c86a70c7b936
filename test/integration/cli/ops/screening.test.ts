import { createSoftwareKeys } from '../../../../src/modules/approvals/signatures/software-keys.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { WorkflowClient } from '../../../../src/domain/workflows/workflow-client.ts';
import { runCommandLine } from '../../../../src/cli/ops/run-command-line.ts';
import { PlainError } from '../../../../src/server/runtime/plain-error.ts';
import { NEVER_SEEN, says } from '../../../support/payments/scripted-bank.ts';
import {
  startScreeningHarness,
  type PaidParty,
  type ScreeningHarness,
} from '../../../support/payments/screening-harness.ts';
import { createTwoOperators, type TwoOperators } from '../../../support/two-operators.ts';

let harness: ScreeningHarness;
let operators: TwoOperators;
let wakes: string[] = [];
beforeAll(async () => {
  harness = await startScreeningHarness();
  operators = createTwoOperators(harness.database.people, harness.clock, { wakePayment });
});
beforeEach(() => {
  harness.bank.onPut = says('SETTLED');
  harness.bank.onGet = () => NEVER_SEEN;
  harness.bank.calls.splice(0);
  wakes = [];
});
afterAll(() => harness.close());
// Hooks of the end run from the last to the first.
afterAll(() => harness.expectBooksToHold());

const wakePayment: WorkflowClient['wakePayment'] = async (_workflowId, { paymentId }) => {
  await Promise.resolve();
  wakes.push(paymentId);
};

async function ops(...args: string[]): Promise<{ code: number; printed: string }> {
  const printed: string[] = [];
  const code = await runCommandLine(args, {
    defaultOperator: undefined,
    readEnv: () => ({}),
    open: () =>
      Promise.resolve({
        ...{ db: harness.database.people, resealing: harness.database.resealing },
        ...{ clock: harness.clock, vault: harness.vault },
        ...{ corridors: harness.deps.corridors, nameChecks: {} },
        ...{ chains: { test: [], live: [] }, operatorKeys: createSoftwareKeys(harness.vault) },
        dashboardUrl: 'http://dashboard.localhost:8081',
        opsUrl: 'http://ops.localhost:8082',
        apiUrl: 'http://localhost:8080',
        kycApprovalDays: { test: 0, live: 0 },
        fx: { baseCurrency: 'USD', rateMaxAgeMs: 86_400_000 },
        workflows: { ...harness.deps.workflows, wakePayment },
        getClient: () => {
          throw new Error('no Temporal in this test');
        },
        print: (text) => void printed.push(text),
        showProgress: () => undefined,
        close: () => Promise.resolve(),
      }),
    output: { out: (text) => void printed.push(text), error: (text) => void printed.push(text) },
  }).catch((error: unknown) => {
    if (!(error instanceof PlainError)) throw error;
    printed.push(error.message);
    return 1;
  });
  return { code, printed: printed.join('\n') };
}

const as = (operator: string) => ['--reason', 'looked into it', '--operator', operator];
const caseOf = async ({ endUserId }: PaidParty): Promise<string> => {
  const open = (await harness.cases()).filter(
    ({ party, outcome }) => party === endUserId && outcome === null,
  );
  expect(open).toHaveLength(1);
  return open[0]?.id ?? '';
};
const proposalIn = (printed: string): string => /apr_[0-9a-z]+/.exec(printed)?.[0] ?? '';

let names = 0;
/** A party of a name that the list has, and a payment of it that is held. */
async function addHit() {
  names += 1;
  const letter = (at: number) => String.fromCharCode(97 + ((names * at) % 26));
  const lastName = `Q${letter(1)}${letter(3)}${letter(5)}${letter(7)}listed`;
  const entry = { id: `hit-${lastName}`, names: [`Jo ${lastName}`] };
  await harness.putList(entry);
  const party = await harness.addParty({ firstName: 'Jo', lastName });
  const paymentId = await harness.accept(party);
  await harness.settle(paymentId);
  expect((await harness.tell(paymentId)).payment.statusDetail).toBe('COMPLIANCE_REVIEW');
  return { party, paymentId, entry, lastName };
}

async function release(party: PaidParty): Promise<{ code: number; printed: string }> {
  const { printed } = await ops(
    'screening',
    'release',
    '--case',
    await caseOf(party),
    ...as('ada'),
  );
  return operators.approve(proposalIn(printed));
}

describe('one operator refuses', () => {
  it('what waits fails and later payments do, with the funds back and nothing more told', async () => {
    const { party, paymentId } = await addHit();
    const before = await harness.balance();
    const refused = await ops('screening', 'refuse', '--case', await caseOf(party), ...as('ada'));
    expect(refused.code).toBe(0);
    expect(wakes).toEqual([paymentId]);
    expect(await harness.settle(paymentId)).toEqual({ kind: 'DONE', status: 'FAILED' });
    const later = await harness.accept(party);
    expect(await harness.settle(later)).toEqual({ kind: 'DONE', status: 'FAILED' });
    const [one, other] = [await harness.tell(paymentId), await harness.tell(later)];
    expect(one.payment.failure).toEqual(other.payment.failure);
    expect(other.payment).toMatchObject({
      ...{ statusDetail: 'COMPLIANCE_DECLINED', fundsStatus: 'BACK_IN_BALANCE' },
      failure: { code: 'compliance_declined', category: 'COMPLIANCE' },
    });
    expect(BigInt((await harness.balance()).available)).toBe(BigInt(before.available) + 1_000n);
    expect(harness.bank.calls).toEqual([]);
  });

  it('for good: neither another list nor another name clears the party', async () => {
    const { party } = await addHit();
    await ops('screening', 'refuse', '--case', await caseOf(party), ...as('ada'));
    await harness.putList();
    await harness.screener.screenParties(harness.scope, [
      { kind: 'END_USER', id: party.endUserId },
    ]);
    await harness.rows(`UPDATE end_users SET personal = personal || '\\x00' WHERE id = $1`, [
      party.endUserId,
    ]);
    expect((await harness.screeningOf(party.endUserId)).status).toBe('REFUSED');
    const id = await harness.accept(party);
    expect(await harness.settle(id)).toEqual({ kind: 'DONE', status: 'FAILED' });
  });

  it('a payment whose bytes may have left is asked about, and its funds stay', async () => {
    const party = await harness.addParty({ firstName: 'Jo', lastName: 'Qsentalready' });
    const paymentId = await harness.accept(party);
    harness.bank.onPut = () => 'RESET';
    await harness.settle(paymentId);
    await harness.putList({ id: 'hit-sent', names: ['Jo Qsentalready'] });
    await harness.rescreen();
    await ops('screening', 'refuse', '--case', await caseOf(party), ...as('ada'));
    const told = await harness.drive(paymentId, ({ payment }) => payment.status === 'ON_HOLD');
    expect(told.payment).toMatchObject({ status: 'ON_HOLD', statusDetail: 'STALLED' });
    expect(told.payment.fundsStatus).not.toBe('BACK_IN_BALANCE');
    expect(harness.bank.puts()).toHaveLength(1);
    harness.bank.onGet = says('SETTLED');
    harness.clock.advance(60_000);
    expect(await harness.settle(paymentId)).toEqual({ kind: 'DONE', status: 'COMPLETED' });
  });
});

describe('two operators release', () => {
  it('and the payment goes on; the same operator twice changes nothing', async () => {
    const { party, paymentId } = await addHit();
    const { printed } = await ops(
      ...['screening', 'release', '--case', await caseOf(party), ...as('ada')],
    );
    const proposal = proposalIn(printed);
    expect((await operators.approve(proposal, 'ada')).code).toBe(1);
    expect(await harness.settle(paymentId)).toMatchObject({ kind: 'WAIT' });
    const approved = await operators.approve(proposal);
    expect(approved).toMatchObject({ code: 0 });
    expect(wakes).toEqual([paymentId]);
    expect(await harness.settle(paymentId)).toEqual({ kind: 'DONE', status: 'COMPLETED' });
  });

  it('for the same names and entries, whichever version of the list they are in', async () => {
    const { party, entry } = await addHit();
    expect((await release(party)).code).toBe(0);
    await harness.putList(entry, { id: 'another-person', names: ['Another Qperson'] });
    const id = await harness.accept(party);
    expect(await harness.settle(id)).toEqual({ kind: 'DONE', status: 'COMPLETED' });
    expect((await harness.screeningOf(party.endUserId)).status).toBe('RELEASED');
  });

  it('not for a new entry of the same name', async () => {
    const { party, entry, lastName } = await addHit();
    await release(party);
    await harness.putList(entry, { id: 'a-second-one', names: [`Jo ${lastName}`] });
    const id = await harness.accept(party);
    expect(await harness.settle(id)).toMatchObject({ kind: 'WAIT', needsHuman: true });
    expect((await harness.tell(id)).payment.statusDetail).toBe('COMPLIANCE_REVIEW');
  });

  it('not what has changed since the proposal: other entries make it void', async () => {
    const { party, entry, lastName } = await addHit();
    const { printed } = await ops(
      ...['screening', 'release', '--case', await caseOf(party), ...as('ada')],
    );
    await harness.putList(entry, { id: 'one-more', names: [`Jo ${lastName}`] });
    await harness.rescreen();
    const approved = await operators.approve(proposalIn(printed));
    expect(approved.code).toBe(1);
    expect((await harness.screeningOf(party.endUserId)).status).toBe('HIT');
  });

  it('not names that have changed since, looked up again or not', async () => {
    const { party, paymentId } = await addHit();
    const { printed } = await ops(
      ...['screening', 'release', '--case', await caseOf(party), ...as('ada')],
    );
    await rename(party, 'Qrenamed Innocent');
    expect((await operators.approve(proposalIn(printed))).code).toBe(1);
    // Another name does not let the payment go either: only operators end a hit.
    expect(await harness.settle(paymentId)).toMatchObject({ kind: 'WAIT', needsHuman: true });
    const cases = (await harness.cases()).filter((one) => one.party === party.endUserId);
    expect(cases.map(({ outcome }) => outcome)).toEqual(['SUPERSEDED', null]);
    expect((await operators.approve(proposalIn(printed), 'cleo')).code).toBe(1);
  });
});

/** What a PATCH writes: other names, sealed. */
async function rename({ endUserId }: PaidParty, lastName: string): Promise<void> {
  const personal = { individual: { firstName: 'Jo', lastName }, metadata: {} };
  await harness.database.db.write(harness.scope, (tx) =>
    tx.query('UPDATE end_users SET personal = $1 WHERE id = $2', [
      harness.vault.sealJson(personal, `end_users/${endUserId}`),
      endUserId,
    ]),
  );
  expect((await harness.screeningOf(endUserId)).status).toBe('UNSCREENED');
}

describe('what operators see', () => {
  it('a list without names; one case with them, and who looked is in the audit log', async () => {
    const { party, lastName } = await addHit();
    const id = await caseOf(party);
    const listed = await ops('screening', 'list', '--environment', 'test');
    expect(listed.printed).toContain(id);
    expect(listed.printed).not.toContain(lastName);
    const shown = await ops('screening', 'show', '--case', id, ...as('ada'));
    expect(shown.printed).toContain(`Jo ${lastName}`);
    expect(shown.printed).toContain(`hit-${lastName}`);
    const audit = await harness.rows<{ actor: string; action: string }>(
      'SELECT actor, action FROM audit_log WHERE subject = $1 ORDER BY id',
      [`screening_cases/${id}`],
    );
    expect(audit).toEqual([
      { actor: 'system:screening', action: 'screening.case_opened' },
      { actor: 'operator:ada', action: 'screening.show' },
    ]);
  });

  it('a sentence where the case is unknown or was decided before', async () => {
    const { party } = await addHit();
    const id = await caseOf(party);
    await release(party);
    for (const verb of ['refuse', 'release']) {
      expect(await ops('screening', verb, '--case', id, ...as('ada'))).toMatchObject({ code: 1 });
      const unknown = await ops('screening', verb, '--case', 'scr_unknown', ...as('ada'));
      expect(unknown.printed).toContain('There is no screening case');
    }
  });
});
