import { it } from 'vitest';
import { outliveOutage } from '../../support/customers/outlive-outage.ts';

it('500 mails outlive a relay that is down for ten minutes and a worker that is killed twice', async () => {
  await outliveOutage({ notices: 440, codes: 30 });
}, 600_000);
