const SYSTEM_PARTS: Readonly<Record<string, string>> = {
  settlement: 'by the engine',
  'bank-answer': 'by the bank’s answer',
  'bank-enquiry': 'by the bank’s answer to a question',
  'bank-callback': 'by a callback of the bank',
  'bank-statement': 'by a statement of the bank',
  chain: 'by the network',
  reconciliation: 'by reconciliation',
  'kyc-provider': 'by the KYC provider',
  screening: 'by screening',
  finality: 'by the end of the return window',
  sweep: 'by the reconciler',
  engine: 'by the engine',
};

/** Who did something, from the text that the history stores: see `actorText`. */
export function actorWords(actor: string): string {
  const at = actor.indexOf(':');
  const [kind, name] = [actor.slice(0, at), actor.slice(at + 1)];
  if (kind === 'system' && Object.hasOwn(SYSTEM_PARTS, name)) return SYSTEM_PARTS[name] ?? actor;
  if (kind === 'operator') return `by operator ${name}`;
  if (kind === 'api-key') return `by API key ${name}`;
  return kind === 'user' ? `by user ${name}` : actor;
}
