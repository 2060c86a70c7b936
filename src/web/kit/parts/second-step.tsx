import type { FieldProblem } from '../forms/form-rules.ts';
import { PASSKEY_PROOF_FIELD, PROOF_FIELD, SIGNED_ID_FIELD } from '../forms/proof.ts';
import { Form } from './form.tsx';
import { TextField } from './field.tsx';
import { PasskeyButton } from './passkey-button.tsx';

/**
 * Asks for proof of one act: says what will be done, sends the same fields again unseen, and takes a
 * passkey, or the code that was mailed to a person who has none.
 */
export const SecondStep = (props: {
  readonly action: string;
  readonly token: string;
  /** The act in words, as the mail names it: "Create the live key deploy". */
  readonly act: string;
  readonly fields: Readonly<Record<string, readonly string[]>>;
  readonly problems?: readonly FieldProblem[];
  /** What the browser is asked for a passkey with; left out where the person has none. */
  readonly passkey?: string;
  /** The proposal that the passkey signs; left out where it signs none. */
  readonly approvalId?: string;
}) => {
  const { passkey, approvalId, problems = [] } = props;
  const takesCode = passkey === undefined;
  return (
    <div class="second-step">
      <h1>{takesCode ? 'Confirm with a code' : 'Confirm with your passkey'}</h1>
      <p>
        <b>{props.act}</b>
      </p>
      {takesCode ? (
        <p class="muted">
          We sent you a code by email. It works for 5 minutes, only in this browser, and only for
          this change.
        </p>
      ) : null}
      <Form
        action={props.action}
        token={props.token}
        problems={problems}
        {...(takesCode ? { submit: 'Confirm' } : {})}
      >
        {Object.entries(props.fields).flatMap(([name, texts]) =>
          texts.map((text) => <input key={name + text} type="hidden" name={name} value={text} />),
        )}
        {approvalId === undefined ? null : (
          <input type="hidden" name={SIGNED_ID_FIELD} value={approvalId} />
        )}
        {takesCode ? <Code problems={problems} /> : <Passkey options={passkey} />}
      </Form>
    </div>
  );
};

const Code = ({ problems }: { readonly problems: readonly FieldProblem[] }) => (
  <TextField
    name={PROOF_FIELD}
    label="8-digit code"
    hint="Spaces do not matter."
    autocomplete="one-time-code"
    inputMode="numeric"
    isCode
    problems={problems}
  />
);

const Passkey = ({ options }: { readonly options: string }) => (
  <div id="passkey" class="passkey-step">
    <PasskeyButton
      kind="get"
      options={options}
      field={PASSKEY_PROOF_FIELD}
      text="Confirm with a passkey"
      without="Passkeys need JavaScript and a browser that supports them."
    />
  </div>
);
