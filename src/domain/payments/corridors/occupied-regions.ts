import type { RegionWithin } from './region-within.ts';

/*
 * Names as people write them in English, German, French, Turkish, Crimean Tatar, Ukrainian and Russian.
 * Towns: the larger ones whose name no other place of the country has.
 */

const words = (text: string): string[] => text.trim().split(/\s+/);

const CRIMEA_NAMES = words(
  'Crimea Crimean Crimee Krim Krym Krimea Krimeya Qirim Kirim Крим Криму Крым Крыма Крыму',
);
const CRIMEA_TOWNS = words(
  `Simferopol Симферополь Сімферополь Yevpatoria Yevpatoriia Yevpatoriya Evpatoria Evpatoriia
   Evpatoriya Eupatoria Евпатория Євпаторія Feodosia Feodosiia Feodosiya Theodosia Феодосия Феодосія
   Kerch Kertch Kertsch Керчь Керч Yalta Jalta Ялта Alushta Alouchta Алушта Sudak Судак Dzhankoi
   Dzhankoy Джанкой Bakhchysarai Bakhchysaray Bakhchisarai Bakhchisaray Бахчисарай Saky Saki Саки
   Armyansk Armiansk Армянск Армянськ Krasnoperekopsk Красноперекопск
   Красноперекопськ Shcholkine Shchyolkino Щёлкино Щолкіне Gurzuf Hurzuf Гурзуф Koktebel Коктебель`,
);

/** Not under Russian addresses: Krasnodar krai has a district of the name Krymskiy. */
export const CRIMEA: readonly RegionWithin[] = [
  {
    ...{ country: 'UA', regions: CRIMEA_NAMES, cities: CRIMEA_TOWNS },
    adjectives: words('Krymskyi Krymskyy Krymskiy Krymska Krymskaya Кримський Кримська Крымский'),
    postalCodes: /^2?9[5-8]\d{3}$/,
  },
  { country: 'RU', regions: CRIMEA_NAMES, cities: CRIMEA_TOWNS, postalCodes: /^2?9[5-8]\d{3}$/ },
];

const SEVASTOPOL_NAMES = words(
  'Sevastopol Sebastopol Sewastopol Севастополь Севастополя Севастополі Inkerman Инкерман Інкерман',
);

export const SEVASTOPOL: readonly RegionWithin[] = ['UA', 'RU'].map((country) => ({
  ...{ country, regions: SEVASTOPOL_NAMES, cities: [] },
  postalCodes: /^2?99\d{3}$/,
}));

const DONETSK_TOWN = words('Donetsk Donezk Донецьк Донецк');
const DONETSK_NAMES = [
  ...DONETSK_TOWN,
  ...words('DNR DPR ДНР Donbas Donbass Донбас Донбасс Donetchchyna Donechchyna Донеччина'),
];
const DONETSK_ADJECTIVES = words(
  `Donetska Donetskaya Donetskyi Donetskyy Donetskiy Донецька Донецький Донецької Донецкая Донецкий
   Донецкой`,
);
const DONETSK_TOWNS = words(
  `Mariupol Маріуполь Мариуполь Makiivka Makeevka Makeyevka Макіївка Макеевка Horlivka Gorlovka
   Горлівка Горловка Yenakiieve Yenakiyeve Yenakievo Enakievo Єнакієве Енакиево Kramatorsk
   Краматорськ Краматорск Bakhmut Бахмут Sloviansk Slovyansk Слов'янськ Khartsyzk
   Харцизьк Харцызск Volnovakha Волноваха Debaltseve Debaltsevo Дебальцеве Дебальцево Druzhkivka
   Дружківка`,
);

/** Towns of Russia are called Donetsk, in its Rostov oblast, and Slavyansk, on the Kuban. */
export const DONETSK: readonly RegionWithin[] = [
  {
    country: 'UA',
    regions: DONETSK_NAMES,
    cities: [...DONETSK_TOWNS, ...words('Slavyansk Slaviansk Славянск')],
    adjectives: DONETSK_ADJECTIVES,
    postalCodes: /^2?8[3-7]\d{3}$/,
  },
  {
    country: 'RU',
    regions: DONETSK_NAMES,
    cities: DONETSK_TOWNS,
    adjectives: DONETSK_ADJECTIVES,
    postalCodes: /^2?8[3-7]\d{3}$/,
    namesake: {
      names: DONETSK_TOWN,
      regions: words('Rostov Rostovskaya RU-ROS Ростов Ростовская Ростовской'),
      postalCodes: /^3463[3-5]\d$/,
    },
  },
];

const LUHANSK_NAMES = words('Luhansk Lugansk LNR LPR Луганськ Луганск ЛНР Luhanshchyna Луганщина');
const LUHANSK_ADJECTIVES = words(
  `Luhanska Luganska Luganskaya Luhanskyi Luganskyi Luganskiy Луганська Луганський Луганської
   Луганская Луганский Луганской`,
);
const LUHANSK_TOWNS = words(
  `Alchevsk Алчевськ Алчевск Sievierodonetsk Severodonetsk Сєвєродонецьк Сіверськодонецьк
   Северодонецк Lysychansk Lisichansk Лисичанськ Лисичанск Kadiivka Кадіївка Antratsyt Антрацит`,
);

export const LUHANSK: readonly RegionWithin[] = ['UA', 'RU'].map((country) => ({
  ...{ country, regions: LUHANSK_NAMES, cities: LUHANSK_TOWNS, adjectives: LUHANSK_ADJECTIVES },
  postalCodes: /^2?9[1-4]\d{3}$/,
}));
