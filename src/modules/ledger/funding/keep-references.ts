import { randomBytes } from 'node:crypto';
import type { Database } from '../../../db/client/database.ts';
import {
  insertFundingReferences,
  listFundingReferences,
} from '../../../db/ledger/funding-reference-store.ts';
import type { Clock } from '../../../domain/clock.ts';
import {
  creditorReference,
  REFERENCE_ALPHABET,
  REFERENCE_BODY_CHARS,
} from '../../../domain/ledger/funding/creditor-reference.ts';
import type { Scope } from '../../../domain/scope.ts';

/**
 * The customer's references for these currencies, made where there is none yet: a reference once given
 * out is the same for ever. Two at once get the same ones.
 */
export async function keepReferences(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  scope: Scope,
  currencies: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const known = await db.read(scope, (tx) => listFundingReferences(tx, scope));
  const found = new Map(known.map(({ currency, reference }) => [currency, reference]));
  const missing = [...new Set(currencies)].filter((currency) => !found.has(currency)).sort();
  if (missing.length === 0) return found;
  const added = missing.map((currency) => ({ currency, reference: newReference() }));
  const all = await db.write(scope, async (tx) => {
    await insertFundingReferences(tx, scope, added, clock.now());
    return listFundingReferences(tx, scope);
  });
  return new Map(all.map(({ currency, reference }) => [currency, reference]));
}

/** 70 random bits: each of the 32 characters stands for five. */
function newReference(): string {
  const body = [...randomBytes(REFERENCE_BODY_CHARS)].map(
    (byte) => REFERENCE_ALPHABET[byte % REFERENCE_ALPHABET.length],
  );
  return creditorReference(body.join(''));
}
