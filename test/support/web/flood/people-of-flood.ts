import type { TestPeopleDeps } from '../../test-people.ts';
import { addTestOperator, addTestUser } from '../../test-people.ts';
import { givePasskey } from '../passkey-holder.ts';

/** Two owners, of whom the second has a passkey. */
export async function addOwners(deps: TestPeopleDeps, customerId: string, origin: string) {
  const first = await addTestUser(deps, customerId, 'OWNER');
  const second = await addTestUser(deps, customerId, 'OWNER');
  const passkey = await givePasskey(deps, origin, { id: second.id, customerId });
  return { first, second: { ...second, passkey } };
}

/** Two operators, of whom the second has a passkey. The first has one once `giveFirst` is called. */
export async function addOperators(deps: TestPeopleDeps, origin: string) {
  const first = await addTestOperator(deps, 'OPERATIONS');
  const second = await addTestOperator(deps, 'OPERATIONS');
  const give = (id: string) => givePasskey(deps, origin, { id, customerId: null });
  return {
    ...{ first, second: { ...second, passkey: await give(second.id) } },
    giveFirst: () => give(first.id),
  };
}
