import type { ShownSale } from '../close/evidence/show-sales.ts';
import { detailRowOf } from '../close/reconcile/detail-row.ts';
import type { Exception } from '../close/reconcile/exceptions.ts';
import { rowTexts } from '../close/report/detail-files.ts';
import { DETAIL } from '../close/report/sheets/detail.ts';
import { EXCEPTIONS } from '../close/report/sheets/exceptions.ts';
import { formatMoney, type Money } from '../kernel/money.ts';
import { formatPrice } from '../kernel/price.ts';
import { formatPercent } from '../kernel/rate.ts';
import { textTable } from './text-table.ts';

/** A sale in the words of the sheets Detail, Exceptions and By jurisdiction, in dollars. */
export const showText = (shown: ShownSale, exceptions: readonly Exception[]): string => {
  const { sale, posting, reconciled } = shown;
  const facts = filledTexts(rowTexts(DETAIL, detailRowOf(sale, posting, reconciled ?? undefined)));
  return [
    `${sale.key}: as Detail has it, in US dollars${sale.kind === 'refund' ? '; amounts of refunds are negative' : ''}`,
    ...table(facts),
    ...exceptions.flatMap((exception) => [
      '',
      '  As Exceptions has it',
      // What Detail has already stands above.
      ...table(
        exceptionTexts(exception).filter(
          ([title, text]) => !facts.some(([known, value]) => known === title && value === text),
        ),
      ),
    ]),
    ...section(
      'By jurisdiction',
      ['Level', 'Name', 'Rate', 'Taxable', 'Expected', 'Collected'],
      levelRows(shown),
    ),
    ...section(
      'Items, as they were sold',
      [
        'Item',
        'SKU',
        'Name',
        'Quantity',
        'Unit price',
        'Discount',
        'Product code',
        'Rate',
        'Taxable',
        'Expected',
      ],
      itemRows(shown),
    ),
    ...section(
      'Read-back differences',
      ['Field', 'Sent', 'Recorded'],
      (reconciled?.differences ?? []).map(({ field, sent, recorded }) => [field, sent, recorded]),
    ),
    '',
  ].join('\n');
};

/** An exception of no sale in Detail, such as a rejected row, in the words of the sheet Exceptions. */
export const showException = (exception: Exception): string =>
  [
    `${exception.record}: not in Detail; as Exceptions has it, in US dollars`,
    ...table(exceptionTexts(exception)),
    '',
  ].join('\n');

type Texts = ReturnType<typeof rowTexts>;

const exceptionTexts = (exception: Exception): Texts =>
  filledTexts(rowTexts(EXCEPTIONS, { ...exception, no: '' }));

const filledTexts = (texts: Texts): Texts => texts.filter(([, text]) => text !== '');

const levelRows = ({ reconciled }: ShownSale): readonly (readonly string[])[] =>
  (reconciled?.levels ?? []).map(({ level, name, rate, taxable, tax, collected }) => [
    level,
    name,
    formatPercent(rate),
    ...[taxable, tax, collected].map(formatMoney),
  ]);

/** Each item as the export has it, with what the service calculated of it. */
const itemRows = ({ sale, calculation }: ShownSale): readonly (readonly string[])[] => {
  const answered = calculation?.result.breakdown?.line_items ?? [];
  return sale.lines.map(({ id, sku, description, quantity, unitPrice, discount, taxCode }) => {
    const answer = answered.find((line) => line.id === id);
    return [
      ...[
        id,
        sku,
        description,
        String(quantity),
        formatPrice(unitPrice),
        formatPrice(discount),
        taxCode ?? '',
      ],
      answer ? formatPercent(answer.combined_tax_rate) : '',
      ...[answer?.taxable_amount, answer?.tax_collectable].map(shownMoney),
    ];
  });
};

const shownMoney = (amount: Money | undefined): string => (amount === undefined ? '' : formatMoney(amount));

const section = (
  title: string,
  columns: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] => (rows.length === 0 ? [] : ['', `  ${title}`, ...table([columns, ...rows])]);

const table = (rows: readonly (readonly string[])[]): readonly string[] =>
  textTable(rows)
    .trimEnd()
    .split('\n')
    .map((line) => `  ${line}`);
