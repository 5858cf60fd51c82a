import * as z from 'zod';
import type { DrawnBooks } from '../books/draw-books.ts';
import type { FilingFigures } from '../figures/filing-figures.ts';
import { type UnreturnedRow, unreturnedRows } from '../figures/pay-todo.ts';
import { priorPeriodStates } from '../figures/period-filing.ts';
import {
  acceptedExceptions,
  openExceptions,
  type PeriodReport,
  type PriorPeriodState,
  seenExceptions,
} from '../figures/period-report.ts';
import { wasRead } from '../judge/input-findings.ts';
import { type CalendarDate, parseDate } from '../kernel/calendar.ts';
import { digestOf, type Json } from '../kernel/json.ts';
import { money } from '../kernel/money.ts';

export const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const Day = z.custom<CalendarDate>((day) => typeof day === 'string' && parseDate(day) !== undefined);

/** A path that stays inside the folder of the period. */
const InnerPath = z
  .string()
  .refine((path) => !/^[/\\]|^[A-Za-z]:/.test(path), 'must be relative')
  .refine((path) => path.split(/[/\\]/).every((part) => !['', '.', '..'].includes(part)), 'must stay inside');

/** The name of a period, which is also the name of its folder. */
const PeriodName = z.string().regex(/^[\w.-]*\w$/);

/** A file in the folder of the period, by its relative path. */
const NamedFile = z.strictObject({
  path: InnerPath,
  bytes: z.number().int().min(0),
  sha256: Sha256,
});
export type NamedFile = z.output<typeof NamedFile>;

/** A compressed log: one JSON object per line. */
const LogFile = NamedFile.extend({ records: z.number().int().min(0) });
export type LogFile = z.output<typeof LogFile>;

const InputFigures = z.strictObject({
  channel: z.string(),
  path: z.string(),
  profile: z.string(),
  sha256: Sha256,
  bytes: z.number().int(),
  rows: z.number().int(),
  used: z.number().int(),
  ignored: z.number().int(),
  rejected: z.number().int(),
});

export type InputFigures = z.output<typeof InputFigures>;

/** A file of an earlier close whose bytes are gone, with what no export has now. */
const GoneFile = z.strictObject({
  channel: z.string(),
  path: z.string(),
  sha256: Sha256,
  /** Posted sales by their keys. Amounts are in cents, those of refunds negative. */
  records: z.array(
    z.strictObject({
      key: z.string(),
      amount: z.int().transform(money),
      /** Digest of the record at the service; empty if it had none. */
      record: z.string(),
    }),
  ),
  /** Keys of what was held, and keys or places of what was rejected. */
  unposted: z.array(z.string()),
});
export type GoneFile = z.output<typeof GoneFile>;

/**
 * The result of the period, the input it was computed from, and every file: everything that a signature vouches for.
 */
const ManifestContent = z.strictObject({
  program: z.string(),
  /** The version of the lines in the log of entries. Logs are read for years: a reader of each version stays. */
  log: z.literal(1),
  /** Digest of the program's files: the same build produces the same bytes. */
  build: z.string().min(1),
  seller: z.string(),
  entity: z.string(),
  period: z.strictObject({ label: z.string(), first: z.string(), last: z.string() }),
  timeZone: z.string(),
  /** The tax service and its content. */
  service: z.string(),
  /** Digest of everything in the configuration that the figures depend on. */
  configuration: Sha256,
  /** Settings from which to derive the content that the logs leave out. */
  derivation: z.strictObject({
    /** The place that goods ship from. */
    shipFrom: z.strictObject({
      country: z.string(),
      state: z.string(),
      zip: z.string(),
      city: z.string(),
      street: z.string(),
    }),
    /** By channel: the source under which the service keeps its records. */
    providers: z.record(z.string(), z.string()),
  }),
  /** The content of the period before, so that an unannounced edit of an earlier period is detected. */
  previous: z.strictObject({ period: PeriodName, contentDigest: Sha256 }).nullable(),
  inputs: z.array(InputFigures),
  /** How its files of sales were read: a later close passes over those of which all is settled. */
  readings: z
    .array(
      z.strictObject({
        channel: z.string(),
        path: z.string(),
        sha256: Sha256,
        reader: z.string(),
        first: Day,
        last: Day,
        isSettled: z.boolean(),
      }),
    )
    .optional(),
  gone: z.array(GoneFile).optional(),
  exceptions: z.strictObject({
    open: z.number().int(),
    accepted: z.number().int(),
    seen: z.number().int(),
  }),
  /** Its figures, whether it can be filed, and what other periods take from it: `Leaves`. */
  leaves: z.unknown().optional(),
  logs: z.array(LogFile),
  /** Every other file of the folder, except `lock.json`. */
  outputs: z.array(NamedFile),
});
export type ManifestContent = z.output<typeof ManifestContent>;

