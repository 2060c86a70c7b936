import type { Person } from '../../domain/customers/access/person.ts';
import { PageHead } from '../kit/parts/page-head.tsx';
import { AddressCard } from './address-card.tsx';
import { DisplayCard } from './display-card.tsx';
import { PasskeyCard } from './passkey-card.tsx';
import { RuleCard } from './rule-card.tsx';
import { SessionCard } from './session-card.tsx';
import type { SettingsProps } from './settings-props.ts';

/** All that is a person's own. Who must have a passkey first sees only where one is added. */
export const SettingsPage = (props: SettingsProps) => {
  const { person } = props;
  const isLocked = person.passkey.isRequired && !person.passkey.hasOne;
  return (
    <>
      <PageHead title="Settings" about={person.name} />
      {isLocked ? (
        <p class="notice" role="status">
          Your account needs a passkey. Add one to go on; until then nothing else is open to you.
        </p>
      ) : null}
      {person.kind === 'OPERATOR' && !person.isConfirmed ? (
        <p class="notice" role="status">
          An admin has to confirm your account. Until then, you can see and change only your
          settings.
        </p>
      ) : null}
      <PasskeyCard {...props} />
      <SessionCard {...props} />
      {isLocked ? null : (
        <>
          <DisplayCard {...props} />
          <AddressCard {...props} />
          {mayRule(person) ? <RuleCard {...props} /> : null}
        </>
      )}
    </>
  );
};

/** The form of a suspended customer's rule would be refused. */
const mayRule = (person: Person): boolean =>
  person.kind === 'USER' && person.role === 'OWNER' && !person.customer.isSuspended;
