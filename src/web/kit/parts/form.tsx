import type { FieldProblem } from '../forms/form-rules.ts';
import { FORM_FIELD } from '../forms/form-token.ts';
import { ErrorSummary } from './error-summary.tsx';
import type { Children } from './types.ts';

/** A form that is sent once: its token is the session's, the route's, and good for one use. */
export const Form = (props: {
  readonly action: string;
  readonly token: string;
  /** What its button says; left out where what it holds sends it. */
  readonly submit?: string;
  readonly problems?: readonly FieldProblem[];
  /** What it does cannot be taken back. */
  readonly isDangerous?: boolean;
  /** It is not what its page is for. */
  readonly isPlain?: boolean;
  readonly children?: Children;
}) => (
  <form method="post" action={props.action} noValidate>
    <ErrorSummary problems={props.problems ?? []} />
    <input type="hidden" name={FORM_FIELD} value={props.token} />
    {props.children}
    {props.submit === undefined ? null : (
      <button type="submit" class={buttonOf(props)}>
        {props.submit}
      </button>
    )}
  </form>
);

const buttonOf = ({
  isDangerous,
  isPlain,
}: {
  isDangerous?: boolean;
  isPlain?: boolean;
}): string =>
  isDangerous === true
    ? 'button button-danger'
    : isPlain === true
      ? 'button button-plain'
      : 'button';
