import { it } from 'vitest';
import { openEverywhere, payOneOfEach } from '../../support/payments/every-corridor.ts';

it('the sandbox pays an account in every country, every currency and over every rail', async () => {
  const everywhere = await openEverywhere();
  try {
    await payOneOfEach(everywhere, ['country', 'currency', 'rail']);
  } finally {
    await everywhere.harness.close();
  }
}, 600_000);
