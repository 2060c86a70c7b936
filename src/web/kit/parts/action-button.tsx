import { FORM_FIELD } from '../forms/form-token.ts';

/** A button that is a form by itself: what it does needs no more than its path. */
export const ActionButton = (props: {
  readonly action: string;
  readonly token: string;
  readonly text: string;
  /** What it does and to what, where many stand beside each other. */
  readonly label?: string;
}) => (
  <form method="post" action={props.action} class="action">
    <input type="hidden" name={FORM_FIELD} value={props.token} />
    <button type="submit" class="button button-plain" aria-label={props.label}>
      {props.text}
    </button>
  </form>
);
