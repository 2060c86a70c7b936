// The package's main entry would load the names of all countries in some 80 languages.
import { alpha2ToAlpha3, getAlpha2Codes } from 'i18n-iso-countries/index.js';

/**
 * Is this an ISO 3166-1 alpha-2 code in upper case? XK counts: ISO leaves it to users, and banks in
 * Kosovo have it in their BICs and IBANs.
 */
export function isCountry(code: string): boolean {
  return /^[A-Z]{2}$/.test(code) && alpha2ToAlpha3(code) !== undefined;
}

/** All codes that isCountry accepts, in alphabetical order. */
export function countryCodes(): string[] {
  return Object.keys(getAlpha2Codes()).sort();
}
