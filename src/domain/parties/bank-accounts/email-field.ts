import { requiredField } from './account-field.ts';

/** RFC 5321 without quoting, not anchored. */
export const EMAIL_PATTERN =
  "[A-Za-z0-9!#$%&'*+\\/=?^_`\\{\\|\\}~\\-]+(?:\\.[A-Za-z0-9!#$%&'*+\\/=?^_`\\{\\|\\}~\\-]+)*@(?:[A-Za-z0-9](?:[A-Za-z0-9\\-]{0,61}[A-Za-z0-9])?\\.)+[A-Za-z]{2,24}";

/** An email address that an account is registered under: RFC 5321 without quoting, 64 characters. */
export const EMAIL_FIELD = requiredField(
  {
    pattern: `^${EMAIL_PATTERN}$`,
    minLength: 6,
    // Interac: 64 characters.
    maxLength: 64,
    // The part before the @ is the recipient's, but no bank tells Ada@ from ada@.
    normalise: (text) => text.toLowerCase(),
  },
  {
    title: 'Email address',
    description: 'The email address registered for the account.',
    code: 'invalid_email',
    expectation: 'must be an email address',
    example: 'ada@example.com',
  },
);
