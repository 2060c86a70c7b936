import type { TestPeopleDeps } from '../../test-people.ts';
import { addTestOperator, addTestUser } from '../../test-people.ts';
import { givePasskey } from '../passkey-holder.ts';

/** Two owners: one with a passkey, one without. */
export async function addOwners(deps: TestPeopleDeps, customerId: string, origin: string) {
  const withDevice = await addTestUser(deps, customerId, 'OWNER');
  const withPasskey = await addTestUser(deps, customerId, 'OWNER');
  const passkey = await givePasskey(deps, origin, { id: withPasskey.id, customerId });
  return { withDevice, withPasskey, passkey };
}

/** Two operators with a passkey each, as every operator has one. */
export async function addOperators(deps: TestPeopleDeps, origin: string) {
  const add = async () => {
    const operator = await addTestOperator(deps, 'OPERATIONS');
    const person = { id: operator.id, customerId: null };
    return { ...operator, passkey: await givePasskey(deps, origin, person) };
  };
  return { first: await add(), second: await add() };
}
