/** RFC 5321, section 4.5.3.1.3: a path of 256 octets, its brackets included. */
export const ADDRESS_LENGTH_MAX = 254;

/** What HTML takes for an email address, with a dot in its domain: no one is reached at `root@localhost`. */
const ADDRESS =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/;

/**
 * An email address in the form in which it is kept and compared: lower case, no space around it. Null
 * where it is none. Mailboxes that differ in case alone are one to every provider that people use.
 */
export function readEmailAddress(text: string): string | null {
  const address = text.trim().toLowerCase();
  return address.length <= ADDRESS_LENGTH_MAX && ADDRESS.test(address) ? address : null;
}
