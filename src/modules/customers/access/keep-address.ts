import { forgetDevices } from '../../../db/customers/device-store.ts';
import { endSessions } from '../../../db/customers/own-session-store.ts';
import { findPersonCustomer } from '../../../db/customers/person-store.ts';
import { takeLink, type UsedLink } from './address-links.ts';
import type { LoginDeps, UseForm } from './ask-for-code.ts';
import { keepDevice } from './devices.ts';
import { recordPersonAct } from './person-audit.ts';

/**
 * Uses the link that the old address was mailed: the change is over. Another person may have asked for it, so the
 * person's sessions end, and all devices but this one are forgotten. False where the link is over.
 */
export function keepAddress(
  deps: LoginDeps,
  { surface, token, device }: UsedLink,
  useForm: UseForm,
): Promise<boolean> {
  return deps.db.system(async (tx) => {
    await useForm(tx);
    const change = await takeLink(deps, tx, 'CANCEL', surface, token);
    if (change === null) return false;
    const { personId } = change;
    const at = deps.clock.now();
    await endSessions(tx, personId, null, at);
    await forgetDevices(tx, personId, []);
    await keepDevice(deps, tx, personId, device);
    const person = { id: personId, customerId: await findPersonCustomer(tx, personId) };
    await recordPersonAct(tx, at, person, { action: 'person.keep_address' });
    return true;
  });
}
