import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ScopedTransaction } from '../db/database.ts';
import {
  findAnswer,
  idempotencyRow,
  storeAnswer,
  tryLockKey,
  type StoredAnswer,
} from '../db/idempotency-store.ts';
import { bodyFingerprint } from './body-fingerprint.ts';
import type { HttpDeps } from './deps.ts';
import { idempotencyKeyOf, keyInProgress, keyMismatch } from './idempotency-key.ts';

const KEY_LIFE_MS = 30 * 24 * 60 * 60 * 1000;

export interface PostAnswer {
  readonly status: number;
  /** Left out where the answer has no body (204). */
  readonly body?: object;
}

/**
 * Answers a POST whose Idempotency-Key is optional (every one but POST /payments). `work` runs in one
 * write transaction; with a key its answer is kept 30 days and replayed word for word to the same
 * request. Another request under the key is refused with 422, one that is still running with 409.
 * What `work` throws leaves nothing behind, the key included. Use: `return answerOnce(...)`.
 */
export async function answerOnce(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: Pick<HttpDeps, 'db' | 'vault' | 'clock'>,
  work: (tx: ScopedTransaction) => Promise<PostAnswer>,
): Promise<never> {
  const key = idempotencyKeyOf(request);
  const { scope } = request;
  const answer = await deps.db.write(scope, async (tx) => {
    if (key === undefined) return renderAnswer(reply, await work(tx));
    const fingerprint = bodyFingerprint({
      method: request.method,
      path: new URL(request.url, 'http://localhost').pathname,
      losslessBody: request.losslessBody,
    });
    const isLocked = await tryLockKey(tx, scope, key);
    const at = deps.clock.now();
    const row = idempotencyRow(scope, key);
    const stored = await findAnswer(tx, scope, key, at);
    if (stored !== null) return replay(stored, fingerprint, deps.vault.open(stored.response, row));
    if (!isLocked) throw keyInProgress();
    const fresh = renderAnswer(reply, await work(tx));
    await storeAnswer(tx, scope, {
      key,
      fingerprint,
      statusCode: fresh.status,
      response: deps.vault.seal(Buffer.from(fresh.text), row),
      at,
      expiresAt: new Date(at.getTime() + KEY_LIFE_MS),
    });
    return fresh;
  });
  if (answer.isReplay) void reply.header('idempotent-replayed', 'true');
  void reply.code(answer.status);
  if (answer.text !== '') void reply.type('application/json; charset=utf-8').send(answer.text);
  else void reply.send();
  // A reply is a promise of its own end; Fastify waits for it. Its type would clash with the schema's.
  return reply as never;
}

interface RenderedAnswer extends Pick<PostAnswer, 'status'> {
  readonly text: string;
  readonly isReplay: boolean;
}

function renderAnswer(reply: FastifyReply, answer: PostAnswer): RenderedAnswer {
  if (answer.body === undefined) return { status: answer.status, text: '', isReplay: false };
  const serialize = reply.getSerializationFunction(String(answer.status)) ?? JSON.stringify;
  const text = serialize(answer.body);
  return { status: answer.status, text, isReplay: false };
}

function replay(stored: StoredAnswer, fingerprint: Buffer, response: Buffer): RenderedAnswer {
  if (!stored.fingerprint.equals(fingerprint)) throw keyMismatch();
  return { status: stored.statusCode, text: response.toString('utf8'), isReplay: true };
}
