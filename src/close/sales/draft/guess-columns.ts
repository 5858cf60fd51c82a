import { columnWords } from '../files/normal-column.ts';

/** Names of amounts without tax, such as `Total before tax`. */
const BEFORE_TAX =
  /\b(before|pre|excl?\w*|ex|without|w\/o|net of|less|ohne|exkl\w*|zzgl|vor|hors|sans|avant|sin|antes|senza|zonder)\b\W*((any|all|the|de|sales)\b\W*)*tax|\bpre-?tax|\btax(es)?\W*(excl\w*|not incl\w*|free)\b/;

/** Names of a state's or city's tax, as opposed to the name of the state or city. */
const TAX_OF_PLACE = /\btax(es)?( (amount|total|rate))?$/;

const BEFORE_TAX_OF_ALL = new RegExp(
  `^(?!.*\\b(?:unit|price|each|line|row|item|ship\\w*|freight|delivery|postage|disc\\w*)\\b).*(?:${BEFORE_TAX.source})`,
);

/** Names for properties of a tax other than its amount, and for amounts that include tax. */
const ABOUT_TAX =
  /\btax(es)?\W*(rate|percent\w*|id|no|number|code|class|type|status|name|region|jurisdiction)\b|\btax(es)?\W*(incl\w*\W*$|%)|\b(after|incl\w*|inkl\w*|nach|with)\b.*\btax/;

