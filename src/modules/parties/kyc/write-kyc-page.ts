import type { ScopedTransaction } from '../../../db/client/database.ts';
import { Refusal } from '../../../domain/errors/refusal.ts';
import { lockKyc, type LockedKyc } from './change-kyc.ts';
import { isOpenedBy, readKycPageState, type KycPage, type KycPageDeps } from './kyc-page.ts';

/**
 * Runs work on what a token opened, with end-user and check locked and read again: of two who change one
 * check at once, the second sees what the first has done. Refuses (not_found) where the token no longer
 * opens it.
 */
export async function writeKycPage<Result>(
  { db, vault, clock }: KycPageDeps,
  { ref }: Pick<KycPage, 'ref'>,
  token: string,
  work: (
    tx: ScopedTransaction,
    page: LockedKyc & Pick<KycPage, 'step' | 'uploads' | 'documents'>,
    at: Date,
  ) => Promise<Result>,
): Promise<Result> {
  return db.write(ref, async (tx) => {
    const at = clock.now();
    const kyc = await lockKyc(tx, ref, ref);
    if (kyc === null || !isOpenedBy(vault, kyc, token, at)) {
      throw new Refusal('not_found', 'This link does not open anything any more.');
    }
    return work(tx, await readKycPageState(tx, kyc, ref, at), at);
  });
}
