import { Command } from 'commander';
import { EXCEPTIONS } from '../books/decide.ts';
import { detailOf, EXEMPT_SALES, NOT_POSTED } from '../books/detail.ts';
import { rowTexts } from '../books/detail-files.ts';
import { type ShownSale, showExceptions, showSales } from '../evidence/show-sales.ts';
import { readManifest } from '../evidence/verify-files.ts';
import { type DetailRow, detailRowOf } from '../judge/detail-row.ts';
import type { Finding } from '../judge/finding.ts';
import { ExitCode, TieoutError } from '../kernel/errors.ts';
import type { Origin } from '../kernel/finding.ts';
import { formatMoney, formatPercent, ZERO } from '../kernel/money.ts';
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
      for (const each of await periodFolders(folder)) {
        const manifest = await readManifest(each);
        if (typeof manifest === 'string') throw unreadable(each, manifest);
        const exceptions = Map.groupBy(await showExceptions(each, text), ({ origin }) => placeOf(origin));
        for await (const sale of showSales(each, manifest, text)) {
          const place = placeOf(sale.sale.origin);
          io.print(json ? `${JSON.stringify(sale)}\n` : showText(sale, exceptions.get(place) ?? []));
          exceptions.delete(place);
          shown += 1;
        }
        // A search covers exceptions too; a listing without a text only has sales.
        for (const exception of text === '' ? [] : [...exceptions.values()].flat()) {
          io.print(json ? `${JSON.stringify({ exception })}\n` : showException(exception));
          shown += 1;
        }
      }
      if (shown === 0)
        io.warn(`No sale or exception in ${folder}${text === '' ? '' : ` has "${text}" in its name`}.\n`);
      exit(shown > 0 ? ExitCode.clean : ExitCode.open);
    });

const placeOf = ({ file, line, record }: Origin): string => JSON.stringify([file, line, record]);

const unreadable = (folder: string, problem: string): TieoutError =>
  new TieoutError({
    code: 'E_PACK_CHANGED',
    message: `${folder} cannot be shown: ${problem}`,
    nextStep: `\`tieout verify ${folder}\` shows what does not hold`,
  });

/** Formats a sale with the column titles of the sheets Detail, Exceptions and By jurisdiction, in dollars. */
const showText = (shown: ShownSale, exceptions: readonly Finding[]): string => {
  const { sale, posting, reconciled } = shown;
  const levels = levelRows(shown);
  return [
    `${sale.key}: as the books have it, in US dollars${sale.kind === 'refund' ? '; amounts of refunds are negative' : ''}`,
    ...table(bookTexts(detailRowOf(sale, posting, reconciled ?? undefined))),
    ...exceptions.flatMap((exception) => ['', '  As Exceptions has it', ...table(exceptionTexts(exception))]),
    ...(levels.length === 0 ? [] : ['', '  By jurisdiction', ...table([LEVEL_TITLES, ...levels])]),
    '',
  ].join('\n');
};

/** Formats an exception without a sale in Detail, such as a rejected row, with the titles of the sheet Exceptions. */
const showException = (exception: Finding): string =>
  [
    `${exception.record}: not in Detail; as Exceptions has it, in US dollars`,
    ...table(exceptionTexts(exception)),
    '',
  ].join('\n');

/** The cells of a sale in the sheets that list it. */
const bookTexts = (row: DetailRow): Texts => {
  const detail = detailOf({ states: [], reasons: [{ reversed: ZERO, thirds: row.reasons.length - 2 }] });
  return filledTexts([
    ...(row.isPosted ? rowTexts(detail, row) : rowTexts(NOT_POSTED, row)),
    ...(row.certificate === '' ? [] : rowTexts(EXEMPT_SALES, row)),
  ]);
};

type Texts = ReturnType<typeof rowTexts>;

const exceptionTexts = (exception: Finding): Texts =>
  filledTexts(rowTexts(EXCEPTIONS, { ...exception, no: '', isFirst: true }));

const filledTexts = (texts: Texts): Texts => texts.filter(([, text]) => text !== '');

const LEVEL_TITLES = ['Level', 'Name', 'Rate', 'Taxable', 'Expected', 'Collected'];

const levelRows = ({ reconciled }: ShownSale): readonly (readonly string[])[] =>
  (reconciled?.levels ?? []).map(({ level, name, rate, taxable, tax, collected }) => [
    level,
    name,
    formatPercent(rate),
    ...[taxable, tax, collected].map(formatMoney),
  ]);

const table = (rows: readonly (readonly string[])[]): readonly string[] => tableLines(rows, '  ');
