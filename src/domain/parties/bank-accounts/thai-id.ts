/**
 * Is this a national or tax id of Thailand: thirteen digits, the last a check digit modulo 11 by weights
 * 13 down to 2? Source: Department of Provincial Administration; the Revenue Department uses the same.
 */
export function isValidThaiId(text: string): boolean {
  if (!/^[0-9]{13}$/.test(text)) return false;
  let sum = 0;
  for (let i = 0; i < 12; i += 1) sum += Number(text[i]) * (13 - i);
  return text[12] === String((11 - (sum % 11)) % 10);
}
