/** Where money can be, in the order of its way. */
const PLACES = ['Balance', 'Reserved', 'At the bank', 'Beneficiary'] as const;

export type Place = (typeof PLACES)[number];

/** Where a payment's money is: one stone is filled. Unknown: it is dashed between the two that it may be at. */
export const Stones = (props: { readonly at: Place; readonly isUnknown?: boolean }) => {
  const here = PLACES.indexOf(props.at);
  const stateOf = (index: number): string => {
    if (index === here) return props.isUnknown === true ? 'unknown' : 'here';
    return index < here ? 'past' : 'ahead';
  };
  return (
    <ol class="stones">
      {PLACES.map((place, index) => (
        <li
          key={place}
          class={`stone-${stateOf(index)}`}
          aria-current={index === here ? 'step' : undefined}
        >
          <span class="stone" aria-hidden="true" />
          {place}
          {stateOf(index) === 'unknown' ? <small>not known for certain</small> : null}
        </li>
      ))}
    </ol>
  );
};
