/** Errors of KMS and of finding credentials that operators can mend: they are told by name. */
const KNOWN_ERRORS: ReadonlySet<string> = new Set([
  ...['AccessDeniedException', 'DisabledException', 'NotFoundException', 'ThrottlingException'],
  ...['KMSInvalidStateException', 'InvalidKeyUsageException', 'KeyUnavailableException'],
  ...['UnrecognizedClientException', 'ExpiredTokenException', 'CredentialsProviderError'],
  // The bytes, their key in KMS or their encryption context are others.
  'InvalidCiphertextException',
  'TimeoutError',
]);

/** Why AWS KMS did not do what it was asked for. Nothing of what AWS says is passed on but the names above. */
export function kmsFailure(error: unknown): string {
  const name = error instanceof Error ? error.name : '';
  return KNOWN_ERRORS.has(name) ? name : 'no usable answer';
}