/** The settings for reading the logs: everything that does not belong to a single sale. */
export type Derivation = ManifestContent['derivation'] & Pick<ManifestContent, 'service'>;

export const derivationIn = ({ derivation, service }: ManifestContent): Derivation => ({
  ...derivation,
  service,
});

/** A name that fits on one line of the signed text. */
export const SIGNABLE_NAME = /^[^\p{Cc}\p{Cs}\u2028\u2029]+$/u;

/** `evidence/manifest.json`: the list of all files in a period's folder, and the figures they lead to. */
export const Manifest = z.strictObject({
  format: z.literal('tieout-evidence-7'),
  content: ManifestContent,
  contentDigest: Sha256,
});
export type Manifest = z.output<typeof Manifest>;

/** The path of the manifest in the folder of a period. */
export const MANIFEST_PATH = 'evidence/manifest.json';

/** Returns the digest of the content that a signature vouches for. */
export const contentDigestOf = (content: ManifestContent): string => digestOf(content as Json);

/** Formats the manifest as the text of its file. */
export const manifestText = (manifest: Manifest): string => `${JSON.stringify(manifest, null, 2)}\n`;

/** What a period leaves to others, and to the next close of its own. It stands in the manifest. */
export type Leaves = Pick<
  PeriodReport,
  'states' | 'reasons' | 'remittances' | 'readiness' | 'laterCharges'
> & {
  readonly kept: readonly PriorPeriodState[];
  /** Tax collected in states without a return; absent if there is none. */
  readonly unreturned?: readonly UnreturnedRow[];
};

/** Returns what follows from the books. */
export const leavesOf = ({ report, filing }: DrawnBooks, figures: FilingFigures): Leaves => {
  const { states, reasons, remittances, readiness, laterCharges } = report;
  const unreturned = unreturnedRows(report);
  return {
    states,
    reasons,
    remittances,
    readiness,
    kept: priorPeriodStates(report, figures, filing),
    ...(laterCharges && { laterCharges }),
    ...(unreturned.length > 0 && { unreturned }),
  };
};

/** The parts of the manifest that follow from the report alone. */
export type ReportFigures = Pick<
  ManifestContent,
  'program' | 'seller' | 'entity' | 'period' | 'timeZone' | 'service' | 'inputs' | 'exceptions'
>;

export const reportFigures = (report: PeriodReport): ReportFigures => {
  const { program, seller, entity, period, timeZone, service } = report;
  const open = openExceptions(report).length;
  const accepted = acceptedExceptions(report).length;
  return {
    program,
    seller,
    entity,
    period: { label: period.label, first: period.first, last: period.last },
    timeZone,
    service,
    inputs: report.inputs.filter(wasRead).map((file) => z.object(InputFigures.shape).parse(file)),
    exceptions: { open, accepted, seen: seenExceptions(report) },
  };
};

/** The problem in words; `undefined` if the check passes. */
export type Problem = string | undefined;
