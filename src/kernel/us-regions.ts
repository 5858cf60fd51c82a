/**
 * The postal regions of the United States: states, DC, territories, freely associated states and military mail, with
 * the three-digit ZIP prefixes in use in each. A prefix can belong to more than one region. Source of the prefixes:
 * US Census ZCTA 2020 and the USPS military and territory prefixes, compiled 2026-11-21.
 */
const REGIONS: readonly (readonly [code: string, name: string, prefixes: string])[] = [
  ['AA', 'Armed Forces Americas', '340'],
  ['AE', 'Armed Forces Europe', '090-099'],
  ['AK', 'Alaska', '995-999'],
  ['AL', 'Alabama', '301 350-352 354-369 388'],
  ['AP', 'Armed Forces Pacific', '962-966'],
  ['AR', 'Arkansas', '387 657 716-729 755'],
  ['AS', 'American Samoa', '967'],
  ['AZ', 'Arizona', '845 850-853 855-857 859-860 863-865 873'],
  ['CA', 'California', '890 894 900-908 910-928 930-961 976'],
  ['CO', 'Colorado', '691 800-816 820'],
  ['CT', 'Connecticut', '060-069'],
  ['DC', 'District of Columbia', '200 202-205 569'],
  ['DE', 'Delaware', '197-199 218-219'],
  ['FL', 'Florida', '320-339 341-342 344 346-347 349'],
  ['FM', 'Federated States of Micronesia', '969'],
  ['GA', 'Georgia', '300-319 368 398-399'],
  ['GU', 'Guam', '969'],
  ['HI', 'Hawaii', '967-968'],
  ['IA', 'Iowa', '500-516 520-528 560 570'],
  ['ID', 'Idaho', '598 831-838 898 979 990-991'],
  ['IL', 'Illinois', '600-620 622-629 636'],
  ['IN', 'Indiana', '460-479'],
  ['KS', 'Kansas', '660-662 664-679 683-684 689-690'],
  ['KY', 'Kentucky', '380 385 400-418 420-427'],
  ['LA', 'Louisiana', '700-701 703-708 710-714 717'],
  ['MA', 'Massachusetts', '010-028 055'],
  ['MD', 'Maryland', '199 205-212 214-219'],
  ['ME', 'Maine', '035 039-049'],
  ['MH', 'Marshall Islands', '969'],
  ['MI', 'Michigan', '480-499 545'],
  ['MN', 'Minnesota', '513 550-551 553-567 570 580 582'],
  ['MO', 'Missouri', '516 525-526 630-631 633-641 644-658 726'],
  ['MP', 'Northern Mariana Islands', '969'],
  ['MS', 'Mississippi', '383 386-397'],
  ['MT', 'Montana', '577 586 590-599 828'],
  ['NC', 'North Carolina', '270-289'],
  ['ND', 'North Dakota', '567 572 574 576 580-588 592'],
  ['NE', 'Nebraska', '515 577 665 669 680-681 683-693 807 820'],
  ['NH', 'New Hampshire', '030-038'],
  ['NJ', 'New Jersey', '070-089'],
  ['NM', 'New Mexico', '798-799 811 865 870-871 873-884'],
  ['NV', 'Nevada', '840 889-891 893-895 897-898'],
  ['NY', 'New York', '005 063 100-149'],
  ['OH', 'Ohio', '430-459'],
  ['OK', 'Oklahoma', '719 730-731 734-741 743-749'],
  ['OR', 'Oregon', '894 970-979 993'],
  ['PA', 'Pennsylvania', '150-196'],
  ['PR', 'Puerto Rico', '006-007 009'],
  ['PW', 'Palau', '969'],
  ['RI', 'Rhode Island', '028-029'],
  ['SC', 'South Carolina', '290-299'],
  ['SD', 'South Dakota', '510 561-562 570-577 580 584-586 687 692-693 827'],
  ['TN', 'Tennessee', '307 370-385 409 422 426 723'],
  ['TX', 'Texas', '733 739 750-770 772-799 884-885'],
  ['UT', 'Utah', '813 829 833 840-847 860 865'],
  ['VA', 'Virginia', '201 205 220-246 270 286 376-377'],
  ['VI', 'U.S. Virgin Islands', '008'],
  ['VT', 'Vermont', '050-054 056-059'],
  ['WA', 'Washington', '838 980-986 988-994'],
  ['WI', 'Wisconsin', '530-532 534-535 537-549'],
  ['WV', 'West Virginia', '201 246-268'],
  ['WY', 'Wyoming', '577 820-831 834'],
];

