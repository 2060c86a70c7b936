import type { CompanyData } from '../../modules/customers/live/company.ts';

/** The company that the demo customer is. Made up. */
export const DEMO_COMPANY: CompanyData = {
  business: {
    legalName: 'Demo Partner Ltd',
    registrationNumber: '00000000',
    incorporationCountry: 'GB',
    persons: [
      { firstName: 'Olive', lastName: 'Sample', dateOfBirth: '1980-01-31', role: 'DIRECTOR' },
    ],
  },
  address: { line1: '1 Sample Street', city: 'London', postalCode: 'E1 0AA', country: 'GB' },
};

/** Its owner. RFC 2606 keeps this name for examples. */
export const DEMO_OWNER = { address: 'owner@demo-partner.example', name: 'Demo owner' } as const;

/** Terms of a local run, in which no real money moves. */
export const DEMO_TERMS = [
  'These are the terms of a local run. An installation publishes its own with "terms publish".',
  'In a local run a sandbox bank stands behind live as well: no real money moves.',
].join('\n\n');
