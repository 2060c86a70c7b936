/**
 * Where money can be, in the order of its way: to a bank account, and to a wallet. A deposit that is waited for is
 * in no balance.
 */
const BANK_WAY = ['Balance', 'Reserved', 'At the bank', 'Beneficiary'] as const;
const CHAIN_WAY = ['Balance', 'Reserved', 'On the network', 'Beneficiary'] as const;

const AWAITED = 'Deposit';

export type Place = (typeof BANK_WAY | typeof CHAIN_WAY)[number] | typeof AWAITED;

export interface ProgressStepsProps {
  readonly at: Place;
  readonly isUnknown?: boolean;
  /** It goes to a wallet. */
  readonly isOnChain?: boolean;
}

/** Where a payment's money is: one step is filled. Unknown: it is dashed between the two that it may be at. */
export const ProgressSteps = (props: ProgressStepsProps) => {
  const way: readonly Place[] = props.isOnChain === true ? CHAIN_WAY : BANK_WAY;
  const places = props.at === AWAITED ? [AWAITED, ...way.slice(1)] : way;
  const here = places.indexOf(props.at);
  const stateOf = (index: number): string => {
    if (index === here) return props.isUnknown === true ? 'unknown' : 'here';
    return index < here ? 'past' : 'ahead';
  };
  return (
    <ol class="progress-steps">
      {places.map((place, index) => (
        <li
          key={place}
          class={`progress-step-${stateOf(index)}`}
          aria-current={index === here ? 'step' : undefined}
        >
          <span class="progress-mark" aria-hidden="true" />
          {place}
          {stateOf(index) === 'unknown' ? <small>not known for certain</small> : null}
        </li>
      ))}
    </ol>
  );
};
