import { stringify } from 'yaml';
import { OUTCOMES } from '../judge/input-findings.ts';
import { formatInstant } from '../kernel/calendar.ts';
import { formatMoney, formatPrice, type Money, sum } from '../kernel/money.ts';
import type { Sale, SaleFinding, SetAside, TaxLine } from '../sales/sale.ts';
import { ENCODING_NAMES, type SurveyedFile } from '../sales/survey-file.ts';
import type { Trial } from '../setup/try-exports.ts';

const encodingOf = ({ form }: SurveyedFile): string =>
  form.kind === 'workbook' ? 'XLSX' : ENCODING_NAMES[form.encoding];

/** Returns the trial of a file as JSON: its profile, control totals and records, with amounts as decimal text. */
export const trialObject = (one: Trial) => {
  const { file, detected } = one;
  const { profile, header, headerLine, notices } = detected;
  return {
    file: file.name,
    profile: `${profile.id}@${profile.version}`,
    title: profile.title,
    capability: profile.capability,
    bytes: file.bytes,
    sha256: file.sha256,
    encoding: encodingOf(file),
    header_line: headerLine,
    columns: header.length,
    notices: notices.map(remarkObject),
    totals: totalsOf(one),
    sales: one.sales.map(saleObject),
    set_aside: one.setAsides.map(setAsideObject),
  };
};

const totalsOf = ({ tally, columns, sales, setAsides }: Trial) => {
  const days = sales.map(({ businessDate }) => businessDate).sort();
  const orders = sales.filter(({ kind }) => kind === 'order');
  const refunds = sales.filter(({ kind }) => kind === 'refund');
  const records = Map.groupBy([...sales, ...setAsides], ({ outcome }) => outcome);
  return {
    ...tally,
    records: Object.fromEntries(OUTCOMES.map((outcome) => [outcome, records.get(outcome)?.length ?? 0])),
    orders: figuresOf(orders),
    refunds: figuresOf(refunds),
    first_date: days[0] ?? null,
    last_date: days.at(-1) ?? null,
    columns,
  };
};

/** Sums sales separately for each currency, because amounts of different currencies cannot be added. */
const figuresOf = (sales: readonly Sale[]) => {
  const currencies = Map.groupBy(sales, ({ currency }) => currency);
  return [...currencies]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([currency, of]) => {
      const total = (pick: (sale: Sale) => Money): string => formatMoney(sum(of.map(pick)));
      return {
        currency,
        count: of.length,
        amount: total((sale) => sale.amount),
        shipping: total((sale) => sale.shipping),
        sales_tax: total((sale) => sale.salesTax),
        marketplace_tax: total((sale) => sale.marketplaceTax),
      };
    });
};

const remarkObject = ({ code, message, column }: SaleFinding): object => ({
  code,
  message,
  ...(column !== undefined && { column }),
});

const lineObject = ({ name, amount }: TaxLine): object => ({ name, amount: formatMoney(amount) });

const saleObject = (sale: Sale): object => ({
  id: sale.id,
  kind: sale.kind,
  reference: sale.reference,
  record: sale.origin.record,
  line: sale.origin.line,
  rows: sale.rows,
  instant: formatInstant(sale.instant),
  business_date: sale.businessDate,
  tax_date: sale.taxDate,
  ship_to: sale.shipTo,
  currency: sale.currency,
  amount: formatMoney(sale.amount),
  shipping: formatMoney(sale.shipping),
  sales_tax: formatMoney(sale.salesTax),
  marketplace_tax: formatMoney(sale.marketplaceTax),
  tax_lines: sale.taxLines.map(lineObject),
  ...(sale.stateFees && { state_fees: sale.stateFees.map(lineObject) }),
  exemption_type: sale.exemptionType,
  customer_id: sale.customerId,
  lines: sale.lines.map((line) => ({
    id: line.id,
    sku: line.sku,
    description: line.description,
    quantity: line.quantity,
    unit_price: formatPrice(line.unitPrice),
    discount: formatPrice(line.discount),
    product_tax_code: line.taxCode,
  })),
  outcome: sale.outcome,
  reasons: sale.findings.map(remarkObject),
});

const setAsideObject = ({ outcome, origin, rows, reason, value, businessDate }: SetAside): object => ({
  record: origin.record,
  line: origin.line,
  lines: rows.map(({ line }) => line),
  business_date: businessDate,
  outcome,
  reasons: [remarkObject(reason)],
  ...(value !== undefined && { value }),
});

/** Maximum number of records that a person is shown. */
const LISTED_MAX = 20;

/** Returns the same in words, with the records that a person should look at in place of all. */
export const trialText = (one: Trial): string => {
  const { sales: _, set_aside: __, ...about } = trialObject(one);
  const open = [
    ...one.sales.filter(({ outcome }) => outcome !== 'accepted').map(saleLine),
    ...one.setAsides.map(setAsideLine),
  ];
  const more = open.length - LISTED_MAX;
  const look_at = [
    ...open.slice(0, LISTED_MAX),
    ...(more > 0 ? [`and ${more} more; --json lists them all`] : []),
  ];
  return stringify({ ...about, look_at }, { lineWidth: 0 });
};

const saleLine = ({ outcome, origin, id, findings }: Sale): string =>
  `line ${origin.line} ${id}, ${outcome}: ${findings.map(({ message }) => message).join('; ')}`;

const setAsideLine = ({ outcome, origin, reason }: SetAside): string =>
  `line ${origin.line} ${origin.record}, ${outcome}: ${reason.message}`;
