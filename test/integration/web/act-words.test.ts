import type { Client } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { proposeApproval } from '../../../src/modules/approvals/propose-approval.ts';
import type { ApprovalAction } from '../../../src/domain/approvals/approval.ts';
import { APPROVAL_RIGHTS } from '../../../src/domain/approvals/approval-rights.ts';
import { rolesWith } from '../../../src/domain/customers/access/rights.ts';
import type { OperatorRole } from '../../../src/domain/customers/access/operator-rights.ts';
import { approveEndUser } from '../../support/approve-end-user.ts';
import { seedPayingCustomer } from '../../support/seed-payments.ts';
import { addTestOperator } from '../../support/test-people.ts';
import { startSite, type Site } from '../../support/web/site.ts';

/** As much of a client as a retry asks whether Temporal answers; nothing is sent to it here. */
const ANSWERING = {
  connection: {
    withDeadline: (_deadline: number, ask: () => Promise<unknown>) => ask(),
    workflowService: { getSystemInfo: () => Promise.resolve({}) },
  },
} as unknown as Client;

let site: Site;
let customer: Awaited<ReturnType<typeof seedPayingCustomer>>;
const sessions = new Map<OperatorRole, { readonly cookie: string; readonly left: number }>();

beforeAll(async () => {
  site = await startSite('console', { temporal: ANSWERING });
  customer = await seedPayingCustomer(site.database.db);
});
afterAll(() => site.close());

/** Codes that a session has in an hour. */
const CODES = 20;

async function cookieOf(role: OperatorRole): Promise<string> {
  const known = sessions.get(role);
  const session =
    known !== undefined && known.left > 0
      ? known
      : { cookie: await site.logIn((await addTestOperator(site.people, role)).id), left: CODES };
  sessions.set(role, { ...session, left: session.left - 1 });
  return session.cookie;
}

const rows = <Row extends object>(sql: string, ...values: unknown[]) =>
  site.people.people.system((tx) => tx.query<Row>(sql, values));

/** The mail and the second step that a form is answered with. */
async function secondStepOf(path: string, fields: Record<string, string>, role: OperatorRole) {
  const given = { reason: 'as agreed', ...fields };
  const { status, body } = await site.submit(path, path, given, await cookieOf(role));
  expect(status, body.slice(0, 2000)).toBe(200);
  const mail = await site.lastMail();
  expect(mail.kind).toBe('STEP_UP_CODE');
  return { body, mail: mail.text };
}
function expectBothSay(words: readonly string[], of: { body: string; mail: string }) {
  for (const word of words) {
    expect(of.mail).toContain(word);
    expect(of.body).toContain(word);
  }
  expect(of.mail).not.toContain('as agreed');
}

