import { Command } from 'commander';
import { EXCEPTIONS } from '../books/decide.ts';
import { detailOf, EXEMPT_SALES, NOT_POSTED } from '../books/detail.ts';
import { rowTexts } from '../books/detail-files.ts';
import { type ShownSale, showExceptions, showSales } from '../evidence/show-sales.ts';
import { readManifest } from '../evidence/verify-files.ts';
import { detailRowOf } from '../judge/detail-row.ts';
import type { Finding } from '../judge/finding.ts';
import { ExitCode, TieoutError } from '../kernel/errors.ts';
import { ZERO } from '../kernel/money.ts';
import type { CommandIo } from './io.ts';
import { tableLines } from './print.ts';
import { periodFolders } from './verify.ts';

/** Builds `tieout show FOLDER [TEXT]`: shows sales from evidence; with a text, also held or rejected records. */
export const showCommand = (io: CommandIo, exit: (code: ExitCode) => void): Command =>
  new Command('show')
    .argument('<folder>', 'the folder of a period, or of an entity with all its periods')
    .argument('[text]', 'only records with this text in their names, such as `order/5010` or `#5010`')
    .option('--json', 'print all that is known of each, one JSON object a line')
    .action(async (folder: string, text = '', { json }: { readonly json?: boolean } = {}) => {
      let shown = 0;
      const show = (object: object, lines: readonly string[]): void => {
        io.print(json ? `${JSON.stringify(object)}\n` : `${lines.join('\n')}\n`);
        shown += 1;
      };
      for (const each of await periodFolders(folder)) {
        const manifest = await readManifest(each);
        if (typeof manifest === 'string') throw unreadable(each, manifest);
        for await (const sale of showSales(each, manifest, text)) show(sale, saleLines(sale));
        // A search covers exceptions too; a listing without a text only has sales.
        for (const exception of text === '' ? [] : await showExceptions(each, text))
          show({ exception }, exceptionLines(exception));
      }
      if (shown === 0)
        io.warn(`No sale or exception in ${folder}${text === '' ? '' : ` has "${text}" in its name`}.\n`);
      exit(shown > 0 ? ExitCode.clean : ExitCode.open);
    });

const unreadable = (folder: string, problem: string): TieoutError =>
  new TieoutError({
    code: 'E_PACK_CHANGED',
    message: `${folder} cannot be shown: ${problem}`,
    nextStep: `\`tieout verify ${folder}\` shows what does not hold`,
  });

/** Formats a sale with the column titles of the sheets that list it, in dollars. */
const saleLines = ({ sale, posting, reconciled }: ShownSale): readonly string[] => {
  const row = detailRowOf(sale, posting, reconciled ?? undefined);
  const detail = detailOf({ states: [], reasons: [{ reversed: ZERO, thirds: row.reasons.length - 2 }] });
  return [
    `${sale.key}: as the books have it, in US dollars${sale.kind === 'refund' ? '; amounts of refunds are negative' : ''}`,
    ...filledLines([
      ...(row.isPosted ? rowTexts(detail, row) : rowTexts(NOT_POSTED, row)),
      ...(row.certificate === '' ? [] : rowTexts(EXEMPT_SALES, row)),
    ]),
    '',
  ];
};

const exceptionLines = (exception: Finding): readonly string[] => [
  `${exception.record}: as Exceptions has it, in US dollars`,
  ...filledLines(rowTexts(EXCEPTIONS, { ...exception, no: '', isFirst: true })),
  '',
];

const filledLines = (texts: ReturnType<typeof rowTexts>): readonly string[] =>
  tableLines(
    texts.filter(([, text]) => text !== ''),
    '  ',
  );
