/** Is this the IANA name of a time zone, as "Europe/Brussels"? Offsets and abbreviations are none. */
export function isTimeZone(name: string): boolean {
  if (!/^([A-Z][A-Za-z_]+(\/[A-Za-z0-9_+-]+)+|UTC)$/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
