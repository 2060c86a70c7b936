import type { Surface } from '../../domain/customers/access/rights.ts';
import type { LoginPerson } from '../../db/customers/login-store.ts';
import type { FieldProblem } from '../kit/forms/form-rules.ts';
import { ButtonChoice } from '../kit/parts/button-choice.tsx';
import { ErrorSummary } from '../kit/parts/error-summary.tsx';
import { TextField } from '../kit/parts/field.tsx';
import { Form } from '../kit/parts/form.tsx';
import { Gate } from '../kit/parts/gate.tsx';
import { PasskeyButton } from '../kit/parts/passkey-button.tsx';

interface AddressPage {
  readonly surface: Surface;
  readonly token: string;
  readonly address: string;
  readonly next: string;
  readonly problems: readonly FieldProblem[];
  readonly passkey: { readonly token: string; readonly options: string };
  /** What the login of the company is called; null where there is none. */
  readonly providerName: string | null;
}

/**
 * Asks who it is: by a passkey, by the provider if there is one, or by an address that gets a code. One way comes first:
 * operators have passkeys, and every user has an address.
 */
export const addressPage = (given: AddressPage) => (
  <Gate>
    <h1>Log in</h1>
    {given.surface === 'console' ? <p class="muted">Operators only.</p> : null}
    <ByPasskey {...given} />
    {given.providerName === null ? null : (
      <ProviderLink name={given.providerName} next={given.next} isPlain />
    )}
    <ByCode {...given} />
    {given.surface === 'console' ? null : (
      <p class="muted">
        No account yet? <a href="/request-access">Request access</a>
      </p>
    )}
  </Gate>
);

const isOfPasskey = ({ field }: FieldProblem): boolean => field === 'passkey';

const PasskeyField = (props: { readonly options: string; readonly isPlain?: boolean }) => (
  <div id="passkey">
    <PasskeyButton
      kind="get"
      options={props.options}
      isPlain={props.isPlain}
      field="passkey"
      text="Log in with a passkey"
      without="Passkeys need JavaScript and a browser that supports them."
    />
  </div>
);

const ByPasskey = ({ surface, passkey, next, problems }: AddressPage) => (
  <Form action="/login/passkey" token={passkey.token} problems={problems.filter(isOfPasskey)}>
    <input type="hidden" name="next" value={next} />
    <PasskeyField options={passkey.options} isPlain={surface !== 'console'} />
  </Form>
);

const ByCode = ({ surface, token, address, next, problems }: AddressPage) => {
  const own = problems.filter((one) => !isOfPasskey(one));
  return (
    <Form
      action="/login"
      token={token}
      submit="Send the code"
      isPlain={surface === 'console'}
      problems={own}
    >
      <p class="muted">Or receive a code by email.</p>
      <input type="hidden" name="next" value={next} />
      <TextField
        name="address"
        label="Email address"
        type="email"
        autocomplete="username"
        value={address}
        problems={own}
      />
    </Form>
  );
};

/** Where the provider is the only way in. */
export const providerPage = (surface: Surface, name: string, next: string) => (
  <Gate>
    <h1>Log in</h1>
    {surface === 'console' ? <p class="muted">Operators only.</p> : null}
    <ProviderLink name={name} next={next} />
  </Gate>
);

const ProviderLink = (props: {
  readonly name: string;
  readonly next: string;
  readonly isPlain?: boolean;
}) => (
  <p>
    <a
      class={props.isPlain === true ? 'button button-plain' : 'button'}
      href={`/login/provider?next=${encodeURIComponent(props.next)}`}
    >
      Log in with {props.name}
    </a>
  </p>
);

/** Asks for the code. It says the same whether one was mailed or not. */
export const codePage = (given: {
  readonly token: string;
  readonly anotherToken: string;
  readonly code: string;
  readonly problems: readonly FieldProblem[];
}) => (
  <Gate>
    <h1>Enter your code</h1>
    <p class="muted">
      If we know this address, we sent a code to it. The code works for 5 minutes and only in this
      browser.
    </p>
    <Form action="/login/code" token={given.token} submit="Log in" problems={given.problems}>
      <TextField
        name="code"
        label="8-digit code"
        hint="Spaces do not matter."
        autocomplete="one-time-code"
        inputMode="numeric"
        isCode
        value={given.code}
        problems={given.problems}
      />
    </Form>
    <Form action="/login/another" token={given.anotherToken}>
      <button type="submit" class="button-link">
        Send another code
      </button>
    </Form>
  </Gate>
);

/** Asks which of the people of one address it is to be. */
export const choicePage = (given: {
  readonly token: string;
  readonly code: string;
  readonly people: readonly LoginPerson[];
}) => (
  <Gate>
    <h1>Choose an account</h1>
    <p class="muted">More than one user has your address.</p>
    <Form action="/login/code" token={given.token}>
      <input type="hidden" name="code" value={given.code} />
      <ButtonChoice
        name="user"
        choices={given.people.map(({ id, role, customerName }) => ({
          value: id,
          text: customerName ?? id,
          detail: role.toLowerCase(),
        }))}
      />
    </Form>
  </Gate>
);

/** Asks for the passkey after the code, which is as good as before. */
export const passkeyPage = (given: {
  readonly token: string;
  readonly code: string;
  readonly personId: string;
  readonly options: string;
  readonly problems: readonly FieldProblem[];
}) => (
  <Gate>
    <h1>Use your passkey</h1>
    <p class="muted">Your account also needs one of your passkeys.</p>
    <ErrorSummary problems={given.problems} />
    <Form action="/login/code" token={given.token}>
      <input type="hidden" name="code" value={given.code} />
      <input type="hidden" name="user" value={given.personId} />
      <PasskeyField options={given.options} />
    </Form>
    <p class="muted">
      Lost all your passkeys? Ask an operator to remove them. Two operators have to approve it.
    </p>
  </Gate>
);
