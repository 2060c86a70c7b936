import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createSignerHarness,
  type SignerHarness,
  type SentPayment,
} from '../../support/onchain/signer-harness.ts';

let harness: SignerHarness;
/** Signed and sent, and the nodes are silent about it; and one that no nonce carries. */
let silent: SentPayment;
let waiting: SentPayment;
beforeAll(async () => {
  harness = await createSignerHarness();
  silent = await harness.send();
  const nodes = { ...harness.deps.nodes, broadcast: async () => undefined };
  await harness.poll({ nodes });
  waiting = await harness.send();
});
afterAll(() => harness.close());

/** Why it is refused to the process that signs, whose code might be wrong. */
const attempt = (...statements: readonly string[]): Promise<string> =>
  harness.deps.db
    .system(async (tx) => {
      for (const statement of statements) await tx.query(statement);
      return 'nothing was refused';
    })
    .catch((error: unknown) => (error as Error).message);

const NEXT_NONCE = 'UPDATE chain_signer_accounts SET next_nonce = next_nonce + 1';
const carry = ({ reference }: SentPayment, nonce = 'next_nonce - 1') =>
  `INSERT INTO chain_nonces (environment, network, address, nonce, reference, created_at, updated_at)
   SELECT environment, network, address, ${nonce}, '${reference}', now(), now() FROM chain_signer_accounts`;

describe('the database, whatever program writes,', () => {
  it('gives a transfer no other nonce while the first may still move it', async () => {
    const outcome = await attempt(NEXT_NONCE, carry(silent));
    expect(outcome).toMatch(/duplicate key|may still move it/);
  });

  it.each(['WAITING', 'REJECTED'])(
    'makes no transfer %s while a nonce may still move it',
    async (state) => {
      const reason = state === 'REJECTED' ? `, reason = 'VOIDED'` : '';
      const outcome = await attempt(
        `UPDATE chain_transfers SET state = '${state}'${reason} WHERE reference = '${silent.reference}'`,
      );
      expect(outcome).toContain('a nonce may still move it');
    },
  );

  it('calls no nonce used by a transaction that is none of its own', async () => {
    for (const state of ['SETTLED', 'REJECTED']) {
      const outcome = await attempt(
        `UPDATE chain_nonces SET state = '${state}', mined_hash = '0x${'ab'.repeat(32)}'`,
      );
      expect(outcome).toMatch(/used by none of its transactions|violates check constraint/);
    }
  });

  it('stores what is signed once', async () => {
    const outcome = await attempt(
      `UPDATE chain_transactions SET raw = '\\x02', hash = '0x${'cd'.repeat(32)}'`,
    );
    expect(outcome).toContain('what is signed is stored once');
  });

  it('changes no bytes that are to be signed', async () => {
    const outcome = await attempt(`UPDATE chain_transactions SET unsigned = '\\x02'`);
    expect(outcome).toContain('what is signed is stored once');
  });

  it('leaves no gap between nonces, and uses none twice', async () => {
    const gap = await attempt(NEXT_NONCE);
    expect(gap).toContain('carries nothing');
    const two = await attempt(NEXT_NONCE, NEXT_NONCE, carry(waiting));
    expect(two).toMatch(/carries nothing/);
    const behind = await attempt(carry(waiting, 'next_nonce'));
    expect(behind).toContain(`it is not the signer account's next`);
    const back = await attempt('UPDATE chain_signer_accounts SET next_nonce = first_nonce');
    expect(back).toContain('nonces are used one by one');
  });

  it('forgets no limit of nonces that a signer account ever had', async () => {
    const outcome = await attempt(
      'UPDATE chain_signer_accounts SET not_final_max = not_final_max - 1',
    );
    expect(outcome).toContain('append-only');
  });

  it('gives no nonces that are not the next ones of the signer account', async () => {
    const take = (first: string) =>
      attempt(
        `SELECT take_chain_nonces(environment, network, address, ${first}, ARRAY['${waiting.reference}'],
           ARRAY['\\x02'::bytea], ARRAY[50000], 1, 1, now()) FROM chain_signer_accounts`,
      );
    expect(await take('next_nonce + 1')).toContain('is not its next nonce');
    expect(await take('next_nonce - 1')).toContain('is not its next nonce');
  });

  it('forgets no signer account, transfer, nonce or transaction', async () => {
    for (const table of [
      'chain_signer_accounts',
      'chain_transfers',
      'chain_nonces',
      'chain_transactions',
    ]) {
      const outcome = await attempt(`DELETE FROM ${table}`);
      expect(outcome, table).toMatch(/permission denied|refused|may not/);
    }
  });

  it('changes neither recipient nor amount of a transfer', async () => {
    for (const change of [`amount = amount + 1`, `recipient = '0x${'1'.repeat(40)}'`]) {
      const outcome = await attempt(`UPDATE chain_transfers SET ${change}`);
      expect(outcome, change).toMatch(/permission denied/);
    }
  });
});
