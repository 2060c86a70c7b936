import { ApplicationFailure } from '@temporalio/common';
import { describe, expect, it } from 'vitest';
import { readResolution } from '../../../workflows/payment-resolution.ts';

const DECISION = 'dec_01h2xcejqtf2nbrexx3vqjhp41';
const GOOD = { action: 'RETRY', decisionId: DECISION };

describe('the argument of resolve', () => {
  it('is an action, with or without the id of a stored decision', () => {
    expect(readResolution(GOOD)).toEqual(GOOD);
    expect(readResolution({ action: 'RETRY' })).toEqual({ action: 'RETRY' });
  });

  it.each<[unknown, string]>([
    [undefined, 'object'],
    [null, 'object'],
    ['RETRY', 'object'],
    [[], 'action'],
    [{ ...GOOD, action: 'CONFIRM_SETTLED' }, 'action'],
    [{ ...GOOD, action: 'retry' }, 'action'],
    [{ ...GOOD, action: undefined }, 'action'],
    [{ ...GOOD, decisionId: '' }, 'decisionId'],
    [{ ...GOOD, decisionId: null }, 'decisionId'],
    [{ ...GOOD, decisionId: DECISION.replace('dec', 'pay') }, 'decisionId'],
    [{ ...GOOD, decisionId: `${DECISION} because of Wilhelmina` }, 'decisionId'],
    [{ ...GOOD, operator: 'Wilhelmina' }, 'fields besides'],
    [{ ...GOOD, reason: 'Wilhelmina asked' }, 'fields besides'],
    [{ ...GOOD, ['Wilhelmina'.repeat(500)]: 1 }, 'fields besides'],
  ])('%j is refused in words of our own, without repeating any of it', (input, named) => {
    const read = () => readResolution(input);
    expect(read).toThrow(ApplicationFailure);
    expect(read).toThrow(named);
    try {
      read();
    } catch (error) {
      expect(error).toMatchObject({ type: 'INVALID_RESOLUTION', nonRetryable: true });
      expect((error as Error).message).not.toContain('Wilhelmina');
    }
  });
});
