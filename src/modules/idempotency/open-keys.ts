import type { ScopedTransaction } from '../../db/client/database.ts';
import {
  findAnswers,
  idempotencyRow,
  tryLockKeys,
  type StoredAnswer,
} from '../../db/idempotency/idempotency-store.ts';
import { Refusal } from '../../domain/errors/refusal.ts';
import type { Scope } from '../../domain/scope.ts';
import { isErased } from '../../vault/owner-key.ts';
import type { Vault } from '../../vault/vault.ts';
import { isRequestMac } from './request-mac.ts';

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

/** What a key stands for when a request comes with it. */
export type KeyState =
  /** Locked for this transaction and bound to nothing. */
  | { readonly kind: 'FREE' }
  | { readonly kind: 'BOUND'; readonly answer: Answer & { readonly isReplay: true } }
  /** Closed, bound to another request (idempotency_key_mismatch), or its first one runs (..._in_progress). */
  | { readonly kind: 'REFUSED'; readonly refusal: Refusal };

/** Makes the body of an answer anew from what an erasure has left of the resource that it told of. */
export type RebuildAnswer = (
  tx: ScopedTransaction,
  about: { readonly status: number; readonly resourceId: string },
) => Promise<string>;

interface OpenKeysDeps {
  readonly vault: Vault;
  readonly now: () => Date;
  readonly rebuild: RebuildAnswer;
}

/**
 * Locks the keys of several requests of one scope until the transaction ends, and looks them up; one
 * state a request, in their order. Of two requests with one key the second finds it running.
 */
export async function openKeys(
  deps: OpenKeysDeps,
  tx: ScopedTransaction,
  scope: Scope,
  requests: readonly KeyedRequest[],
): Promise<{ readonly at: Date; readonly states: readonly KeyState[] }> {
  const keys = requests.map(({ idempotencyKey }) => idempotencyKey);
  const locked = await tryLockKeys(tx, scope, keys);
  const at = deps.now();
  const answers = await findAnswers(tx, scope, keys, at);
  const states: KeyState[] = [];
  for (const [index, { idempotencyKey: key, fingerprint }] of requests.entries()) {
    const stored = answers.get(key);
    if (stored === undefined) {
      const isFree = keys.indexOf(key) === index && locked[index] === true;
      states.push(isFree ? { kind: 'FREE' } : { kind: 'REFUSED', refusal: keyInProgress() });
    } else if (stored.closed) {
      states.push({ kind: 'REFUSED', refusal: keyClosed() });
    } else if (isRequestMac(deps.vault, stored.requestMac, fingerprint)) {
      const text = await readAnswer(deps, tx, scope, stored);
      const answer = { status: stored.statusCode, text, isReplay: true } as const;
      states.push({ kind: 'BOUND', answer });
    } else {
      states.push({ kind: 'REFUSED', refusal: keyMismatch() });
    }
  }
  return { at, states };
}

async function readAnswer(
  { vault, rebuild }: OpenKeysDeps,
  tx: ScopedTransaction,
  scope: Scope,
  { key, endUserId, ownerKey, resourceId, statusCode: status, response }: StoredAnswer,
): Promise<string> {
  if (endUserId === null) return vault.open(response, idempotencyRow(scope, key)).toString('utf8');
  const owner = { endUserId, ownerKey };
  if (isErased(owner)) return rebuild(tx, { status, resourceId: resourceId ?? '' });
  return vault.of(owner).open(response, idempotencyRow(scope, key)).toString('utf8');
}

/** The key is bound to a request with another path or body. */
export const keyMismatch = (): Refusal =>
  new Refusal(
    'idempotency_key_mismatch',
    'This Idempotency-Key was already used for a request with another path or body. Use a new key only for a new request.',
  );

/** The key was closed: no request is carried out under it any more. */
const keyClosed = (): Refusal =>
  new Refusal(
    'idempotency_key_closed',
    'This Idempotency-Key was closed. No request with it is carried out. Use a new key for a new request.',
  );

/** The first request with a key still runs: to be repeated in a second. */
export const keyInProgress = (): Refusal =>
  new Refusal(
    'idempotency_key_in_progress',
    'A request with this Idempotency-Key is still running. Repeat the request in one second.',
    [],
    { 'retry-after': '1' },
  );
