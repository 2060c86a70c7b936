import { expect, it } from 'vitest';
import { waiting } from '../../../src/domain/payments/chain-reports.ts';

it('a transfer that was sent, and waits behind one that nobody signs, is not said to be held', () => {
  expect(waiting('SIGNING_STOPPED', true)).toMatchObject({
    ...{ status: 'ON_HOLD', statusDetail: 'SIGNING_STOPPED', fundsStatus: 'IN_RAIL' },
  });
  expect(waiting('SIGNING_STOPPED', false)).toMatchObject({
    ...{ status: 'ON_HOLD', statusDetail: 'SIGNING_STOPPED', fundsStatus: 'HELD' },
  });
});
