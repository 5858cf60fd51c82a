import type { Sale } from './sale.ts';

/** A sale without its position in the export. */
type SaleContent = Omit<Sale, 'origin' | 'rows'>;

/** The content of a sale as canonical JSON. Keys are written in sorted order, since sorting takes twice as long. */
export const contentText = (sale: SaleContent): string =>
  JSON.stringify({
    amount: sale.amount,
    businessDate: sale.businessDate,
    channel: sale.channel,
    currency: sale.currency,
    customerId: sale.customerId,
    exemptionType: sale.exemptionType,
    findings: sale.findings.map(
      ({ code, column, message }): Named<Sale['findings'][number]> => ({ code, column, message }),
    ),
    id: sale.id,
    instant: sale.instant,
    key: sale.key,
    kind: sale.kind,
    lines: sale.lines.map(
      ({ description, discount, id, quantity, sku, taxCode, unitPrice }): Named<Sale['lines'][number]> => ({
        description,
        discount,
        id,
        quantity,
        sku,
        taxCode,
        unitPrice,
      }),
    ),
    marketplaceTax: sale.marketplaceTax,
    outcome: sale.outcome,
    reference: sale.reference,
    salesTax: sale.salesTax,
    shipTo: placeOf(sale.shipTo),
    shipping: sale.shipping,
    taxDate: sale.taxDate,
    taxLines: sale.taxLines.map(
      ({ amount, kind, name, place, rate }): Named<Sale['taxLines'][number]> => ({
        amount,
        kind,
        name,
        place,
        rate,
      }),
    ),
  } satisfies Named<SaleContent>);

const placeOf = ({ city, country, state, street, zip }: Sale['shipTo']): Named<Sale['shipTo']> => ({
  city,
  country,
  state,
  street,
  zip,
});

/** Requires every field, so that none is forgotten. */
type Named<Fields> = Record<keyof Fields, unknown>;
