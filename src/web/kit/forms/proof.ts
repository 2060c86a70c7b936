import type { FormRules } from './form-rules.ts';

/** The name that the proof of a second step is sent under. */
export const PROOF_FIELD = 'proof';
/** What an authenticator answered, in the place of a code. */
export const PASSKEY_PROOF_FIELD = 'proof-passkey';
/** Who has a passkey asks for a code by mail with it. */
export const MAIL_PROOF_FIELD = 'proof-mail';

/** What a form of an act that takes step-up may hold beside its own fields. */
export const PROOF_RULES: FormRules = {
  [PROOF_FIELD]: { what: 'the code', lengthMax: 100, isOptional: true },
  [PASSKEY_PROOF_FIELD]: { what: 'a passkey', lengthMax: 12_000, isOptional: true },
  [MAIL_PROOF_FIELD]: { what: 'a code by mail', lengthMax: 1, isOptional: true },
};
