import { updatePasskeyRule } from '../../../db/customers/own-settings-store.ts';
import type { User } from '../../../domain/customers/access/person.ts';
import type { UseForm } from './ask-for-code.ts';
import type { OwnDeps } from './own-sessions.ts';
import { recordPersonAct } from './person-audit.ts';

/** Sets whether every user who logs in for a customer must have a passkey; it holds from their next page on. */
export function setPasskeyRule(
  { db, clock }: OwnDeps,
  { id, customer }: User,
  isRequired: boolean,
  useForm: UseForm,
): Promise<void> {
  return db.system(async (tx) => {
    await useForm(tx);
    if (!(await updatePasskeyRule(tx, customer.id, isRequired))) return;
    await recordPersonAct(
      tx,
      clock.now(),
      { id, customerId: customer.id },
      {
        action: 'customer.require_passkeys',
        subject: customer.id,
        details: { isRequired },
      },
    );
  });
}
