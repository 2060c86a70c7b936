import { updateDisplay } from '../../../db/customers/own-settings-store.ts';
import type { Person, Theme } from '../../../domain/customers/access/person.ts';
import type { UseForm } from './ask-for-code.ts';
import type { OwnDeps } from './own-sessions.ts';
import { customerOf, recordPersonAct } from './person-audit.ts';

/** Sets how pages are shown to a person: IANA's name of a time zone, and the theme. */
export function setDisplay(
  { db, clock }: OwnDeps,
  person: Person,
  display: { readonly timeZone: string; readonly theme: Theme },
  useForm: UseForm,
): Promise<void> {
  return db.system(async (tx) => {
    await useForm(tx);
    await updateDisplay(tx, person.id, display);
    const owner = { id: person.id, customerId: customerOf(person) };
    await recordPersonAct(tx, clock.now(), owner, {
      action: 'person.set_display',
      details: display,
    });
  });
}
