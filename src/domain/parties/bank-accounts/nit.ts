const WEIGHTS = [3, 7, 13, 17, 19, 23, 29, 37, 41];

/**
 * Is this a NIT (Colombia, companies): nine digits and a check digit modulo 11 by primes from the right?
 * Source: DIAN, Orden Administrativa 4 of 1989.
 */
export function isValidNit(text: string): boolean {
  if (!/^[1-9][0-9]{9}$/.test(text)) return false;
  let sum = 0;
  for (let i = 0; i < 9; i += 1) sum += Number(text[8 - i]) * (WEIGHTS[i] ?? 0);
  const rest = sum % 11;
  return text[9] === String(rest < 2 ? rest : 11 - rest);
}
