import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parse as parseCsv } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { parse } from 'yaml';
import { aboutFinding } from '../../../src/judge/finding.ts';
import { DELETE_REST } from '../../../src/judge/period-codes.ts';
import { CASES, type ExportFile, type Row, textOf } from '../../sales/case-files.ts';
import type { Figures } from '../../support/figures.ts';
import { month, type Settings } from '../../support/month.ts';
import { refundsExport } from '../../support/shop-exports.ts';

type State = ExportFile & {
  readonly files?: readonly ExportFile[];
  readonly channel?: Settings;
  /** Order and amount of what was given back on October 20. */
  readonly repayments?: readonly (readonly [order: string, amount: string])[];
  /** What is beside the exports, by name. */
  readonly beside?: Readonly<Record<string, string>>;
  /** States in which the seller is registered as well. */
  readonly registered?: readonly string[];
  /** How often the last row stands there. */
  readonly times?: number;
  /** Codes that the hint leaves to a further decision. */
  readonly leaves?: readonly string[];
  /** Whether the last line has no end. */
  readonly isCut?: boolean;
};
/** A code, the smallest export that shows it, and what someone made of it who did what the hint says. */
export type HintedRecord = State & {
  readonly code: string;
  readonly profile: string;
  readonly base?: Row;
  readonly then?: Partial<State>;
};

export const RECORDS = parse(
  readFileSync(new URL('records.yaml', import.meta.url), 'utf8'),
) as readonly HintedRecord[];

/** The verdicts that the hint of a code names: “Post”; not those for what only the service still has. */
export const verdictsOf = (code: string): readonly string[] => {
  const todo = aboutFinding(code).todo.replace(DELETE_REST, '');
  return [...new Set([...todo.matchAll(/“([^”]+)”/g)].map(([, verdict = '']) => verdict))];
};

const folderOf = ({ code }: HintedRecord): string => `exports/${code}`;

/** The files and the channel of a record in one state. */
const written = (record: HintedRecord, state: State) => {
  const folder = folderOf(record);
  const base = CASES.find(({ profile }) => profile === record.profile)?.base;
  const files = (state.files ?? [state]).map((file, index) => {
    const rows = file.rows ?? [];
    const all = {
      ...file,
      rows: [...rows, ...Array.from({ length: (state.times ?? 1) - 1 }, () => rows.at(-1) ?? {})],
    };
    const text = textOf(file.rows ? all : file, record.profile, { ...base, ...record.base });
    return [`${folder}/${index + 1}.csv`, state.isCut ? text.toString().trimEnd() : text] as const;
  });
  const repayments = (state.repayments ?? []).map(([order, amount]) => ({ order, amount }));
  const settings = JSON.stringify({ refundDates: [], ...state.channel }).replaceAll('{folder}', folder);
  return {
    files: [
      ...files,
      ...Object.entries(state.beside ?? {}).map(([name, text]) => [`${folder}/${name}`, text] as const),
      ...(state.repayments ? [[`${folder}/refunds.csv`, refundsExport(repayments)] as const] : []),
    ],
    channel: { name: record.code.toLowerCase(), files: files.map(([path]) => path), ...JSON.parse(settings) },
  };
};

const PLACES = ['CA', 'NC', 'MA', 'NY', 'WA'];
const SHOP = { country: 'US', state: 'CA', zip: '94607', city: 'Oakland', street: '1 Pier' };

/** The state after someone did what the hint says: of a file that was exported again nothing is left. */
export const followed = ({ code, profile, base, then, ...before }: HintedRecord): State => {
  const isAgain = then?.rows ?? then?.files;
  const { channel, repayments } = before;
  return {
    ...(isAgain ? { ...(channel && { channel }), ...(repayments && { repayments }) } : before),
    ...then,
  };
};

/** A shop with a channel for each record, which reads `decisions.csv` where it is there. */
export const hintedShop = async (folder: string) => {
  const shop = await month({}, folder);
  /** Write its exports in one state, and close October. */
  const closeWith = async (stateOf: (record: HintedRecord) => State): Promise<Figures> => {
    const all = RECORDS.map((record) => written(record, stateOf(record)));
    await rm(join(folder, 'exports'), { recursive: true, force: true });
    for (const [path, text] of all.flatMap(({ files }) => files)) await shop.write(path, text);
    const places = [...PLACES, ...RECORDS.flatMap((record) => stateOf(record).registered ?? [])];
    const registrations = places.map((state) => ({ state, since: '2019-01-01' }));
    const channels = all.map(({ channel }) => channel);
    await shop.change({ settings: { channels, registrations, shipFrom: SHOP } });
    return shop.close();
  };
  return { ...shop, closeWith };
};

/** The exceptions of a close that are about a record of the table and nobody has accepted. */
export const exceptionsOf = (record: HintedRecord, { exceptions }: Figures) =>
  exceptions.filter(
    ({ file, record: name }) =>
      file.startsWith(`${folderOf(record)}/`) || name.split(' ')[0] === record.code.toLowerCase(),
  );

/** The open lines of a list, each with the verdict of its hint whose turn it is. */
export const answered = (list: string, round: number): string => {
  const lines: Record<string, string>[] = parseCsv(list, { columns: true, bom: true });
  const filled = lines.map((line) => {
    const decision = verdictsOf(line['key']?.split(' ')[1] ?? '')[round] ?? '';
    return { ...line, decision, why: 'as agreed' };
  });
  return stringify(
    filled.filter(({ decision }) => decision !== ''),
    { header: true },
  );
};
