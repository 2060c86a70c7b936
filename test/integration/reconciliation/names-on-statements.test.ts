import { afterAll, beforeAll, expect, it } from 'vitest';
import { searchDatabase } from '../../support/search-database.ts';
import { createTestVault } from '../../support/test-vault.ts';
import {
  createReconciliationHarness,
  type ReconciliationHarness,
} from '../../support/reconciliation/reconciliation-harness.ts';

let harness: ReconciliationHarness;
beforeAll(async () => {
  harness = await createReconciliationHarness();
});
afterAll(() => harness.close());

/** Every transaction that `statementXml` writes names its creditor "Ada Sample". */
const NAMES = { creditor: 'Ada Sample', remittance: 'Planted remittance of a statement' };

it('what a statement says in words is not stored, whether the line finds its payment or not', async () => {
  const paid = await harness.pay('COMPLETED');
  const { remittance } = NAMES;
  const ref = await harness.reconcile({
    entries: [
      { reference: paid.reference, amount: '10.00', remittance },
      { reference: 'Rent for Ada Sample', amount: '11.00', remittance },
    ],
  });
  // Both lines were read, and one of them found its payment.
  expect(await harness.outcomes(ref)).toEqual(['RECONCILED', 'UNEXPECTED_AT_BANK']);
  const search = {
    query: (sql: string) => harness.rows<Record<string, unknown>>(sql),
    vault: createTestVault(),
  };
  const known = { reference: paid.reference };
  expect(await searchDatabase(search, known)).toContain('reference in statement_lines.reference');
  expect(await searchDatabase(search, NAMES)).toEqual([]);
});
