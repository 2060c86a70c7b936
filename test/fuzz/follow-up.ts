import { isDeepStrictEqual } from 'node:util';
import { collectionOf, type Operation } from './api-document.ts';
import type { Facts } from './facts.ts';
import type { FuzzRequest } from './fuzz-request.ts';
import type { Finding } from './judge-answer.ts';
import { jsonOf, type FuzzAnswer, type Sender } from './send-request.ts';

const KEY = 'idempotency-key';

/** What is asked after an answer, to see whether it was true. */
export interface FollowUp {
  readonly operations: readonly Operation[];
  readonly facts: Facts;
  readonly sender: Sender;
}

/** What was made can be read, under the id that was answered. */
export async function readBack(
  { operations, facts, sender }: FollowUp,
  operation: Operation,
  request: FuzzRequest,
  answer: FuzzAnswer,
): Promise<Finding | null> {
  if (operation.method !== 'POST' || answer.status !== 201) return null;
  const { id } = (jsonOf(answer) ?? {}) as { id?: unknown };
  const parameter = facts.parameterOf(operation);
  const readings = operations.filter(
    ({ method, path, isPublic }) =>
      method === 'GET' && !isPublic && collectionOf(path)?.parameter === parameter,
  );
  const ofCollection = readings.find(
    ({ path }) => collectionOf(path)?.collection === operation.path,
  );
  const reading = ofCollection ?? readings[0];
  if (typeof id !== 'string' || parameter === null || reading === undefined) return null;
  const seen = await sender.send({
    ...request,
    ...{ operationId: reading.id, method: 'GET', path: reading.path, isEncoded: false },
    pathValues: { ...request.pathValues, [parameter]: id },
    ...{ query: [], headers: {}, body: null },
  });
  const found = (jsonOf(seen) ?? {}) as { id?: unknown };
  if (seen.status === 200 && found.id === id) return null;
  return {
    what: `${operation.id}: what was answered with 201 cannot be read`,
    details: `GET of ${id} was answered ${String(seen.status)} ${seen.text.slice(0, 400)}`,
  };
}

/** The same request under the same key is answered with the same bytes, and says so. */
export async function repeatByKey(
  { sender }: FollowUp,
  operation: Operation,
  request: FuzzRequest,
  answer: FuzzAnswer,
): Promise<Finding | null> {
  if (request.headers[KEY] === undefined || answer.status >= 300) return null;
  const again = await sender.send(request);
  const isReplayed = again.headers['idempotent-replayed'] === 'true';
  if (again.status === answer.status && again.text === answer.text && isReplayed) return null;
  return {
    what: `${operation.id}: a repeat under its key is answered otherwise`,
    details: `first ${String(answer.status)} ${answer.text.slice(0, 400)}\nthen ${String(again.status)} ${again.text.slice(0, 400)}`,
  };
}

/** Another body under a key that was used is refused. */
export async function otherBodyUnderKey(
  { sender }: FollowUp,
  operation: Operation,
  request: FuzzRequest,
  other: FuzzRequest,
): Promise<Finding | null> {
  const key = request.headers[KEY];
  if (key === undefined || request.body === null || other.body === null) return null;
  const isSame =
    isDeepStrictEqual(parse(request.body), parse(other.body)) &&
    isDeepStrictEqual(request.pathValues, other.pathValues);
  if (isSame) return null;
  const answer = await sender.send({ ...other, headers: { ...other.headers, [KEY]: key } });
  if (answer.status >= 400 && answer.status < 500) return null;
  return {
    what: `${operation.id}: another body under a key that was used is not refused`,
    details: `${String(answer.status)} ${answer.text.slice(0, 400)}`,
  };
}

/** A refusal leaves its key free: the request that was meant is not told of another body. */
export async function keyStaysFree(
  { sender }: FollowUp,
  operation: Operation,
  refused: FuzzRequest,
  meant: FuzzRequest,
  answer: FuzzAnswer,
): Promise<Finding | null> {
  const key = meant.headers[KEY];
  const { error: refusal } = (jsonOf(answer) ?? {}) as { error?: unknown };
  if (key === undefined || refused.headers[KEY] !== key || answer.status < 400) return null;
  if (refusal === 'idempotency_key_mismatch' || refusal === 'idempotency_key_in_progress')
    return null;
  const then = await sender.send(meant);
  const { error } = (jsonOf(then) ?? {}) as { error?: unknown };
  if (error !== 'idempotency_key_mismatch' && error !== 'idempotency_key_in_progress') return null;
  return {
    what: `${operation.id}: a refused request used its key up`,
    details: `refused ${String(answer.status)} ${answer.text.slice(0, 300)}\nthen ${String(then.status)} ${then.text.slice(0, 300)}`,
  };
}

const parse = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return null;
  }
};
