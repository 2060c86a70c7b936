import type { LimitReason } from '../../../../domain/payments/limits/payment-limit.ts';
import { linkTo } from '../../../kit/list-pages.ts';
import { Card } from '../../../kit/parts/card.tsx';
import { Form } from '../../../kit/parts/form.tsx';
import { LiveRegion } from '../../../kit/parts/live-region.tsx';

interface ActForm {
  readonly action: string;
  readonly token: string;
}

/** What a payment that waits for its customer is over, and what this user may do about it. */
export interface ApprovalProps {
  readonly reasons: readonly LimitReason[];
  /** Null where it is not to be offered. */
  readonly approve: ActForm | null;
  readonly decline: ActForm | null;
  /** The user made the key that made the payment. */
  readonly isOwnKey: boolean;
  readonly limitsHref: string;
  /** Its bank account or wallet. */
  readonly destinationId: string;
}

const REASON_WORDS: Readonly<Record<LimitReason, string>> = {
  PER_PAYMENT: 'It is above the limit for one payment.',
  PER_DAY: 'With it, the payments of the day are above the limit for one day.',
  BENEFICIARY: 'Its beneficiary is not on the list of allowed beneficiaries.',
  CURRENCY: 'There are limits, and none for the currency that it takes from.',
};

export const ApprovalCard = (
  props: ApprovalProps & {
    readonly version: number;
    readonly live: { readonly everyMs: number; readonly says: string };
  },
) => {
  const { reasons, approve, decline } = props;
  return (
    <Card title="Approval" aside={<a href={props.limitsHref}>Payment limits</a>}>
      <ul>
        {reasons.map((reason) => (
          <li key={reason}>{REASON_WORDS[reason]}</li>
        ))}
      </ul>
      {reasons.includes('BENEFICIARY') ? (
        <p>
          <a href={linkTo(props.limitsHref, { destination: props.destinationId })}>
            Allow this beneficiary
          </a>{' '}
          <code>{props.destinationId}</code>
        </p>
      ) : null}
      <p class="muted">{whoDecides(props)}</p>
      {approve === null ? null : (
        <Form {...approve} submit="Approve this payment">
          <Version {...props} id="approve-version" />
        </Form>
      )}
      {decline === null ? null : (
        <Form {...decline} submit="Decline and cancel" isDangerous>
          <Version {...props} id="decline-version" />
        </Form>
      )}
    </Card>
  );
};

function whoDecides({ approve, decline, isOwnKey }: ApprovalProps): string {
  if (approve !== null) {
    return 'Nothing has been sent. If you decline, the full amount goes back to your balance. You confirm either with a code.';
  }
  if (isOwnKey && decline !== null) {
    return 'You created the API key that made this payment. Another owner or finance user must approve it.';
  }
  return 'An owner or finance user must approve it.';
}

const Version = (props: {
  readonly id: string;
  readonly version: number;
  readonly live: { readonly everyMs: number; readonly says: string };
}) => (
  <LiveRegion id={props.id} {...props.live}>
    <input type="hidden" name="version" value={props.version} />
  </LiveRegion>
);
