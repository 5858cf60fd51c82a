/**
 * Words by which exports in German, French, Spanish, Italian and Dutch call their columns, and the English for them; longer
 * ones first. Accents are taken off before. What means two things there (`Estado`, `État`) is left to a person.
 */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:versand|liefer|fracht)(?:kosten|gebuhr)\b|\bfrais de (?:livraison|port)\b/g, 'shipping cost'],
  [/\b(?:gastos|costes?) de envio\b|\bspese di spedizione\b|\bverzendkosten\b/g, 'shipping cost'],
  [
    /\b(?:umsatz|mehrwert)?steuer(?:betrag)?\b|\bmwst\b|\bu\.?st\b|\b(?:montant )?tva\b|\btaxes?\b/g,
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

/** German writes words together. */
const COMPOUND =
  /\b(bestell|bestellungs?|auftrags?|rechnungs?|liefer|versand|artikel|kunden)-?(nr|nummer|datum|status|strasse|adresse|anschrift|ort|stadt|land)\b\.?/g;

/** A name of a column in English, as far as its words are known. */
export const inEnglish = (name: string): string => {
  const plain = name.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss').toLowerCase();
  const text = WORDS.reduce(
    (known, [word, english]) => known.replace(word, english),
    plain.replace(COMPOUND, '$1 $2 '),
  );
  return text
    .replace(/\s+/g, ' ')
    .replace(/\b(number|date|status) d(?:e|el|ella|i) (\w+)/, '$2 $1')
    .trim();
};
