import type { CDPSession, Page } from 'playwright-core';

/** An authenticator inside the browser, which says yes to all that it is asked (WebAuthn level 2, section 11). */
export async function addAuthenticator(page: Page) {
  const cdp: CDPSession = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    ...{ hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
    automaticPresenceSimulation: true,
  } as const;
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', { options });
  return {
    /** How many keys it holds. */
    async count(): Promise<number> {
      const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId });
      return credentials.length;
    },
    /** Its person says no from now on, or yes again. */
    setVerified: (isUserVerified: boolean) =>
      cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
    /** Forgets its keys, as a phone that is lost. */
    forget: () => cdp.send('WebAuthn.clearCredentials', { authenticatorId }),
  };
}
