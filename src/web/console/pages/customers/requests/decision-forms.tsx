import { DECLINE_REASONS } from '../../../../../modules/customers/access/decide-access-request.ts';
import { Card } from '../../../../kit/parts/card.tsx';
import { SelectField } from '../../../../kit/parts/field.tsx';
import { Form } from '../../../../kit/parts/form.tsx';
import { REASON_TEXTS } from './request-words.ts';

interface FormsProps {
  readonly requestId: string;
  /** A token for a form that is sent to that path. */
  readonly newForm: (path: string) => string;
}

/** Approve and decline, each confirmed by a second step. */
export function DecisionForms({ requestId, newForm }: FormsProps) {
  const approve = `/requests/${requestId}/approve`;
  const decline = `/requests/${requestId}/decline`;
  return (
    <div class="columns">
      <Card title="Approve">
        <p class="muted">
          Approving creates the customer with test funds and emails its first owner a link. Live
          access is a separate decision. Do not approve a company that you could not verify.
        </p>
        <Form action={approve} token={newForm(approve)} submit="Approve the request" />
      </Card>
      <Card title="Decline">
        <p class="muted">The applicant learns that the request was declined, but not why.</p>
        <Form action={decline} token={newForm(decline)} submit="Decline the request" isDangerous>
          <SelectField
            name="reason"
            label="Reason, for the audit log"
            value="OTHER"
            options={DECLINE_REASONS.map((value) => ({ value, text: REASON_TEXTS[value] }))}
          />
        </Form>
      </Card>
    </div>
  );
}

/** For a first owner whose link was lost or is too old: no other user could invite them. */
export function InviteOwnerForm({ requestId, newForm }: FormsProps) {
  const path = `/requests/${requestId}/invite`;
  return (
    <Card title="Invitation">
      <p class="muted">The first owner has not used the link. A new link replaces the old one.</p>
      <Form action={path} token={newForm(path)} submit="Send a new link" />
    </Card>
  );
}
