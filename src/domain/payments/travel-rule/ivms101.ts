/**
 * The part of IVMS101.2023 (interVASP messaging standard) that is written here, by the standard's own names.
 * Personal: it is sealed wherever it is kept.
 */
export interface Ivms101 {
  readonly originator: {
    readonly originatorPerson: readonly IvmsPerson[];
    readonly accountNumber: readonly string[];
  };
  readonly beneficiary: {
    readonly beneficiaryPerson: readonly IvmsPerson[];
    /** The address that is paid. */
    readonly accountNumber: readonly string[];
  };
  readonly originatingVASP: { readonly originatingVASP: IvmsVasp };
  /** Left out where no VASP keeps the wallet. */
  readonly beneficiaryVASP?: { readonly beneficiaryVASP: IvmsVasp };
  readonly payloadMetadata: { readonly payloadVersion: '101.2023' };
}

type IvmsPerson = { readonly naturalPerson: NaturalPerson } | { readonly legalPerson: LegalPerson };

interface NaturalPerson extends Identified {
  readonly name: {
    readonly nameIdentifier: readonly {
      readonly primaryIdentifier: string;
      readonly secondaryIdentifier: string;
      readonly naturalPersonNameIdentifierType: 'LEGL';
    }[];
  };
  readonly countryOfResidence?: string;
}

interface LegalPerson extends Partial<Identified> {
  readonly name: {
    readonly nameIdentifier: readonly {
      readonly legalPersonName: string;
      readonly legalPersonNameIdentifierType: 'LEGL';
    }[];
  };
  readonly countryOfRegistration?: string;
}

interface Identified {
  readonly geographicAddress: readonly {
    readonly addressType: 'HOME' | 'BIZZ';
    readonly addressLine: readonly string[];
    readonly townName: string;
    readonly country: string;
    readonly postCode?: string;
    readonly countrySubDivision?: string;
  }[];
  readonly nationalIdentification?: {
    readonly nationalIdentifier: string;
    readonly nationalIdentifierType: 'TXID' | 'LEIX' | 'MISC';
    readonly countryOfIssue?: string;
  };
  readonly customerIdentification: string;
}

interface IvmsVasp {
  readonly legalPerson: LegalPerson;
}

/** A VASP as it is named: who sends, or who keeps a wallet. */
export interface NamedVasp {
  readonly name: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** ISO 17442; null where it is not known. */
  readonly lei?: string | null;
}

const nameOf = (name: string) => ({
  nameIdentifier: [{ legalPersonName: name, legalPersonNameIdentifierType: 'LEGL' as const }],
});

/** A VASP as a legal person. */
export const vaspPerson = ({ name, country, lei = null }: NamedVasp): IvmsVasp => ({
  legalPerson: {
    name: nameOf(name),
    countryOfRegistration: country,
    ...(lei !== null && {
      nationalIdentification: { nationalIdentifier: lei, nationalIdentifierType: 'LEIX' as const },
    }),
  },
});

/** What is known of a party to a transfer. */
export interface TravelParty {
  /** Under which id we know them. */
  readonly id: string;
  readonly individual?: {
    readonly firstName: string;
    readonly lastName: string;
    readonly taxIds?: readonly { readonly country: string; readonly number: string }[];
  };
  readonly business?: {
    readonly legalName: string;
    readonly registrationNumber?: string;
    readonly incorporationCountry?: string;
  };
  readonly address?: {
    readonly line1: string;
    readonly line2?: string;
    readonly city: string;
    readonly region?: string;
    readonly postalCode?: string;
    readonly country: string;
  };
}

/**
 * What a transfer needs of a party and does not have, by the names of the API's fields: where they live or are
 * registered, and an official number of theirs. Regulation (EU) 2023/1113, article 14(1): a date of birth would do
 * only beside a place of birth, which is not asked for here.
 */
export function missingOf({ individual, business, address }: TravelParty): string[] {
  const hasTaxId = (individual?.taxIds?.length ?? 0) > 0;
  return [
    ...(address === undefined ? ['address'] : []),
    ...(individual !== undefined && !hasTaxId ? ['individual.taxIds'] : []),
    ...(business !== undefined && business.registrationNumber === undefined
      ? ['business.registrationNumber']
      : []),
  ];
}

/** A party of whom nothing is missing, as the standard has it. Throws RangeError for any other. */
export function ivmsPerson(party: TravelParty): IvmsPerson {
  const { id, individual, business, address } = party;
  if (address === undefined || missingOf(party).length > 0) {
    throw new RangeError(`of ${id} not all is known that a transfer needs`);
  }
  const place = {
    geographicAddress: [
      {
        addressType: individual === undefined ? ('BIZZ' as const) : ('HOME' as const),
        addressLine: [address.line1, ...(address.line2 === undefined ? [] : [address.line2])],
        townName: address.city,
        country: address.country,
        ...(address.postalCode !== undefined && { postCode: address.postalCode }),
        ...(address.region !== undefined && { countrySubDivision: address.region }),
      },
    ],
    customerIdentification: id,
  };
  if (business !== undefined) {
    const { legalName, registrationNumber = '', incorporationCountry } = business;
    const nationalIdentification = {
      nationalIdentifier: registrationNumber,
      nationalIdentifierType: 'MISC' as const,
    };
    const countryOfRegistration = incorporationCountry ?? address.country;
    const name = nameOf(legalName);
    return { legalPerson: { name, ...place, nationalIdentification, countryOfRegistration } };
  }
  const [taxId] = individual?.taxIds ?? [];
  if (individual === undefined || taxId === undefined) throw new RangeError(`${id} has no name`);
  return {
    naturalPerson: {
      name: {
        nameIdentifier: [
          {
            primaryIdentifier: individual.lastName,
            secondaryIdentifier: individual.firstName,
            naturalPersonNameIdentifierType: 'LEGL',
          },
        ],
      },
      ...place,
      nationalIdentification: {
        nationalIdentifier: taxId.number,
        nationalIdentifierType: 'TXID',
        countryOfIssue: taxId.country,
      },
      countryOfResidence: address.country,
    },
  };
}
