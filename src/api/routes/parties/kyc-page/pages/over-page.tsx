import type { KycStatus } from '../../../../../domain/parties/kyc/kyc-states.ts';
import { Gate } from '../../../../../web/kit/parts/gate.tsx';
import { WayBack } from './way-back.tsx';

/**
 * The check is over. Why one was declined stays with the company: naming some reasons is forbidden by law,
 * and naming the others alone would name those.
 */
export const OverPage = (props: {
  readonly status: KycStatus;
  readonly customerName: string;
  readonly redirectUrl: string | null;
}) => {
  const isApproved = props.status === 'APPROVED';
  return (
    <Gate home={null}>
      <h1>{isApproved ? 'You are verified' : 'This check is closed'}</h1>
      <p class="muted">
        {isApproved
          ? 'There is nothing more to do.'
          : `There is nothing more to do here. Ask ${props.customerName} how to go on.`}
      </p>
      <WayBack {...props} />
    </Gate>
  );
};