describe('the second step of an act says what is done, on the page and in the mail', () => {
  it('of a KYC override: which check, and what it becomes', async () => {
    const [endUser] = await rows<{ id: string }>(
      'SELECT id FROM end_users WHERE customer_id = $1',
      customer.scope.customerId,
    );
    const { db } = site.database;
    const id = await approveEndUser(db, customer.scope, endUser?.id ?? '', site.clock.now());
    for (const to of ['APPROVED', 'REJECTED']) {
      const of = await secondStepOf('/reviews/kyc-override', { check: id, to }, 'COMPLIANCE');
      expectBothSay([id, to], of);
    }
  });

  it('of a stop: what is stopped, and that it is everything', async () => {
    const { customerId } = customer.scope;
    const path = '/release/stop';
    const some = { environment: 'test', rail: 'SEPA', customer: customerId };
    expectBothSay([`test, SEPA, ${customerId}`], await secondStepOf(path, some, 'OPERATIONS'));
    const all = { environment: '', rail: '', customer: '' };
    expectBothSay(['Everything'], await secondStepOf(path, all, 'OPERATIONS'));
  });

  it('of a retry: which payment', async () => {
    const paid = await customer.pay({ fate: 'UNKNOWN', at: site.clock.now() });
    const of = await secondStepOf(`/payments/${paid.id}/retry`, {}, 'OPERATIONS');
    expectBothSay([paid.id], of);
  });

  it.each<[ApprovalAction, Record<string, string | number>, readonly string[]]>([
    ['KYC_OVERRIDE', { to: 'APPROVED' }, ['APPROVED']],
    ['SCREENING_RELEASE', { party: 'eu_x' }, []],
    ['WALLET_RELEASE', { wallet: 'wal_x' }, []],
    ['DEPOSIT_CLEARANCE', { network: 'BASE' }, []],
    ['BLOCKED_DEPOSIT', { decision: 'RELEASE' }, ['credited to the customer']],
    ['LATE_RETURN', { decision: 'CREDIT', minorUnits: '7777' }, ['credited to the customer']],
    ['FX_COVER', { reference: 'TR-1', soldMinor: '7777' }, ['TR-1']],
    ['CREDIT_ASSIGNMENT', { amount: '77.77' }, ['CUSTOMER']],
    ['CREDIT_CLOSING', { statementId: '41', line: 3, amount: '77.77' }, ['line 3 of statement 41']],
    ['CREDIT_CLOSING', { resembles: 'fc_x', amount: '77.77' }, ['same booking as fc_x']],
    ['STATEMENT_SUMS', { statementId: '41', bankStatementId: 'S-1' }, ['statement S-1']],
    [
      'STATEMENT_SUMS',
      { statementId: '41', bankStatementId: 'S-1', entry: 3 },
      ['entry 3 of statement S-1'],
    ],
    ['EXCEPTION_ACT', { act: 'WRITE_OFF', open: '7777' }, ['WRITE_OFF']],
    ['EXCEPTION_SET', { exceptions: 3, items: '{"exceptionId":"12/3"}' }, ['3 exceptions']],
    ['EXCEPTION_REVERSAL', { act: 'REVERSE' }, ['reversed']],
    ['OWN_ACCOUNT', { fingerprint: 'abcd' }, ['CUSTOMER']],
    ['ADDRESS', { apiKeyId: 'key_x', range: '203.0.113.0/24' }, ['key_x', '203.0.113.0/24']],
    ['REMOVE_PASSKEYS', {}, []],
    ['CUSTOMER_RESUMPTION', { to: 'ACTIVE' }, []],
    ['LIVE_ACCESS', {}, ['CUSTOMER']],
    ['SIGNER_ACCOUNT_THAW', { why: 'RESTORED' }, []],
    ['SIGNER_ACCOUNT_RETIRE', { why: 'RESTORED' }, ['never signs again']],
    ['SIGNER_ACCOUNT_RETIRE', { why: 'MAY_STILL_PAY' }, ['can be mined any more']],
    ['FOREIGN_NONCE', { hash: '0xabcdef' }, ['0xabcdef']],
    ['FOREIGN_PAYMENT', { hash: '0xabcdef', outcome: 'PAID' }, ['0xabcdef paid']],
    ['FOREIGN_PAYMENT', { hash: '0xabcdef', outcome: 'NOT_PAID' }, ['0xabcdef did not pay']],
    ['CHAIN_RESUMPTION', { block: '77', hash: '0xabcdef' }, ['block 77', '0xabcdef']],
    ['DUST_DEPOSITS', {}, ['become deposits']],
  ])(
    'of approving %s: the subject and what tells it from another',
    async (action, content, words) => {
      const { customerId } = customer.scope;
      const role = (rolesWith('console', APPROVAL_RIGHTS[action])?.[0] ?? '') as OperatorRole;
      const { id: operator } = await addTestOperator(site.people, role);
      const apart = ['why', 'outcome', 'resembles', 'entry'].map((key) => content[key] ?? '');
      const subjectId = `subject_${action.toLowerCase()}_${apart.join('')}`;
      const id = await proposeApproval(
        { db: site.people.people, clock: site.clock },
        { customerId, environment: 'live' },
        { action, subjectId, subjectVersion: 1, content },
        { operator, reason: 'x' },
      );
      const of = await secondStepOf(`/approvals/${String(id)}/approve`, {}, role);
      const subject = action === 'FX_COVER' || action === 'ADDRESS' ? [] : [subjectId];
      const said = words.map((word) => (word === 'CUSTOMER' ? customerId : word));
      expectBothSay([String(id), ...subject, ...said], of);
      for (const amount of ['7777', '77.77']) expect(of.mail).not.toContain(amount);
    },
  );
});
