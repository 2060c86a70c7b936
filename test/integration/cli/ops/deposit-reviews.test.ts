import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { holdDepositForReview } from '../../../../src/db/onchain/deposit-store.ts';
import { blockDeposit } from '../../../../src/domain/onchain/deposits/funding-book.ts';
import { addWaitingPayment, AT } from '../../../support/deposit-harness.ts';
import {
  beginRestoreMode,
  endRestoreMode,
} from '../../../../src/db/operations/restore-mode-store.ts';
import { createOpsHarness, NOW, type OpsHarness } from '../../../support/cli/ops/ops-harness.ts';

let harness: OpsHarness;
beforeAll(async () => {
  harness = await createOpsHarness();
});
afterAll(() => harness.close());

const decide = (verb: string, id: string) =>
  harness.run('screening', verb, '--case', id, '--reason', 'looked into it', '--operator', 'ada');
const proposalIn = (printed: string): string => /apr_[0-9a-z]+/.exec(printed)?.[0] ?? '';

describe('commands about deposits', () => {
  it('of a sender on a list show them, and hand their release in for two operators', async () => {
    const waiting = await addWaitingPayment(harness.database.db);
    const { id } = await waiting.see();
    await waiting.take((book) => blockDeposit(book, id));
    expect((await harness.run('screening', 'list')).printed).toContain(id);
    expect((await decide('keep', id)).error).toContain('not final yet');
    expect((await decide('refuse', id)).error).toContain('is not held');
    const { printed } = await decide('release', id);
    expect((await decide('release', id)).error).toContain('already');
    expect(await harness.operators.approve(proposalIn(printed))).toMatchObject({ code: 0 });
    const shown = await decide('show', id);
    expect(shown.printed).toContain(`${id}  CREDITED`);
    expect(shown.printed).toContain('RELEASE proposed by');
    expect(harness.wakes).toEqual([waiting.paymentId]);
    expect((await decide('release', id)).error).toContain('not blocked');
  });

  it('whose sender is to be looked at refuse them, for good', async () => {
    const waiting = await addWaitingPayment(harness.database.db);
    const { id } = await waiting.see();
    await waiting.write((tx) => holdDepositForReview(tx, waiting.scope, id, AT));
    expect((await decide('keep', id)).error).toContain('not blocked');
    expect(await decide('refuse', id)).toMatchObject({ code: 0 });
    expect((await decide('show', id)).printed).toContain('REFUSED by operator:ada');
    expect((await decide('release', id)).code).toBe(1);
  });

  it('warn where a database before a restore may have paid it out', async () => {
    const waiting = await addWaitingPayment(harness.database.db);
    const { id } = await waiting.see();
    await waiting.take((book) => blockDeposit(book, id));
    expect((await decide('show', id)).printed).not.toContain('may have been paid out');
    const act = { actor: { kind: 'OPERATOR', name: 'ada' }, at: NOW, reason: 'restored' } as const;
    await harness.database.db.system((tx) => beginRestoreMode(tx, act));
    expect((await decide('show', id)).printed).toContain('may already have been paid out');
    await harness.database.db.system((tx) => endRestoreMode(tx, act));
  });

  it('answer a sentence where there is none', async () => {
    expect((await decide('show', 'dep_01k6b7q0e8f1htx9n3r5p7v2ab')).error).toContain(
      'There is no deposit',
    );
  });
});
