import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ScopedTransaction } from '../db/database.ts';
import { answerOnce, type AnswerSubject } from '../idempotency/answer-once.ts';
import type { Answer, RetellAnswer } from '../idempotency/open-keys.ts';
import { bodyFingerprint, type FingerprintParts } from './body-fingerprint.ts';
import type { HttpDeps } from './deps.ts';
import { idempotencyKeyOf } from './idempotency-key.ts';
import { retellResource } from './retell-answer.ts';

export interface PostAnswer {
  readonly status: number;
  /** Left out where the answer has no body (204). */
  readonly body?: object;
  readonly subject: AnswerSubject;
}

/**
 * Answers a POST whose Idempotency-Key is optional (every one but POST /payments): with a key as
 * `answerOnce` promises, without one by `work` in one write transaction. Use: `return answerPost(...)`.
 * `decimalFields` are the body's fields in which 10 and "10.00" are the same.
 */
export async function answerPost(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: Pick<HttpDeps, 'db' | 'vault' | 'clock' | 'settings'>,
  work: (tx: ScopedTransaction) => Promise<PostAnswer>,
  { decimalFields }: Pick<FingerprintParts, 'decimalFields'> = {},
): Promise<never> {
  const idempotencyKey = idempotencyKeyOf(request);
  const { scope } = request;
  const render = async (tx: ScopedTransaction) => renderAnswer(reply, await work(tx));
  if (idempotencyKey === undefined) return sendAnswer(reply, await deps.db.write(scope, render));
  const fingerprint = bodyFingerprint({
    method: request.method,
    path: new URL(request.url, 'http://localhost').pathname,
    losslessBody: request.losslessBody,
    ...(decimalFields === undefined ? {} : { decimalFields }),
  });
  const keyed = { idempotencyKey, fingerprint };
  const retell: RetellAnswer = async (tx, { status, resourceId }) => {
    const body = await retellResource(deps, tx, scope, resourceId);
    return renderAnswer(reply, { status, body, subject: null }).text;
  };
  return sendAnswer(reply, await answerOnce({ ...deps, retell }, scope, keyed, render));
}

/** Sends an answer as the very text that is stored for it, so that a replay is the same byte for byte. */
export function sendAnswer(
  reply: FastifyReply,
  answer: Answer & { readonly isReplay?: boolean },
): never {
  if (answer.isReplay === true) void reply.header('idempotent-replayed', 'true');
  void reply.code(answer.status);
  if (answer.text !== '') void reply.type('application/json; charset=utf-8').send(answer.text);
  else void reply.send();
  // A reply is a promise of its own end; Fastify waits for it. Its type would clash with the schema's.
  return reply as never;
}

function renderAnswer(reply: FastifyReply, { status, body, subject }: PostAnswer) {
  if (body === undefined) return { status, text: '', subject };
  const serialize = reply.getSerializationFunction(String(status)) ?? JSON.stringify;
  return { status, text: serialize(body), subject };
}
