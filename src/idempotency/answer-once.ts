import type { Database, ScopedTransaction } from '../db/database.ts';
import {
  findAnswer,
  idempotencyRow,
  storeAnswer,
  tryLockKey,
  type BoundAnswer,
  type StoredAnswer,
} from '../db/idempotency-store.ts';
import type { Clock } from '../domain/clock.ts';
import { Refusal } from '../domain/errors/refusal.ts';
import type { Scope } from '../domain/scope.ts';
import type { Vault } from '../vault/vault.ts';

/** How long a key is bound that the work does not bind itself. */
const KEY_LIFE_MS = 30 * 24 * 60 * 60 * 1000;

export interface AnswerOnceDeps {
  readonly db: Database;
  readonly vault: Vault;
  readonly clock: Clock;
}

/** A request under an Idempotency-Key; equal fingerprints are the same request. */
export interface KeyedRequest {
  readonly idempotencyKey: string;
  readonly fingerprint: Buffer;
}

/** An HTTP status and the body as it is sent, empty where there is none. */
export interface Answer {
  readonly status: number;
  readonly text: string;
}

export type Answered<Fresh extends Answer> =
  (Fresh & { readonly isReplay: false }) | (Answer & { readonly isReplay: true });

/** A key that is locked and bound to nothing, as the work gets it. */
export interface FreeKey {
  /** When the request was begun, on the engine's clock. */
  readonly at: Date;
  /**
   * Seals the answer for work that binds the key in a statement of its own, for as long as that
   * statement says. Without this call the key is bound after the work, for 30 days.
   */
  readonly takeBinding: (answer: Answer) => BoundAnswer;
}

/**
 * Does the work of a request, or answers what was answered to it before, byte for byte: one
 * transaction that locks the key, looks it up, works and binds the key. Throws Refusal
 * idempotency_key_mismatch for another request under the key and idempotency_key_in_progress while
 * the first one runs. What the work throws leaves nothing behind, the key included.
 */
export function answerOnce<Fresh extends Answer>(
  deps: AnswerOnceDeps,
  scope: Scope,
  request: KeyedRequest,
  work: (tx: ScopedTransaction, key: FreeKey) => Promise<Fresh>,
): Promise<Answered<Fresh>> {
  const { idempotencyKey: key, fingerprint } = request;
  const row = idempotencyRow(scope, key);
  const seal = ({ status, text }: Answer): BoundAnswer => ({
    key,
    fingerprint,
    statusCode: status,
    response: deps.vault.seal(Buffer.from(text), row),
  });
  return deps.db.write(scope, async (tx) => {
    const isLocked = await tryLockKey(tx, scope, key);
    const at = deps.clock.now();
    const stored = await findAnswer(tx, scope, key, at);
    if (stored !== null) {
      refuseOtherRequest(stored, fingerprint);
      const text = deps.vault.open(stored.response, row).toString('utf8');
      return { status: stored.statusCode, text, isReplay: true };
    }
    if (!isLocked) throw keyInProgress();
    let isBindingTaken = false;
    const takeBinding = (answer: Answer) => {
      isBindingTaken = true;
      return seal(answer);
    };
    const fresh = await work(tx, { at, takeBinding });
    if (!isBindingTaken) {
      const expiresAt = new Date(at.getTime() + KEY_LIFE_MS);
      await storeAnswer(tx, scope, { ...seal(fresh), at, expiresAt });
    }
    return { ...fresh, isReplay: false };
  });
}

function refuseOtherRequest(stored: StoredAnswer, fingerprint: Buffer): void {
  if (stored.fingerprint.equals(fingerprint)) return;
  throw new Refusal(
    'idempotency_key_mismatch',
    'This Idempotency-Key belongs to another request: its path or body differs.',
  );
}

const keyInProgress = (): Refusal =>
  new Refusal(
    'idempotency_key_in_progress',
    'A request with this Idempotency-Key is still running. Repeat it in a second.',
    [],
    { 'retry-after': '1' },
  );
