import { ApplicationFailure } from '@temporalio/common';
import { describe, expect, it } from 'vitest';
import {
  ActivityError,
  FAILURES,
  toTemporalFailure,
  type FailureCode,
} from '../../../activities/failures.ts';

const NAME = 'Ada Sample';
const CODES = Object.keys(FAILURES) as FailureCode[];

/** Everything of a failure that Temporal would store. */
function stored(failure: ApplicationFailure): string {
  const { type, message, details, cause, failure: proto, category } = failure;
  const text = (value: unknown) =>
    value instanceof Error
      ? `${value.message} ${value.stack ?? ''}`
      : (JSON.stringify(value) ?? '');
  return [type, message, category, ...[details, cause, proto].map(text)].join('\n');
}

const withCause = new Error('wrapped', { cause: new Error(`IBAN of ${NAME}`) });
const withCode = Object.assign(new Error(`duplicate key: ${NAME}`), {
  code: '23505',
  detail: NAME,
});
const ours = ApplicationFailure.create({
  ...{ type: 'ENGINE_FAULT', message: `holder ${NAME}`, details: [{ holder: NAME }] },
  cause: new Error(NAME),
});
const foreign = ApplicationFailure.create({ type: NAME, message: NAME });

describe('what leaves an activity', () => {
  it.each<[string, unknown]>([
    ['an error', new Error(`no account of ${NAME}`)],
    ['an error with a cause', withCause],
    ["a database's error", withCode],
    ['an ApplicationFailure with one of our codes', ours],
    ['an ApplicationFailure with another type', foreign],
    ['a text', NAME],
    ['nothing', undefined],
  ])('of %s is a code and its fixed text', (_what, error) => {
    const failure = toTemporalFailure(error);
    expect(stored(failure)).not.toContain('Sample');
    expect(failure.type).toBe('ENGINE_FAULT');
    expect(failure.message).toBe(FAILURES.ENGINE_FAULT.message);
    expect(failure.details ?? []).toEqual([]);
    expect(failure.cause).toBeUndefined();
  });

  it.each(['constructor', 'toString', '__proto__'])('never takes %s for a code', (type) => {
    const failure = toTemporalFailure(ApplicationFailure.create({ type, message: NAME }));
    expect([failure.type, failure.message]).toEqual([
      'ENGINE_FAULT',
      FAILURES.ENGINE_FAULT.message,
    ]);
  });

  it.each(CODES)('%s keeps its code and the delay that was asked for', (code) => {
    const failure = toTemporalFailure(new ActivityError(code, { retryAfterMs: 30_000 }));
    expect(failure).toMatchObject({ type: code, message: FAILURES[code].message });
    expect(failure.nextRetryDelay).toBe(30_000);
    expect(toTemporalFailure(new ActivityError(code)).nextRetryDelay).toBeUndefined();
  });

  it('twice is the same', () => {
    const once = toTemporalFailure(new ActivityError('NOT_FOUND', { retryAfterMs: 5 }));
    const twice = toTemporalFailure(once);
    expect([twice.type, twice.message, twice.nextRetryDelay]).toEqual([
      ...[once.type, once.message, once.nextRetryDelay],
    ]);
  });

  it.each(['ECONNREFUSED', '57P01', '08006', '40P01', '53300'])(
    'after the database failed with %s is DATABASE_UNREACHABLE',
    (code) => {
      const error = Object.assign(new Error(NAME), { code });
      expect(toTemporalFailure(error).type).toBe('DATABASE_UNREACHABLE');
    },
  );
});
