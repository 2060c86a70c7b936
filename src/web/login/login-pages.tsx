import type { Surface } from '../../domain/customers/access/rights.ts';
import type { LoginPerson } from '../../db/customers/login-store.ts';
import type { FieldProblem } from '../kit/forms/form-rules.ts';
import { ButtonChoice } from '../kit/parts/button-choice.tsx';
import { ErrorSummary } from '../kit/parts/error-summary.tsx';
import { TextField } from '../kit/parts/field.tsx';
import { Form } from '../kit/parts/form.tsx';
import { Gate } from '../kit/parts/gate.tsx';
import { PasskeyButton } from '../kit/parts/passkey-button.tsx';

/** Asks for the address. */
export const addressPage = (given: {
  readonly surface: Surface;
  readonly token: string;
  readonly address: string;
  readonly next: string;
  readonly problems: readonly FieldProblem[];
}) => (
  <Gate>
    <h1>Log in</h1>
    <p class="muted">
      {given.surface === 'console' ? 'Operators only. ' : ''}
      You receive a code by email each time you log in.
    </p>
    <Form action="/login" token={given.token} submit="Send the code" problems={given.problems}>
      <input type="hidden" name="next" value={given.next} />
      <TextField
        name="address"
        label="Email address"
        type="email"
        autocomplete="username"
        value={given.address}
        problems={given.problems}
      />
    </Form>
    {given.surface === 'console' ? null : (
      <p class="muted">
        No account yet? <a href="/request-access">Request access</a>
      </p>
    )}
  </Gate>
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
    <p class="muted">Your code is correct. Your account also needs one of your passkeys.</p>
    <ErrorSummary problems={given.problems} />
    <Form action="/login/code" token={given.token}>
      <input type="hidden" name="code" value={given.code} />
      <input type="hidden" name="user" value={given.personId} />
      <div id="passkey">
        <PasskeyButton
          kind="get"
          options={given.options}
          field="passkey"
          text="Log in with a passkey"
          without="Passkeys need JavaScript and a browser that supports them."
        />
      </div>
    </Form>
    <p class="muted">
      Lost all your passkeys? Ask an operator to remove them. Two operators have to approve it.
    </p>
  </Gate>
);
