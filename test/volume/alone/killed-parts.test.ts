import { beforeAll, describe } from 'vitest';
import { testKilledBatch } from '../../support/e2e/killed-batches.ts';
import { testLostAnswers } from '../../support/e2e/lost-answers.ts';
import { testOutages } from '../../support/e2e/outages.ts';
import { testRandomKills } from '../../support/e2e/random-kills.ts';
import { openStack, type Beneficiary } from '../../support/e2e/stack.ts';

// They stop, kill and mislead parts of one stack, so they are one file: vitest runs files side by side.
const stack = openStack();
let beneficiary: Beneficiary;
const to = () => beneficiary;

beforeAll(async () => {
  await stack.untilReady();
  beneficiary = await stack.addBeneficiary();
});

describe('an answer of the bank that never arrives', () => {
  testLostAnswers(stack, to);
});

describe('an outage', () => {
  testOutages(stack, to);
});

describe('API, worker and signer killed at random moments', () => {
  testRandomKills(stack, to);
});

describe('a batch of payments, while API and worker are killed', () => {
  testKilledBatch(stack, to, { count: 100, bad: 7, kills: 3 });
});
