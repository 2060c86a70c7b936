import type { FormRules } from './form-rules.ts';

/** The name that the proof of a second step is sent under. */
export const PROOF_FIELD = 'proof';
/** What an authenticator answered. Who has a passkey proves an act with it, and with no code. */
export const PASSKEY_PROOF_FIELD = 'proof-passkey';

/** The id that a proposal gets, which was named when its signature was asked for. */
export const SIGNED_ID_FIELD = 'proof-approval';

/** What a form of an act that takes step-up may hold beside its own fields. */
export const PROOF_RULES: FormRules = {
  [PROOF_FIELD]: { what: 'the code', lengthMax: 100, isOptional: true },
  [PASSKEY_PROOF_FIELD]: { what: 'a passkey', lengthMax: 12_000, isOptional: true },
  [SIGNED_ID_FIELD]: { what: 'the proposal', lengthMax: 40, isOptional: true },
};
