/** What a page says where the browser gave none: the script in the browser, or the server. */
export const NO_PASSKEY = 'The browser returned no passkey. Try again.';

/**
 * Asks the browser for a passkey and sends its form with the answer. Stands in a form; shown where the
 * script is there to serve it, and what `without` says elsewhere.
 */
export const PasskeyButton = (props: {
  /** `create`: a new one is made; `get`: one that is known is shown. */
  readonly kind: 'create' | 'get';
  /** What the browser is asked, as JSON of WebAuthn's options. */
  readonly options: string;
  /** The field that the answer is sent in. */
  readonly field: string;
  readonly text: string;
  readonly without: string;
  /** It is not what its page is for. */
  readonly isPlain?: boolean;
}) => (
  <div class="passkey">
    <input type="hidden" name={props.field} value="" />
    <button
      type="button"
      class={props.isPlain === true ? 'button button-plain' : 'button'}
      data-passkey={props.kind}
      data-options={props.options}
      data-field={props.field}
      data-refused={NO_PASSKEY}
      hidden
    >
      {props.text}
    </button>
    <p class="muted">{props.without}</p>
  </div>
);
