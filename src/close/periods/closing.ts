import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { versionBefore } from '../../kernel/amended-version.ts';
import type { CalendarDate } from '../../kernel/calendar.ts';
import type { FilingPeriod } from '../../kernel/period.ts';
import { filesBelow, sha256OfFile } from '../../runtime/publish-folder.ts';
import { configurationDigest } from '../configuration/configuration-digest.ts';
import type { LoadedConfiguration } from '../configuration/load-configuration.ts';
import type { PeriodReport } from '../report/period-report.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { exportsDigest } from './exports-digest.ts';
import { readReport } from './read-report.ts';

/** An output file by its path below the period's folder. */
export type OutputFile = { readonly path: string; readonly sha256: string; readonly bytes: number };

/** What the last close of a period wrote, and from what. */
export type Closing = {
  readonly period: FilingPeriod;
  readonly folder: string;
  /** Digest of what it was made from. */
  readonly basis: string;
  readonly configuration: string;
  /** Digest of the program that made it: its version stays the same while somebody mends it. */
  readonly program: string;
  readonly service: string;
  readonly isClean: boolean;
  readonly files: readonly OutputFile[];
  readonly report: PeriodReport;
  /** Digest of everything that the files were drawn from; empty where it is not known. */
  readonly drawnFrom: string;
};

/** Where a closing is kept, and what it was made with. */
export type ClosedWith = {
  readonly workspace: Workspace;
  readonly configuration: LoadedConfiguration;
  readonly programDigest: string;
  readonly serviceId: string;
};

/** Remember what a close has written: a lock asks for it. */
export const recordClosing = async (
  { workspace, configuration, programDigest, serviceId }: ClosedWith,
  written: {
    readonly report: PeriodReport;
    readonly basis: string;
    readonly stated: string;
    readonly folder: string;
    readonly files: readonly string[];
    readonly drawnFrom: string;
  },
): Promise<void> => {
  const { report, basis, stated, folder, drawnFrom } = written;
  const files: OutputFile[] = [];
  for (const path of written.files) {
    const place = join(folder, path);
    files.push({ path, sha256: await sha256OfFile(place), bytes: (await stat(place)).size });
  }
  await workspace.upsert('closing', [
    {
      entity: workspace.entity,
      period: report.period.label,
      first: report.period.first,
      last: report.period.last,
      folder,
      content: basis,
      configuration: configurationDigest(configuration),
      program: programDigest,
      service: serviceId,
      clean: report.readiness.ready ? 1 : 0,
      files: JSON.stringify(files),
      report: JSON.stringify(report),
      drawn_from: drawnFrom,
      stated,
      compared_with: await exportsDigest(workspace),
      outdated: 0,
    },
  ]);
};

/** The last close of the period before this one; `undefined` when that was never closed. */
export const closingBefore = async (
  workspace: Workspace,
  period: FilingPeriod,
): Promise<Closing | undefined> => {
  const before = versionBefore(period);
  return before && closingOf(workspace, before.label);
};

/** The last close of a period; `undefined` when it was never closed. */
export const closingOf = async (
  { tables, entity }: Workspace,
  label: string,
): Promise<Closing | undefined> => {
  const row = await tables
    .selectFrom('closing')
    .selectAll()
    .where('entity', '=', entity)
    .where('period', '=', label)
    .executeTakeFirst();
  return (
    row && {
      period: { label, first: row.first as CalendarDate, last: row.last as CalendarDate },
      folder: row.folder,
      basis: row.content,
      configuration: row.configuration,
      program: row.program,
      service: row.service,
      isClean: row.clean === 1,
      files: JSON.parse(row.files) as OutputFile[],
      report: readReport(row.report),
      drawnFrom: row.drawn_from,
    }
  );
};

/** Whether the folder of a closing holds exactly the files that it wrote, byte for byte. */
export const isStanding = async ({ folder, files }: Closing): Promise<boolean> => {
  const present = await filesBelow(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  if (present.join('\n') !== files.map(({ path }) => path).join('\n')) return false;
  for (const { path, sha256 } of files) if ((await sha256OfFile(join(folder, path))) !== sha256) return false;
  return true;
};
