/**
 * Is this a RUT (Chile) without dots and hyphen: seven or eight digits and a check digit modulo 11 by
 * weights 2 to 7 from the right, K for ten? Source: Servicio de Impuestos Internos.
 */
export function isValidRut(text: string): boolean {
  if (!/^[1-9][0-9]{6,7}[0-9K]$/.test(text)) return false;
  const digits = text.slice(0, -1);
  let sum = 0;
  for (let i = 0; i < digits.length; i += 1) {
    sum += Number(digits[digits.length - 1 - i]) * (2 + (i % 6));
  }
  const check = 11 - (sum % 11);
  return text.endsWith(check === 11 ? '0' : check === 10 ? 'K' : String(check));
}
