import { it } from 'vitest';
import { outliveOutage } from '../../support/customers/outlive-outage.ts';

/** 500 of them: test/volume. */
it('50 mails outlive a relay that is down for ten minutes and a worker that is killed twice', async () => {
  await outliveOutage({ notices: 40, codes: 5 });
});
