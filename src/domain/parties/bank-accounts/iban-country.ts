import { countrySpecs } from 'ibantools';

/**
 * Territories whose banks write their IBANs, and some their BICs, under another country. Source: SWIFT,
 * IBAN Registry, "Country code includes other countries/territories" of FI, FR and GB.
 */
const HOME_OF: Readonly<Record<string, string>> = {
  AX: 'FI',
  ...Object.fromEntries(
    'BL GF GP MF MQ NC PF PM RE TF WF YT'.split(' ').map((territory) => [territory, 'FR']),
  ),
  ...Object.fromEntries(['GG', 'IM', 'JE'].map((territory) => [territory, 'GB'])),
};

/**
 * Countries of the registry that we know of no rule for that a payment from abroad must name an IBAN:
 * both kinds of number are taken there.
 */
const EITHER = new Set('BI DJ FK LC LY MN NI RU SD SO YE'.split(' '));

/** The country under which accounts of this country have their IBANs: mostly itself. */
export function ibanHome(country: string): string {
  return HOME_OF[country] ?? country;
}

/** Whether there are IBANs of this country, in the registry or by the banks' own custom. */
export function hasIbans(country: string): boolean {
  return countrySpecs[ibanHome(country)]?.bban_regexp !== undefined;
}

/** Whether a payment from abroad must name the account by its IBAN. Source: SWIFT, IBAN Registry. */
export function needsIban(country: string): boolean {
  const home = ibanHome(country);
  return countrySpecs[home]?.IBANRegistry === true && !EITHER.has(home);
}

/** Countries that the BIC of an account's bank may name: the account's own first. */
export function bicCountries(country: string): string[] {
  const home = ibanHome(country);
  const others = [home, ...Object.keys(HOME_OF).filter((other) => HOME_OF[other] === home)];
  return [country, ...others.filter((other) => other !== country)];
}
