import { attemptOnce, type Outcome } from './attempt-once.ts';
import { buildRequest, type BuiltRequest } from './build-request.ts';
import type { KeyedVersionedOptions, RequestOptions, Signal } from './call-options.ts';
import { CausewayApiError, CausewayConnectionError, type CausewayCallError } from './errors.ts';
import { List } from './list.ts';
import type { Answer, Input, Item, ListId, OperationId } from './operation-types.ts';
import { readErrorAnswer, readSuccess } from './read-answer.ts';
import { isHarmless, isUnclear, maySendAgain, waitBefore } from './retry-rules.ts';
import { readCount, type Settings } from './settings.ts';

/** What the methods of resources are made of. */
export interface Api {
  /** Sends an operation, as often as is needed and safe, and answers what the API answers. */
  send<Id extends OperationId>(
    operation: Id,
    input: Input<Id>,
    options?: KeyedVersionedOptions,
  ): Promise<Answer<Id>>;
  /** The list of an operation; nothing is sent until it is read. */
  list<Id extends ListId>(
    operation: Id,
    input: Input<Id>,
    options?: RequestOptions,
  ): List<Item<Id>>;
}

interface Limits {
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly signal: Signal | undefined;
}

/** How one attempt ended: with what was asked for, or with an error. */
type Ended =
  | { readonly isDone: true; readonly answer: unknown }
  | {
      readonly isDone: false;
      readonly status: number | null;
      readonly error: string | null;
      readonly retryAfterSeconds: number | null;
      readonly toError: (call: CallSoFar) => CausewayCallError;
    };

type CallSoFar = ConstructorParameters<typeof CausewayApiError>[1];

export function createApi(settings: Settings): Api {
  const send = async <Id extends OperationId>(
    operation: Id,
    input: Input<Id>,
    options: KeyedVersionedOptions = {},
  ): Promise<Answer<Id>> => {
    const request = buildRequest(settings, operation, input, options);
    return (await sendUntilDone(settings, request, readLimits(settings, options))) as Answer<Id>;
  };
  return {
    send,
    list: <Id extends ListId>(operation: Id, input: Input<Id>, options?: RequestOptions) =>
      new List<Item<Id>>(async (cursor) => {
        const { query } = input as { readonly query?: object };
        const asked = cursor === undefined ? input : { ...input, query: { ...query, cursor } };
        return send(operation, asked, options);
      }),
  };
}

async function sendUntilDone(
  settings: Settings,
  request: BuiltRequest,
  limits: Limits,
): Promise<unknown> {
  const { sending, idempotencyKey } = request;
  const { operation } = sending;
  const { signal } = limits;
  const isAborted = () => signal?.aborted === true;
  /** Whether an attempt may have taken effect of which there is no answer. */
  let isUnknown = false;
  const call = (attempts: number): CallSoFar => ({
    ...{ operation, attempts, idempotencyKey },
    isOutcomeUnknown: isUnknown && !isHarmless(sending),
  });
  const aborted = (attempts: number) =>
    new CausewayConnectionError('aborted', call(attempts), signal?.reason);

  for (let attempt = 1; ; attempt += 1) {
    if (isAborted()) throw aborted(attempt - 1);
    const startedAt = settings.clock.now();
    const outcome = await attemptOnce(settings, request, limits);
    report(settings, request, { attempt, outcome, startedAt });
    const ended = judge(outcome, settings.clock.now());
    if (ended.isDone) return ended.answer;
    // It is gone, by the attempt whose answer was lost or before that: what was asked for is so.
    if (sending.method === 'DELETE' && isUnknown && ended.error === 'not_found') return undefined;
    // A refusal now does not settle it: an attempt that timed out may be on its way still.
    isUnknown ||= isUnclear(ended);
    const waitMs =
      attempt <= limits.maxRetries && maySendAgain(sending, ended) && !isAborted()
        ? waitBefore(attempt, ended.retryAfterSeconds, settings.random())
        : null;
    if (waitMs === null) throw ended.toError(call(attempt));
    await settings.clock.wait(waitMs, signal).catch((cause: unknown) => {
      throw isAborted() ? aborted(attempt) : cause;
    });
  }
}

function judge(outcome: Outcome, now: number): Ended {
  if (outcome.kind === 'none') {
    const { fault, cause } = outcome;
    return noAnswer((call) => new CausewayConnectionError(fault, call, cause));
  }
  const { status } = outcome;
  if (status >= 200 && status < 300) {
    try {
      return { isDone: true, answer: readSuccess(outcome) };
    } catch (cause) {
      return noAnswer((call) => new CausewayConnectionError('unreadable_answer', call, cause));
    }
  }
  const answer = readErrorAnswer(outcome, now);
  const { error, retryAfterSeconds } = answer;
  const toError = (call: CallSoFar) => new CausewayApiError(answer, call);
  return { isDone: false, status, error, retryAfterSeconds, toError };
}

const noAnswer = (toError: (call: CallSoFar) => CausewayCallError): Ended => ({
  ...{ isDone: false, status: null, error: null, retryAfterSeconds: null, toError },
});

function report(
  { onAttempt, clock }: Settings,
  { sending }: BuiltRequest,
  of: { readonly attempt: number; readonly outcome: Outcome; readonly startedAt: number },
): void {
  const answer = of.outcome.kind === 'answer' ? of.outcome : null;
  try {
    onAttempt({
      operation: sending.operation,
      number: of.attempt,
      status: answer?.status ?? null,
      requestId: answer?.headers.get('x-request-id') ?? null,
      isReplayed: answer?.headers.get('idempotent-replayed') === 'true',
      durationMs: clock.now() - of.startedAt,
    });
  } catch {
    // What a program's log throws must not take the place of the API's answer.
  }
}

function readLimits(settings: Settings, options: RequestOptions): Limits {
  return {
    timeoutMs: readCount('timeoutMs', options.timeoutMs ?? settings.timeoutMs, 1),
    maxRetries: readCount('maxRetries', options.maxRetries ?? settings.maxRetries, 0),
    signal: options.signal,
  };
}
