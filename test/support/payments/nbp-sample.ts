/**
 * A made-up table in the form of the NBP's table A as JSON: the members and the way of writing numbers
 * are those of the real one, the figures are samples.
 */
export const nbpSample = `[{"table":"A","no":"188/A/NBP/2026","effectiveDate":"2026-09-29","rates":[
{"currency":"bat (Tajlandia)","code":"THB","mid":0.1122},
{"currency":"dolar amerykański","code":"USD","mid":3.6421},
{"currency":"dolar Hongkongu","code":"HKD","mid":0.4642},
{"currency":"euro","code":"EUR","mid":4.1376},
{"currency":"forint (Węgry)","code":"HUF","mid":0.010702},
{"currency":"korona duńska","code":"DKK","mid":0.5535},
{"currency":"rupia indonezyjska","code":"IDR","mid":2.1934E-04},
{"currency":"SDR (MFW)","code":"XDR","mid":4.9876}]}]`;
