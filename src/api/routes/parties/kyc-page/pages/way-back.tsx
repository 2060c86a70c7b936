/** Back to the company, where it said where that is. */
export const WayBack = (props: {
  readonly customerName: string;
  readonly redirectUrl: string | null;
}) =>
  props.redirectUrl === null ? (
    <p class="muted">You can close this page.</p>
  ) : (
    <p>
      <a href={props.redirectUrl} rel="noreferrer">
        Go back to {props.customerName}
      </a>
    </p>
  );
