import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { KEYS_PATH } from '../close/evidence/keys.ts';
import {
  contentDigestOf,
  type GoneFile,
  type LogFile,
  MANIFEST_PATH,
  type Manifest,
  type ManifestContent,
  manifestText,
} from '../close/evidence/manifest.ts';
import { leavesOf } from '../close/evidence/manifest-content.ts';
import type { PeriodReport } from '../close/figures/period-report.ts';
import { drawBooks } from '../close/report/draw-books.ts';
import type { FileReading } from '../read/shapes.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import { manifestContentOf } from './render-pack.ts';
import type { Gathered } from './report.ts';

/** Draws the books of a period into a folder that has its logs, and writes the manifest over all of it. */
export const drawPeriod = async (
  ports: ClosePorts,
  folder: string,
  gathered: Gathered,
  given: {
    readonly logs: LogFile[];
    readonly previous: ManifestContent['previous'];
    readonly readings: readonly FileReading[];
    readonly gone: readonly GoneFile[];
  },
): Promise<PeriodReport> => {
  const { report: undecided, registrations, filing: figures, rejects, refunds, detail, drawnFrom } = gathered;
  const { logs, previous, readings, gone } = given;
  const books = await drawBooks(folder, {
    ...{ gathered: undecided, registrations, figures, rejects, detail, refunds },
  });
  gathered.remove();
  await writeFile(join(folder, KEYS_PATH), gathered.keys, { mode: 0o600 });
  const leaves = { ...leavesOf(books, figures), ...(drawnFrom && { drawnFrom }) };
  const isGone = gone.length > 0 && { gone: [...gone] };
  const about = { report: books.report, leaves, previous, readings: [...readings], ...isGone };
  const content = await manifestContentOf(ports, folder, about, logs);
  const contentDigest = contentDigestOf(content);
  const manifest: Manifest = {
    format: 'tieout-evidence-4',
    content,
    contentDigest,
  };
  await writeFile(join(folder, MANIFEST_PATH), manifestText(manifest), { mode: 0o600 });
  return { ...books.report, signOff: { contentDigest } };
};
