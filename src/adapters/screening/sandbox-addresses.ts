import type { AskAddress } from '../../domain/parties/screening/address-screening.ts';

/**
 * The addresses of the sandbox: those that end with bad1 are blocked, those with bad2 from the first release
 * on, and all others are clear. No server is asked.
 */
export const askSandboxAddresses: AskAddress = ({ address, reason }) => {
  const end = address.slice(-4).toLowerCase();
  const isBlocked = end === 'bad1' || (end === 'bad2' && reason === 'RELEASE');
  return Promise.resolve({ verdict: isBlocked ? 'BLOCKED' : 'CLEAR', listVersion: 'sandbox' });
};
