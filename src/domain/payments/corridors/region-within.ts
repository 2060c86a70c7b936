/** How a restricted region is written in addresses of a country. */
export interface RegionWithin {
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** Names of the region. */
  readonly regions: readonly string[];
  /** Names of towns that lie in it and that the country has only once. */
  readonly cities: readonly string[];
  /** Names of the region that streets elsewhere have, too: they count in a street beside "oblast" only. */
  readonly adjectives?: readonly string[];
  /** Of the digits of a postal code: those that are given out nowhere else. */
  readonly postalCodes?: RegExp;
  /** A town of one of these names that lies elsewhere in the country, and how an address says so. */
  readonly namesake?: {
    readonly names: readonly string[];
    readonly regions: readonly string[];
    readonly postalCodes: RegExp;
  };
}
