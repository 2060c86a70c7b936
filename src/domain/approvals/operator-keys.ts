import type { OperatorRole } from '../customers/access/operator-rights.ts';
import type { Environment } from '../scope.ts';

/** What an authenticator signed for one decision (WebAuthn level 2, section 6.3.3). */
export interface Assertion {
  readonly credentialId: Buffer;
  readonly authenticatorData: Buffer;
  /** The JSON that the browser made of the challenge and its origin, byte by byte. */
  readonly clientData: Buffer;
  readonly signature: Buffer;
}

/** What a file key signed: the document of one decision (`decisionDocument`). */
export interface FileSignature {
  /** SHA-256 of the public key's SubjectPublicKeyInfo. */
  readonly credentialId: Buffer;
  readonly authenticatorData: null;
  readonly clientData: null;
  /** Of Ed25519 (RFC 8032, section 5.1.6). */
  readonly signature: Buffer;
}

/** What an operator signed a decision with: a passkey, or a file key. */
export type KeySignature = Assertion | FileSignature;

/** A public key that decisions of one operator are signed with. */
export interface OperatorKey {
  readonly kind: 'PASSKEY' | 'FILE';
  /** Of a passkey: a COSE key (RFC 9052, section 7). Of a file key: its SubjectPublicKeyInfo for Ed25519 (RFC 8410, section 4). */
  readonly publicKey: Buffer;
  /** The role that the operator has where keys are named; null where the account's role alone counts. */
  readonly role: OperatorRole | null;
}

/** The keys that decisions of operators are signed with. Nothing of it is read from the database. */
export interface OperatorKeys {
  /** Another number after each change of the keys: what was judged by others is judged again. */
  readonly version: number;
  /** Where browsers reach the console: an assertion of another origin is none (WebAuthn level 2, section 13.4.9). */
  readonly origin: string;
  /** The key of that credential, where it is a key of that operator; otherwise null. */
  find(operatorId: string, credentialId: Buffer): OperatorKey | null;
  /** The credentials of the operator's file keys. */
  fileKeysOf(operatorId: string): readonly Buffer[];
  /** Whether that approval was in effect before decisions were signed, and says what it said when it was named beside the keys. */
  isFromBefore(approval: {
    readonly id: string;
    readonly customerId: string;
    readonly environment: Environment;
    /** Made of what the approval says now. */
    readonly contentHash: Buffer;
  }): boolean;
  /** Signs a challenge in an operator's name; null where only their authenticator can. */
  readonly sign: ((operatorId: string, challenge: string) => Assertion) | null;
}
