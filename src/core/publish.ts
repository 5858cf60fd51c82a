import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { configurationParts } from '../close/configuration/parts.ts';
import { KEYS_PATH } from '../close/evidence/keys.ts';
import {
  contentDigestOf,
  type LogFile,
  MANIFEST_PATH,
  type Manifest,
  type ManifestContent,
  manifestText,
} from '../close/evidence/manifest.ts';
import { leavesOf, reportFigures } from '../close/evidence/manifest-content.ts';
import type { PeriodReport } from '../close/figures/period-report.ts';
import { readinessFigures } from '../close/reconcile/readiness.ts';
import { drawBooks } from '../close/report/draw-books.ts';
import { derivationOf } from '../close/stages/book-pages/derivation-of.ts';
import { outputsOf } from '../close/stages/report/render-pack.ts';
import type { ClosePorts } from '../close/stages/run/close-ports.ts';
import type { Gathered } from './report.ts';
import type { FileReading } from './shapes.ts';

/** Draws the books of a period into a folder that has its logs, and writes the manifest over all of it. */
export const drawPeriod = async (
  ports: ClosePorts,
  folder: string,
  gathered: Gathered,
  given: {
    readonly logs: LogFile[];
    readonly previous: ManifestContent['previous'];
    readonly readings: readonly FileReading[];
  },
): Promise<PeriodReport> => {
  const { report: undecided, registrations, filing: figures, rejects, refunds, detail, drawnFrom } = gathered;
  const { logs, previous, readings } = given;
  const books = await drawBooks(folder, {
    ...{ gathered: undecided, registrations, figures, rejects, detail, refunds },
  });
  gathered.remove();
  await writeFile(join(folder, KEYS_PATH), gathered.keys, { mode: 0o600 });
  const { shipFrom, providers } = derivationOf(ports);
  const content: ManifestContent = {
    ...reportFigures(books.report),
    log: 1,
    build: ports.programDigest,
    configuration: configurationParts(ports.configuration).configuration,
    derivation: { shipFrom, providers },
    previous,
    readiness: readinessFigures(books.report.readiness),
    leaves: { ...leavesOf(books, figures), ...(drawnFrom && { drawnFrom }) },
    readings: [...readings],
    logs,
    outputs: await outputsOf(folder, logs),
  };
  const contentDigest = contentDigestOf(content);
  const manifest: Manifest = {
    format: 'tieout-evidence-4',
    content,
    contentDigest,
    approvals: [],
    previousApprovals: [],
  };
  await writeFile(join(folder, MANIFEST_PATH), manifestText(manifest), { mode: 0o600 });
  return { ...books.report, signOff: { contentDigest } };
};
