/**
 * A made-up document in the form of the ECB's eurofxref-daily.xml: the elements, quotes and namespaces
 * are those of the real one, the figures are samples.
 */
export const ecbSample = `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
	<gesmes:subject>Reference rates</gesmes:subject>
	<gesmes:Sender>
		<gesmes:name>European Central Bank</gesmes:name>
	</gesmes:Sender>
	<Cube>
		<Cube time='2026-09-29'>
			<Cube currency='USD' rate='1.1725'/>
			<Cube currency='JPY' rate='173.41'/>
			<Cube currency='GBP' rate='0.87230'/>
			<Cube currency='ISK' rate='142.60'/>
			<Cube currency='IDR' rate='19543.29'/>
		</Cube>
	</Cube>
</gesmes:Envelope>`;
