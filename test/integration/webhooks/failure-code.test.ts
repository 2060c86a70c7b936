import { describe, expect, it } from 'vitest';
import { failureCode } from '../../../src/modules/webhooks/failure-code.ts';

/** As undici tells of a socket's error. */
const fetchFailed = (code: string) =>
  new TypeError('fetch failed', { cause: Object.assign(new Error(`${code} planted`), { code }) });

describe('what is told of a send that failed', () => {
  it.each(
    [
      ...['ECONNREFUSED', 'EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN'],
      ...['EADDRNOTAVAIL', 'EACCES', 'EPERM', 'EINVAL', 'EMFILE'],
    ].map((code) => [code, 'CONNECT']),
  )('%s: no connection came about', (code, told) => {
    expect(failureCode(fetchFailed(code))).toBe(told);
  });

  it.each(['ECONNRESET', 'ECONNABORTED', 'ENETRESET', 'EPIPE'])('%s: it broke', (code) => {
    expect(failureCode(fetchFailed(code))).toBe('RESET');
  });

  it('is the first that is known of all addresses that were tried', () => {
    const errors = ['EHOSTDOWN', 'ETIMEDOUT'].map((code) => Object.assign(new Error(), { code }));
    expect(failureCode(new TypeError('x', { cause: new AggregateError(errors) }))).toBe('CONNECT');
  });

  it('is BAD_ANSWER for what came and is no HTTP', () => {
    expect(failureCode(fetchFailed('HPE_INVALID_CONSTANT'))).toBe('BAD_ANSWER');
  });
});