/** The meanings that a profile needs columns for, and the words that exports use for them, the best first. */
const WORDS = {
  id: [
    /^order\s*(id|no\.?|number|#)$/,
    /^(po|invoice|transaction|purchase order|doc|document|receipt|sale)\s*(id|no\.?|number|#)$/,
    /\b(order|invoice)\b.*(id|no|num|#)/,
    /^(id|name|number|num)$/,
    /#$/,
    /^(order|invoice|receipt|sale)$/,
  ],
  date: [
    /^(order|sale|invoice|transaction|purchase|created)?\s*(date|time|at)$/,
    /^(order|sale|invoice|transaction|purchase|created)\s*(date|at|on)/,
    /\bdate\b/,
    /\btime\b/,
  ],
  time: [/^(order|sale|doc|document|invoice|transaction)?\s*time$/],
  type: [/^(order|sale|doc|document|invoice|transaction|record|event)?\s*(type|kind)$/],
  reference: [
    /^(orig|original|parent|related|refunded|returned)\b.*\b(receipt|sale|transaction|ticket)( (id|no\.?|number|#))?$/,
    /^(orig|original|parent|related|refunded)\b.*(doc|order|invoice|id|no|number)/,
    /^(refund|return)(ed)? (of|for)\b/,
  ],
  customer: [/^(customer|cust|buyer|client)\s*(id|no\.?|number|#)$/, /^(customer|buyer|client)$/],
  exempt: [/\bexempt|\bresale/],
  marketplaceTax: [/^(marketplace|platform|facilitator)s?\b.*\btax\b/],
  marketplace: [/^(marketplace|platform)( name)?$/],
  status: [/^(order|payment|financial)?\s*status$/, /status/],
  currency: [/^currency( code)?$/, /currency/, /^curr\b/],
  country: [
    /^(ship|deliver)\w*\s*(to\s*)?country( code)?$/,
    /^country( code)?$/,
    /^(ship|deliver|to).*country/,
    /country/,
  ],
  state: [
    /^(ship|deliver)\w*\s*(to\s*)?(state|province)( code)?$/,
    /^(state|province)( code)?$/,
    /^(ship|deliver|to).*(state|province|region|\bst$)/,
    /\b(state|province|region)\b/,
  ],
  zip: [
    /^(ship|deliver)\w*\s*(to\s*)?(zip|postal|post)\s?(code)?$/,
    /^(zip|postal|post)\s?(code)?$/,
    /^(ship|deliver|to).*(zip|postal|post ?code)/,
    /\b(zip|postal|post ?code)/,
  ],
  city: [
    /^(ship|deliver)\w*\s*(to\s*)?city$/,
    /^city$/,
    /^(ship|deliver|to).*(city|town|suburb)/,
    /\b(city|town|suburb)\b/,
  ],
  street: [
    /^(ship(ping|ped)?( to)?|deliver(y|ed)?( to)?|to)?\s*(street|address)\s*(line)?\s*1$/,
    /^(ship(ping|ped)?( to)?|deliver(y|ed)?( to)?|to)\s*(street|address)$/,
    /^(ship|deliver|to)(?!.*(e-?mail|status)).*(street|address)/,
    /^(?!.*(e-?mail|status|ip\b)).*\b(street|address)/,
  ],
  location: [/^(store|shop|location|branch|outlet)( name)?$/],
  shipping: [
    /^(total\s+)?(shipping|freight|delivery|postage)(\s+(amount|cost|charge|total|price))?$/,
    /(shipping|freight|postage).*(amount|cost|charge|price|total)/,
    /^(shipping|freight|delivery|postage)\W*(before|excl?\w*|ex|without|net of)\b/,
  ],
  shippingTax: [/^(shipping|freight|delivery|postage)\s*tax$/],
  tax: [/^(total\s+)?(sales\s+)?tax(es)?(\s+(total|amount))?$/, /\btax(es)?\b/],
  net: [/^(line|row)\s*(net|total|amount)$/],
  total: [
    /^(order|grand|invoice|doc|document)\s*total$/,
    /^total$/,
    /^(transaction|order|sale|invoice)\s*(value|amount)$/,
    /\btotal\b/,
    /total/,
    /^(gross|amount)\b/,
  ],
  goods: [/^(sub\s*-?total|item total|order value)$/, /subtotal.*after/, /subtotal/, BEFORE_TAX_OF_ALL],
  refunded: [/refund/],
  quantity: [/^(line|item)?\s*(quantity|qty)$/, /quantity|qty/, /^units$/],
  // What stands beside a quantity as a price alone may be that of all of them, so such a name is not sure.
  unitPrice: [
    /^unit\s*price$/,
    /^((line\s*)?item\s*)?price\b/,
    /unit.*(price|cost|amount)/,
    /price|item cost/,
  ],
  orderDiscount: [/^(order|cart|invoice|doc|document)\s*disc(ount)?$/],
  discount: [/(line|row).*disc(ount)?\b/, /discount.*(amount|total|value)/, /^discounts?$/],
  sku: [/^((seller|item|product|line\s*item)\s*)?sku$/, /\bsku\b/, /item\s*(code|no|number)/, /\bupc\b/],
  description: [
    /^(item|product|line\s*item)?\s*(name|title|description)$/,
    /description|product|item|article/,
  ],
} as const;

export type Meaning = keyof typeof WORDS;

/** Words that rule out a meaning, whatever other words the column name has. */
const NEVER: Partial<Record<Meaning, readonly RegExp[]>> = {
  tax: [BEFORE_TAX, ABOUT_TAX],
  total: [BEFORE_TAX],
  state: [TAX_OF_PLACE],
  city: [TAX_OF_PLACE],
  refunded: [/\b(of|for|date|reason|status|type|id|no|number|order|by)\b/],
};

/** The guessed column for each meaning, and the meanings that a person must check. */
export type ColumnGuess = {
  readonly guess: Partial<Record<Meaning, string>>;
  readonly unsure: ReadonlySet<Meaning>;
};

/**
 * Guess the most likely column for each meaning; each column is used only once. A guess is sure if its whole name
 * expresses the meaning, and no other column has such a name.
 */
export const guessColumns = (header: readonly string[]): ColumnGuess => {
  const taken = new Set<string>();
  const guess: Partial<Record<Meaning, string>> = {};
  const unsure = new Set<Meaning>();
  const words = new Map(header.map((name) => [name, englishOf(name)]));
  for (const meaning of Object.keys(WORDS) as Meaning[]) {
    for (const word of WORDS[meaning]) {
      const fitting = header.filter((name) => {
        const text = words.get(name) ?? '';
        return (
          name.trim() !== '' && !taken.has(name) && word.test(text) && !isOneOf(NEVER[meaning] ?? [], text)
        );
      });
      const [column] = fitting;
      if (column === undefined) continue;
      guess[meaning] = column;
      taken.add(column);
      if (!saysAll(word) || fitting.length > 1) unsure.add(meaning);
      break;
    }
  }
  return { guess, unsure };
};

/**
 * The English name of a column: translated if the name has no complete meaning in English and its translation does, or
 * if no English word matches at all.
 */
const englishOf = (name: string): string => {
  const words = columnWords(name);
  if (isOneOf(WHOLE, words)) return words;
  const translated = inEnglish(words);
  return isOneOf(WHOLE, translated) || !isOneOf(ANY, words) ? translated : words;
};

const isOneOf = (some: readonly RegExp[], words: string): boolean => some.some((word) => word.test(words));
const saysAll = ({ source }: RegExp): boolean => source.startsWith('^') && source.endsWith('$');
const ANY: readonly RegExp[] = Object.values(WORDS).flat();
const WHOLE = ANY.filter(saysAll);

/**
 * Column words in German, French, Spanish, Italian and Dutch exports, with their English translations; longer ones
 * first. They are matched without accents. Ambiguous words (`Estado`, `État`) are left to a person.
 */
const WORDS_ABROAD: readonly (readonly [RegExp, string])[] = [
  [/\b(?:versand|liefer|fracht)(?:kosten|gebuhr)\b|\bfrais de (?:livraison|port)\b/g, 'shipping cost'],
  [/\b(?:gastos|costes?) de envio\b|\bspese di spedizione\b|\bverzendkosten\b/g, 'shipping cost'],
  [
    /\b(?:umsatz|mehrwert)?steuer(?:betrag)?\b|\bmw ?st\b|\bu\.? ?st\b|\b(?:montant )?tva\b|\btaxes?\b/g,
    'sales tax',
  ],
  [/\b(?:impuestos?|iva|imposta|btw(?:-bedrag)?)\b/g, 'sales tax'],
  [
    /\b(?:gesamt|end)(?:betrag|summe|preis)\b|\b(?:montant|importe|importo) total[e]?\b|\btotaalbedrag\b/g,
    'order total',
  ],
  [/\bzwischensumme\b|\bsous-?total\b|\bsubtotale?\b|\bsubtotaal\b/g, 'subtotal'],
  [/\b(?:zeilen|positions)(?:summe|betrag|preis)\b|\btotal (?:de )?ligne\b|\bregeltotaal\b/g, 'line total'],
  [
    /\b(?:einzel|stuck)preis\b|\bprix unitaire\b|\bprecio unitario\b|\bprezzo unitario\b|\bstukprijs\b/g,
    'unit price',
  ],
  [/\bpostleitzahl\b|\bplz\b|\bcode postal\b|\bcodigo postal\b|\bcap\b|\bpostcode\b/g, 'zip'],
  [/\bbundes(?:staat|land)\b/g, 'state'],
  [/\bbestell(?:ungs?)?\b|\bauftrags?\b|\bcommande\b|\bpedido\b|\bordine\b|\bbestelling\b/g, 'order'],
  [/\brechnungs?\b|\bfacture\b|\bfactura\b|\bfattura\b|\bfactuur\b/g, 'invoice'],
  [/\b(?:liefer|versand)\b|\b(?:de )?(?:livraison|envio|spedizione|verzending)\b/g, 'shipping'],
  [/\bnr\b\.?|\bnummer\b|\bnumero\b|\bn(?:o|°|º)(?= |$)/g, 'number'],
  [/\bdatum\b|\bfecha\b|\bdata\b/g, 'date'],
  [/\buhrzeit\b|\bheure\b|\bhora\b/g, 'time'],
  [/\bstatut\b|\bstato\b/g, 'status'],
  [
    /\bstrasse\b|\banschrift\b|\badresse\b|\brue\b|\bcalle\b|\bdireccion\b|\bindirizzo\b|\bstraat\b/g,
    'street',
  ],
  [/\bort\b|\bstadt\b|\bville\b|\bciudad\b|\bcitta\b|\bplaats\b/g, 'city'],
  [/\bland\b|\bpays\b|\bpais\b|\bpaese\b/g, 'country'],
  [/\bwahrung\b|\bdevise\b|\bmoneda\b|\bdivisa\b|\bvaluta\b/g, 'currency'],
  [/\bmenge\b|\banzahl\b|\bquantite\b|\bcantidad\b|\bquantita\b|\baantal\b/g, 'quantity'],
  [/\brabatt\b|\bremise\b|\bdescuento\b|\bsconto\b|\bkorting\b/g, 'discount'],
  [/\b(?:erstattet|erstattung|rembourse|reembolsado|rimborsato|terugbetaald)\b/g, 'refunded'],
  [/\bartikel\b|\barticulo\b|\barticolo\b/g, 'item'],
  [/\bbezeichnung\b|\bbeschreibung\b|\bdescripcion\b|\bdescrizione\b|\bomschrijving\b/g, 'description'],
  [/\bkunden?\b|\bcliente?\b|\bklant\b/g, 'customer'],
];

/** German compounds to split. */
const COMPOUND =
  /\b(bestell|bestellungs?|auftrags?|rechnungs?|liefer|versand|artikel|kunden)-?(nr|nummer|datum|status|strasse|adresse|anschrift|ort|stadt|land)\b\.?/g;

/** Translate a column name into English, as far as its words are known. */
const inEnglish = (name: string): string => {
  const plain = name.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss').toLowerCase();
  const text = WORDS_ABROAD.reduce(
    (known, [word, english]) => known.replace(word, english),
    plain.replace(COMPOUND, '$1 $2 '),
  );
  return text
    .replace(/\s+/g, ' ')
    .replace(/\b(number|date|status) d(?:e|el|ella|i) (\w+)/, '$2 $1')
    .trim();
};
