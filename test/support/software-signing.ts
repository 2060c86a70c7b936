import { softwareSigner } from '../../src/modules/approvals/signatures/decision-signer.ts';
import { createSoftwareKeys } from '../../src/modules/approvals/signatures/software-keys.ts';
import { createTestVault } from './test-vault.ts';

/** The software keys of every test's vault. */
export const SOFTWARE_KEYS = createSoftwareKeys(createTestVault());

/** What an operator does for a reason, signed as the console signs it in a local run. */
export const signedBy = (operator: string, reason = 'as agreed') => ({
  ...{ operator, reason },
  signer: softwareSigner(SOFTWARE_KEYS) ?? undefined,
});
