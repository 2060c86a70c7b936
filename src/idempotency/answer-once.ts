import type { Database, ScopedTransaction } from '../db/database.ts';
import {
  findAnswers,
  idempotencyRow,
  storeAnswer,
  tryLockKeys,
  type BoundAnswer,
  type StoredAnswer,
} from '../db/idempotency-store.ts';
import type { Clock } from '../domain/clock.ts';
import { Refusal } from '../domain/errors/refusal.ts';
import type { Scope } from '../domain/scope.ts';
import type { KeyOwner } from '../vault/owner-key.ts';
import type { Vault } from '../vault/vault.ts';

/** How long a key is bound; a payment's is for ever. */
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

/** What a key stands for when a request comes with it. */
export type KeyState =
  /** Locked for this transaction and bound to nothing. */
  | { readonly kind: 'FREE' }
  | { readonly kind: 'BOUND'; readonly answer: Answer & { readonly isReplay: true } }
  /** Bound to another request (idempotency_key_mismatch), or its first one runs (..._in_progress). */
  | { readonly kind: 'REFUSED'; readonly refusal: Refusal };

/**
 * Locks the keys of several requests of one scope until the transaction ends, and looks them up; one
 * state a request, in their order. Of two requests with one key the second finds it running.
 */
export async function openKeys(
  deps: Pick<AnswerOnceDeps, 'vault'>,
  tx: ScopedTransaction,
  scope: Scope,
  requests: readonly KeyedRequest[],
  now: () => Date,
): Promise<{ readonly at: Date; readonly states: readonly KeyState[] }> {
  const keys = requests.map(({ idempotencyKey }) => idempotencyKey);
  const locked = await tryLockKeys(tx, scope, keys);
  const at = now();
  const answers = await findAnswers(tx, scope, keys, at);
  const states = requests.map(({ idempotencyKey: key, fingerprint }, index): KeyState => {
    const stored = answers.get(key);
    if (stored === undefined) {
      const isFirst = keys.indexOf(key) === index;
      return isFirst && locked[index] === true
        ? { kind: 'FREE' }
        : { kind: 'REFUSED', refusal: keyInProgress() };
    }
    if (!isSameRequest(deps.vault, stored, fingerprint)) {
      return { kind: 'REFUSED', refusal: keyMismatch() };
    }
    const sealer = sealerOf(deps.vault, stored);
    const text = sealer.open(stored.response, idempotencyRow(scope, key)).toString('utf8');
    return { kind: 'BOUND', answer: { status: stored.statusCode, text, isReplay: true } };
  });
  return { at, states };
}

/**
 * What of an answer is an end-user's: it is sealed under their key. Null for one that holds nothing
 * personal. `resourceId` is what the request made.
 */
export type AnswerSubject = (KeyOwner & { readonly resourceId: string }) | null;

/** Seals the answer of a request for the row that binds its key to it. */
export function bindAnswer(
  { vault }: Pick<AnswerOnceDeps, 'vault'>,
  scope: Scope,
  { idempotencyKey: key, fingerprint }: KeyedRequest,
  { status, text, subject }: Answer & { readonly subject: AnswerSubject },
): BoundAnswer {
  const sealer = subject === null ? vault : vault.of(subject);
  return {
    key,
    requestMac: requestMac(vault, fingerprint),
    statusCode: status,
    response: sealer.seal(Buffer.from(text), idempotencyRow(scope, key)),
    endUserId: subject?.endUserId ?? null,
    resourceId: subject?.resourceId ?? null,
  };
}

/** A plain hash of a body with a name in it could be tested against guesses; one under the pepper not. */
const requestMac = (vault: Pick<Vault, 'keyedHash'>, fingerprint: Buffer): Buffer =>
  vault.keyedHash('idempotent-request', fingerprint.toString('base64'));

function isSameRequest(vault: Vault, stored: StoredAnswer, fingerprint: Buffer): boolean {
  // The version before wrote the fingerprint itself.
  if (stored.requestMac === null) return stored.fingerprint?.equals(fingerprint) === true;
  return stored.requestMac.equals(requestMac(vault, fingerprint));
}

const sealerOf = (vault: Vault, { endUserId, ownerKey }: StoredAnswer) =>
  endUserId === null ? vault : vault.of({ endUserId, ownerKey });

/**
 * Does the work of a request, or answers what was answered to it before, byte for byte: one
 * transaction that locks the key, looks it up, works and binds the key for 30 days. Throws Refusal
 * idempotency_key_mismatch for another request under the key and idempotency_key_in_progress while
 * the first one runs. What the work throws leaves nothing behind, the key included.
 */
export function answerOnce(
  deps: AnswerOnceDeps,
  scope: Scope,
  request: KeyedRequest,
  work: (tx: ScopedTransaction) => Promise<Answer & { readonly subject: AnswerSubject }>,
): Promise<Answered<Answer>> {
  const now = () => deps.clock.now();
  return deps.db.write(scope, async (tx) => {
    const { at, states } = await openKeys(deps, tx, scope, [request], now);
    const [state] = states;
    if (state?.kind === 'BOUND') return state.answer;
    if (state?.kind !== 'FREE') throw state?.refusal ?? new Error('a key without a state');
    const answer = await work(tx);
    const expiresAt = new Date(at.getTime() + KEY_LIFE_MS);
    await storeAnswer(tx, scope, { ...bindAnswer(deps, scope, request, answer), at, expiresAt });
    return { ...answer, isReplay: false };
  });
}

const keyMismatch = (): Refusal =>
  new Refusal(
    'idempotency_key_mismatch',
    'This Idempotency-Key belongs to another request: its path or body differs.',
  );

const keyInProgress = (): Refusal =>
  new Refusal(
    'idempotency_key_in_progress',
    'A request with this Idempotency-Key is still running. Repeat it in a second.',
    [],
    { 'retry-after': '1' },
  );
