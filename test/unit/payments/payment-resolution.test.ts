import { ApplicationFailure } from '@temporalio/common';
import { describe, expect, it } from 'vitest';
import { readResolution } from '../../../workflows/payment-resolution.ts';

const GOOD = { action: 'RETRY', operator: 'Ola Sample', reason: 'the bank is back' };

describe('the argument of resolve', () => {
  it('is an action, an operator and a reason', () => {
    expect(readResolution(GOOD)).toEqual(GOOD);
    const longest = { ...GOOD, operator: 'o'.repeat(100), reason: 'r'.repeat(500) };
    expect(readResolution(longest)).toEqual(longest);
  });

  it.each<[unknown, string]>([
    [undefined, 'object'],
    [null, 'object'],
    ['RETRY', 'object'],
    [[], 'action'],
    [{ ...GOOD, action: 'CONFIRM_SETTLED' }, 'action'],
    [{ ...GOOD, action: 'retry' }, 'action'],
    [{ ...GOOD, action: undefined }, 'action'],
    [{ ...GOOD, operator: '' }, 'operator'],
    [{ ...GOOD, operator: '   ' }, 'operator'],
    [{ ...GOOD, operator: 'o'.repeat(101) }, 'operator'],
    [{ ...GOOD, operator: 7 }, 'operator'],
    [{ ...GOOD, reason: '' }, 'reason'],
    [{ ...GOOD, reason: 'r'.repeat(501) }, 'reason'],
    [{ ...GOOD, approvalId: 'apr_1' }, 'approvalId'],
  ])('%j is refused, naming what is wrong', (input, named) => {
    const read = () => readResolution(input);
    expect(read).toThrow(ApplicationFailure);
    expect(read).toThrow(named);
    try {
      read();
    } catch (error) {
      expect(error).toMatchObject({ type: 'INVALID_RESOLUTION', nonRetryable: true });
    }
  });

  it('answers with no more than the beginning of a name that it does not know', () => {
    const long = 'x'.repeat(5_000);
    try {
      readResolution({ ...GOOD, [long]: 1 });
      expect.unreachable();
    } catch (error) {
      expect((error as Error).message.length).toBeLessThan(100);
    }
  });
});
