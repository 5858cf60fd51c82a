import { resolve } from 'node:path';
import { Command } from 'commander';
import { stringify } from 'yaml';
import {
  configurationIn,
  type LoadedConfiguration,
  loadConfiguration,
} from '../configuration/load-configuration.ts';
import type { ChannelConfiguration } from '../configuration/schema.ts';
import { OUTCOMES } from '../judge/input-findings.ts';
import { formatInstant } from '../kernel/calendar.ts';
import { type ExitCode, exitCodeOf, type TieoutError } from '../kernel/errors.ts';
import { formatMoney, formatPrice, sum } from '../kernel/money.ts';
import { isTimeZone, WANTED_ZONE } from '../kernel/time-zones.ts';
import { holdMemory } from '../runtime/hold-memory.ts';
import { profilePlace, shippedProfiles } from '../sales/detect-profile.ts';
import { draftProfile } from '../sales/draft-profile.ts';
import { ExportError } from '../sales/file-source.ts';
import type { Sale, SaleFinding, SetAside, TaxLine } from '../sales/sale.ts';
import { ENCODING_NAMES, expandFiles, type SurveyedFile, surveyFile } from '../sales/survey-file.ts';
import { findExports, type Trial, trialConfiguration, tryExports } from '../setup/try-exports.ts';
import type { CommandIo } from './io.ts';
import { usageError } from './options.ts';
import { errorObject, printAnswer, textTable, writeNewFile } from './print.ts';

type Common = { readonly profile?: string; readonly json?: boolean };
type TestOptions = Common & {
  readonly config?: string;
  readonly entity?: string;
  readonly channel?: string;
  readonly timeZone?: string;
};

const fromHere = (path: string): string => resolve(path);

/**
 * Builds `tieout profile …`: lists the profiles, tests reading an export, and drafts a profile for an unknown one.
 */
export const profileCommand = (io: CommandIo, exit: (code: ExitCode) => void): Command => {
  const profile = new Command('profile');

  profile
    .command('list')
    .description('List the profiles that come with Tieout')
    .option('--json', 'print a single JSON object to stdout')
    .action(({ json: isJson }: Common) => {
      const profiles = shippedProfiles().map(({ id, title, capability, proof, source }) => ({
        id,
        title,
        capability,
        proof: proof ? `proved by a ${proof.by}, ${proof.on}` : 'unproved',
        source,
      }));
      const rows = profiles.map(({ id, title, capability, proof }) => [id, title, capability, proof]);
      printAnswer(io, isJson, { profiles }, textTable(rows));
    });

  profile
    .command('test')
    .description('Read files as a close would: records and control totals')
    .argument('<files...>', 'files of one channel, its companion files too; folders, patterns, archives')
    .option('--profile <name>', 'use this profile: its id, or a YAML file of your own')
    .option('-c, --config <file>', 'take time zone, address, categories and channel from a configuration')
    .option('-e, --entity <name>', 'name the entity if there are several')
    .option('--channel <name>', 'read as this channel of the configuration; needed if it has several')
    .option(
      '--time-zone <zone>',
      'the zone that decides the day of a sale (default: that of the configuration, else UTC)',
    )
    .option('--json', 'print a single JSON object to stdout')
    .action(async (entries: readonly string[], options: TestOptions) => {
      const { configuration, channel } = await settingsOf(options);
      const named = options.profile ?? channel.profile;
      const resolvePath = options.profile === undefined ? configuration.resolvePath : fromHere;
      holdMemory();
      const trial = {
        configuration: { ...configuration, resolvePath: fromHere },
        channel: { ...channel, profile: profilePlace(named, resolvePath) },
      };
      const print = (files: readonly object[]): void => {
        const read = options.config === undefined ? {} : { channel: channel.name };
        printAnswer(io, true, { time_zone: configuration.timeZone, ...read, files }, '');
      };
      try {
        const trials = await tryExports(trial, await findExports(trial, entries));
        if (options.json) return print(trials.map(trialObject));
        io.print(`days in ${configuration.timeZone}\n\n${trials.map(trialText).join('\n')}`);
      } catch (error) {
        if (!options.json || !(error instanceof ExportError)) throw error;
        const place = String(error.details['file']);
        print([{ file: entries.find((entry) => fromHere(entry) === place) ?? place, ...errorObject(error) }]);
        exit(exitCodeOf(error));
      }
    });

  profile
    .command('init')
    .description('Draft a profile for an unknown export, with open questions')
    .argument('<file>', 'an export with its header and, better, a few hundred rows')
    .option('-o, --output <file>', 'write the draft there instead of printing it')
    .action(async (entry: string, { output }: { readonly output?: string }) => {
      const [source] = await expandFiles([entry], fromHere);
      if (!source) throw usageError(`${entry}: there is no such file`, 'Name an export.', 'E_EXPORT_MISSING');
      const draft = await draftProfile(await surveyFile(source));
      if (output === undefined) return io.print(draft);
      await writeNewFile(output, draft, 'profile');
      io.print(
        `Wrote ${output}. Answer each DECIDE in it. Next: \`tieout profile test ${entry} --profile ${output}\`\n`,
      );
    });
  return profile;
};

const settingsOf = async (
  options: TestOptions,
): Promise<{ readonly configuration: LoadedConfiguration; readonly channel: ChannelConfiguration }> => {
  if (options.timeZone !== undefined && !isTimeZone(options.timeZone))
    throw usage(`"${options.timeZone}" is not a time zone`, `Write ${WANTED_ZONE}.`);
  const base =
    options.config === undefined
      ? configurationIn('tieout.yaml', trialConfiguration({ name: 'trial' }, 'UTC'))
      : await loadConfiguration(options.config, options.entity);
  const configuration = { ...base, timeZone: options.timeZone ?? base.timeZone };
  const { channels } = configuration;
  const [channel, ...others] =
    options.channel === undefined ? channels : channels.filter(({ name }) => name === options.channel);
  if (!channel || others.length > 0)
    throw usage(
      channel
        ? 'the configuration has several channels'
        : `the configuration has no channel "${options.channel}"`,
      `Name one with --channel: ${channels.map(({ name }) => name).join(', ')}.`,
    );
  return { configuration, channel };
};

const usage = (message: string, nextStep: string): TieoutError =>
  usageError(message, nextStep, 'E_PROFILE_USAGE');

const encodingOf = ({ form }: SurveyedFile): string =>
  form.kind === 'workbook' ? 'XLSX' : ENCODING_NAMES[form.encoding];

/** Returns the trial of a file as JSON: its profile, control totals and records, with amounts as decimal text. */
const trialObject = (one: Trial) => {
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
      const total = (part: 'amount' | 'shipping' | 'salesTax' | 'marketplaceTax'): string =>
        formatMoney(sum(of.map((sale) => sale[part])));
      return {
        currency,
        count: of.length,
        amount: total('amount'),
        shipping: total('shipping'),
        sales_tax: total('salesTax'),
        marketplace_tax: total('marketplaceTax'),
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
const trialText = (one: Trial): string => {
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
