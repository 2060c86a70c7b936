import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ScopedTransaction } from '../db/client/database.ts';
import { answerOnce, type AnswerSubject } from '../modules/idempotency/answer-once.ts';
import type { Scope } from '../domain/scope.ts';
import {
  keyInProgress,
  openKeys,
  type Answer,
  type KeyedRequest,
  type RebuildAnswer,
} from '../modules/idempotency/open-keys.ts';
import { bodyFingerprint, type FingerprintParts } from './body-fingerprint.ts';
import type { HttpDeps } from './deps.ts';
import { idempotencyKeyOf } from './idempotency-key.ts';
import { rebuildResource } from './rebuild-answer.ts';

interface PostAnswer {
  readonly status: number;
  /** Left out where the answer has no body (204). */
  readonly body?: object;
  readonly subject: AnswerSubject;
}

type PostDeps = Pick<HttpDeps, 'db' | 'vault' | 'clock' | 'settings'>;
type PostParts = Pick<FingerprintParts, 'decimalFields'>;

/**
 * Answers a POST whose Idempotency-Key is optional (every one but POST /payments): with a key as
 * `answerOnce` promises, without one by `work` in one write transaction. Use: `return answerPost(...)`.
 * `decimalFields` are the body's fields in which 10 and "10.00" are the same.
 */
export async function answerPost(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: PostDeps,
  work: (tx: ScopedTransaction) => Promise<PostAnswer>,
  parts: PostParts = {},
): Promise<never> {
  const { scope } = request;
  const render = async (tx: ScopedTransaction) => renderAnswer(reply, await work(tx));
  const keyed = keyedOf(request, parts);
  if (keyed === null) return sendAnswer(reply, await deps.db.write(scope, render));
  const rebuild = rebuildFor(reply, deps, scope);
  return sendAnswer(reply, await answerOnce({ ...deps, rebuild }, scope, keyed, render));
}

/**
 * The same for what is done outside of the database, which no transaction may wait for: `act` runs first, and not at
 * all where the key is bound already, to this request or to another. Where its answer was lost it runs again, so
 * a second time must be harmless.
 */
export async function answerPostAfter(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: PostDeps,
  act: () => Promise<PostAnswer>,
  parts: PostParts = {},
): Promise<never> {
  const done = (await isBound(request, reply, deps, parts)) ? null : await act();
  const told = (): Promise<PostAnswer> =>
    // Bound a moment ago, and no more: the request is new then.
    done === null ? Promise.reject(keyInProgress()) : Promise.resolve(done);
  return answerPost(request, reply, deps, told, parts);
}

/** Whether the request was answered under its key before. Throws where the key is another's. */
async function isBound(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: PostDeps,
  parts: PostParts,
): Promise<boolean> {
  const keyed = keyedOf(request, parts);
  if (keyed === null) return false;
  const { vault, clock, db } = deps;
  const rebuild = rebuildFor(reply, deps, request.scope);
  const opening = { vault, now: () => clock.now(), rebuild };
  const { states } = await db.read(request.scope, (tx) =>
    openKeys(opening, tx, request.scope, [keyed]),
  );
  const [state] = states;
  if (state?.kind === 'REFUSED') throw state.refusal;
  return state?.kind === 'BOUND';
}

function keyedOf(request: FastifyRequest, parts: PostParts): KeyedRequest | null {
  const idempotencyKey = idempotencyKeyOf(request);
  if (idempotencyKey === undefined) return null;
  const fingerprint = bodyFingerprint({
    method: request.method,
    path: new URL(request.url, 'http://localhost').pathname,
    losslessBody: request.losslessBody,
    ...parts,
  });
  return { idempotencyKey, fingerprint };
}

const rebuildFor =
  (reply: FastifyReply, deps: PostDeps, scope: Scope): RebuildAnswer =>
  async (tx, { status, resourceId }) => {
    const body = await rebuildResource(deps, tx, scope, resourceId);
    return renderAnswer(reply, { status, body, subject: null }).text;
  };

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
