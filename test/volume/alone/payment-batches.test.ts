import { beforeAll, describe } from 'vitest';
import { testKilledBatch } from '../../support/e2e/killed-batches.ts';
import { openStack, type Beneficiary } from '../../support/e2e/stack.ts';
import { sizeOf } from '../../support/campaign.ts';

const COUNT = sizeOf(300, 1_000);

const stack = openStack();
let beneficiary: Beneficiary;
beforeAll(async () => {
  await stack.untilReady();
  beneficiary = await stack.addBeneficiary();
});

describe(`a batch of ${String(COUNT)} payments, while API and worker are killed`, () => {
  testKilledBatch(stack, () => beneficiary, {
    count: COUNT,
    bad: sizeOf(13, 37),
    kills: sizeOf(3, 5),
  });
});
