import type { Database, ScopedTransaction } from '../../db/client/database.ts';
import {
  idempotencyRow,
  storeAnswer,
  type BoundAnswer,
} from '../../db/idempotency/idempotency-store.ts';
import type { Clock } from '../../domain/clock.ts';
import type { Scope } from '../../domain/scope.ts';
import { isErased, type KeyOwner } from '../../vault/owner-key.ts';
import type { Vault } from '../../vault/vault.ts';
import { openKeys, type Answer, type KeyedRequest, type RebuildAnswer } from './open-keys.ts';
import { requestMac } from './request-mac.ts';

/** How long a key is bound; a payment's is for ever. */
const KEY_LIFE_MS = 30 * 24 * 60 * 60 * 1000;

export interface AnswerOnceDeps {
  readonly db: Database;
  readonly vault: Vault;
  readonly clock: Clock;
}

/**
 * What of an answer is an end-user's: it is sealed under their key. Null for one that holds nothing
 * personal. `resourceId` is what the request made.
 */
export type AnswerSubject = (KeyOwner & { readonly resourceId: string }) | null;

/** An answer that is about to be given for the first time. */
type FreshAnswer = Answer & { readonly subject: AnswerSubject };

export type Answered<Fresh extends Answer> =
  (Fresh & { readonly isReplay: false }) | (Answer & { readonly isReplay: true });

/** Seals the answer of a request for the row that binds its key to it. */
export function bindAnswer(
  { vault }: Pick<AnswerOnceDeps, 'vault'>,
  scope: Scope,
  { idempotencyKey: key, fingerprint }: KeyedRequest,
  { status, text, subject }: FreshAnswer,
): BoundAnswer {
  // What is answered about an end-user who was erased holds nothing personal any more.
  const owner = subject === null || isErased(subject) ? null : subject;
  const sealer = owner === null ? vault : vault.of(owner);
  return {
    key,
    requestMac: requestMac(vault, fingerprint),
    statusCode: status,
    response: sealer.seal(Buffer.from(text), idempotencyRow(scope, key)),
    endUserId: owner?.endUserId ?? null,
    resourceId: owner?.resourceId ?? null,
  };
}

/**
 * Does the work of a request, or answers what was answered to it before, byte for byte: one
 * transaction that locks the key, looks it up, works and binds the key for 30 days. Throws Refusal
 * idempotency_key_mismatch for another request under the key and idempotency_key_in_progress while
 * the first one runs. What the work throws leaves nothing behind, the key included. What was answered
 * about an end-user who was erased since is told anew by `rebuild`.
 */
export function answerOnce(
  deps: AnswerOnceDeps & { readonly rebuild: RebuildAnswer },
  scope: Scope,
  request: KeyedRequest,
  work: (tx: ScopedTransaction) => Promise<FreshAnswer>,
): Promise<Answered<Answer>> {
  const { db, vault, rebuild } = deps;
  const now = () => deps.clock.now();
  return db.write(scope, async (tx) => {
    const { at, states } = await openKeys({ vault, now, rebuild }, tx, scope, [request]);
    const [state] = states;
    if (state?.kind === 'BOUND') return state.answer;
    if (state?.kind !== 'FREE') throw state?.refusal ?? new Error('a key without a state');
    const answer = await work(tx);
    const expiresAt = new Date(at.getTime() + KEY_LIFE_MS);
    await storeAnswer(tx, scope, { ...bindAnswer(deps, scope, request, answer), at, expiresAt });
    return { ...answer, isReplay: false };
  });
}