/**
 * Further names of these regions: those that shops and their buyers use. Mail of the armed forces is AE for Africa, Canada,
 * Europe and the Middle East. Source: USPS Publication 28, appendix B, and the lists of states in the shops' addresses
 * (Shopify, WooCommerce, BigCommerce, Magento), compiled 2026-11-28.
 */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  AA: ['Armed Forces (AA)', 'Armed Forces of the Americas'],
  AE: ['Armed Forces (AE)', 'Armed Forces Africa', 'Armed Forces Canada', 'Armed Forces Middle East'],
  AP: ['Armed Forces (AP)'],
  DC: ['Washington DC'],
  FM: ['Micronesia'],
  VI: ['Virgin Islands', 'United States Virgin Islands', 'Virgin Islands, U.S.'],
};

/** A name for comparison: without points, commas, brackets, apostrophes (also that of Hawaiʻi) and accents. */
export const plainName = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/\p{M}|[.,()'’‘ʻ`]/gu, '')
    .trim()
    .replace(/\s+/g, ' ')
    .toUpperCase();

const codeByName = new Map(
  REGIONS.flatMap(([code, name]) =>
    [code, name, ...(OTHER_NAMES[code] ?? [])].map((known) => [plainName(known), code] as const),
  ),
);
const nameByCode = new Map(REGIONS.map(([code, name]) => [code, name]));

const prefixesOf = (ranges: string): string[] =>
  ranges.split(' ').flatMap((range) => {
    const [first = '', last = first] = range.split('-');
    const count = Number(last) - Number(first) + 1;
    return Array.from({ length: count }, (_, step) => String(Number(first) + step).padStart(3, '0'));
  });

const codesByPrefix = new Map<string, string[]>();
for (const [code, , ranges] of REGIONS) {
  for (const prefix of prefixesOf(ranges))
    codesByPrefix.set(prefix, [...(codesByPrefix.get(prefix) ?? []), code]);
}

/**
 * Return the postal code of a region given as code, name, `US-XX` or `California (CA)`, in any case; `undefined` for other
 * text.
 */
export const usRegionCode = (text: string): string | undefined => {
  const known = codeByName.get(plainName(text).replace(/^US-/, ''));
  if (known !== undefined) return known;
  const [, name = '', code = ''] = WITH_CODE.exec(text) ?? [];
  const named = codeByName.get(plainName(name));
  return named === code.toUpperCase() ? named : undefined;
};

/** A name with its code behind it. */
const WITH_CODE = /^(.+)\((\w{2})\)\s*$/;

/** Return the name of a region, such as `California`. */
export const usRegionName = (code: string): string | undefined => nameByCode.get(code);

/**
 * List the regions in which a five-digit ZIP (or ZIP+4) can be; empty when its prefix is not in use.
 */
export const usRegionsOfZip = (zip: string): readonly string[] => codesByPrefix.get(zip.slice(0, 3)) ?? [];

/**
 * Return a ZIP for a region of which only the name is known: it ends in 00 and does not belong to a place. Its prefix
 * is used in the region, and if possible in no other.
 */
export const generalZipOf = (code: string): string | undefined => {
  const prefixes = [...codesByPrefix].filter(([, codes]) => codes.includes(code));
  const [prefix] = prefixes.find(([, codes]) => codes.length === 1) ?? prefixes[0] ?? [];
  return prefix && `${prefix}00`;
};

/**
 * The time zones of the United States. A state in two zones has that of most of its people. Sources: 49 CFR part 71
 * (boundaries by county), 15 U.S.C. 260a for Arizona without its Navajo Nation; read 2026-11-29.
 */
const ZONES: readonly (readonly [zone: string, whole: string, split: string])[] = [
  ['America/New_York', 'CT DC DE GA MA MD ME NC NH NJ NY OH PA RI SC VA VT WV', 'FL IN KY MI'],
  ['America/Chicago', 'AL AR IA IL LA MN MO MS OK WI', 'KS ND NE SD TN TX'],
  ['America/Denver', 'CO MT NM UT WY', 'ID'],
  ['America/Phoenix', '', 'AZ'],
  ['America/Los_Angeles', 'CA WA', 'NV OR'],
  ['America/Anchorage', 'AK', ''],
  ['Pacific/Honolulu', 'HI', ''],
  ['America/Puerto_Rico', 'PR VI', ''],
  ['Pacific/Guam', 'GU MP', ''],
  ['Pacific/Pago_Pago', 'AS', ''],
];

/** The time zone of a state, that of most of its people; and whether there is no other one in it. */
export const timeZoneOf = (state: string): { readonly zone: string; readonly isSure: boolean } => {
  const found = ZONES.find(([, whole, split]) => `${whole} ${split}`.split(' ').includes(state));
  // Military mail and the freely associated states: the seller may be anywhere.
  if (!found) return { zone: 'America/New_York', isSure: false };
  const [zone, whole] = found;
  return { zone, isSure: whole.split(' ').includes(state) };
};
