import { beforeAll, describe } from 'vitest';
import { testKilledBatch } from '../e2e/killed-batches.ts';
import { openStack, type Beneficiary } from '../e2e/stack.ts';

const stack = openStack();
let beneficiary: Beneficiary;
beforeAll(async () => {
  await stack.untilReady();
  beneficiary = await stack.addBeneficiary();
});

describe('a batch of a thousand payments, while API and worker are killed five times', () => {
  testKilledBatch(stack, () => beneficiary, { count: 1_000, bad: 37, kills: 5 });
});
