/** Decimal text with a comma at every third digit, and a real minus sign: "-1250.00" is "−1,250.00". */
export function groupDigits(amount: string): string {
  const [, sign = '', whole = '', rest = ''] = /^(-?)(\d+)(.*)$/.exec(amount) ?? [];
  if (whole === '') throw new RangeError('an amount is decimal text');
  const grouped = whole.replace(/\d(?=(\d{3})+$)/g, '$&,');
  return `${sign === '' ? '' : '\u2212'}${grouped}${rest}`;
}

/** An amount in major units as the API tells it, its currency small behind. */
export const Money = (props: { readonly amount: string; readonly currency: string }) => (
  <span class="money">
    <b>{groupDigits(props.amount)}</b> <small>{props.currency}</small>
  </span>
);
