const DELAY_SECONDS = /^[0-9]{1,9}$/;
const HTTP_DATE = /^[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT$/;

/**
 * The seconds that a Retry-After header asks for, from `now` on, never negative; undefined where it
 * is neither seconds nor an IMF-fixdate. RFC 9110, section 10.2.3.
 */
export function readRetryAfter(header: string, now: Date): number | undefined {
  const text = header.trim();
  if (DELAY_SECONDS.test(text)) return Number(text);
  if (!HTTP_DATE.test(text)) return undefined;
  const seconds = (Date.parse(text) - now.getTime()) / 1_000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, Math.ceil(seconds));
}
