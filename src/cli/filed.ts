import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { loadOne, outputOf } from '../configuration/load-configuration.ts';
import type { Leaves } from '../evidence/manifest.ts';
import { readManifest } from '../evidence/verify-files.ts';
import { type CalendarDate, parseDate } from '../kernel/calendar.ts';
import { type Money, parseMoney } from '../kernel/money.ts';
import { addFiling } from '../periods/filings.ts';
import { FILINGS } from '../sales/file-source.ts';
import type { CommandIo } from './io.ts';
import { type EntityOptions, periodOf, usageError, withEntity, withOutput } from './options.ts';
import { printAnswer } from './print.ts';
import { filingObject } from './status-returns.ts';

type Options = EntityOptions & {
  readonly on: CalendarDate;
  readonly confirmation: string;
  readonly amount?: Money;
  readonly paid?: Money;
  readonly paidOn?: CalendarDate;
  readonly output?: string;
};

/** Builds `tieout filed 2026-10 TX --on 2026-11-20 --confirmation TEXT`: writes down that a return was filed. */
export const filedCommand = (io: CommandIo): Command =>
  withOutput(withEntity(new Command('filed')))
    .argument('<period>', 'a closed period such as 2026-10, or its version 2026-10-amended-1')
    .argument('<return>', 'a return as `tieout status` names it, such as TX or "CO Denver"')
    .requiredOption('--on <day>', 'when it was filed, such as 2026-11-20', dayIn)
    .requiredOption('--confirmation <text>', 'the confirmation of the state')
    .option('--amount <dollars>', 'what was filed, if it is not the amount of the books', moneyIn)
    .option('--paid <dollars>', 'what was paid', moneyIn)
    .option('--paid-on <day>', 'when it was paid', dayIn)
    .action(async (period: string, name: string, options: Options) => {
      const { config, entity: named, output, json, on, confirmation, amount, paid, paidOn } = options;
      const { label } = periodOf(period);
      if ((paid === undefined) !== (paidOn === undefined))
        throw usageError(
          'a payment needs its amount and its day',
          'Write --paid and --paid-on, or none of the two.',
        );
      const configuration = await loadOne(config, named);
      const { entity } = configuration;
      const folder = join(outputOf(configuration, output), entity, label);
      const filing = {
        entity,
        period: label,
        return: await returnNamed(folder, label, name),
        on,
        confirmation,
        amount,
        paid,
        paidOn,
      };
      await addFiling(configuration.resolvePath('.'), filing);
      const shown = { entity, period: label, return: filing.return, ...filingObject(filing) };
      const text = `${label} ${filing.return} filed on ${on}, confirmation ${confirmation}: a line of ${FILINGS}\n`;
      printAnswer(io, json, shown, text);
    });

/** @throws {TieoutError} E_PERIOD_NOT_CLOSED if the period has no books, E_FILING if they have no such return */
const returnNamed = async (folder: string, label: string, name: string): Promise<string> => {
  const manifest = await readManifest(folder);
  if (typeof manifest === 'string')
    throw usageError(
      `${label} is not closed: ${folder}: ${manifest}`,
      `Run \`tieout close ${label}\` first, or name the folder of published periods with --output.`,
      'E_PERIOD_NOT_CLOSED',
    );
  const { remittances = [] } = (manifest.content.leaves ?? {}) as Partial<Leaves>;
  const names = remittances.map(({ key }) => key);
  const own = names.find((each) => each.toLowerCase() === name.trim().toLowerCase());
  if (own !== undefined) return own;
  throw usageError(
    `${label} has no return "${name}"`,
    `Name one of its returns: ${names.join(', ') || 'it has none'}`,
    'E_FILING',
  );
};

function dayIn(text: string): CalendarDate {
  const day = parseDate(text);
  if (day) return day;
  throw new InvalidArgumentError('Write the day as 2026-11-20.');
}

function moneyIn(text: string): Money {
  const amount = parseMoney(text);
  if (amount !== undefined) return amount;
  throw new InvalidArgumentError('Write dollars and cents, such as 382.96.');
}
