import { join } from 'node:path';
import { ServiceRefusal } from '../contract/refusal.ts';
import type { TaxService } from '../contract/tax-service.ts';
import { LOCK_FILE } from '../evidence/lock-line.ts';
import { logPath, readLog } from '../evidence/log-file.ts';
import type { Stray } from '../evidence/stray.ts';
import { readManifest } from '../evidence/verify-files.ts';
import type { FilingPeriod } from '../kernel/period.ts';
import { type ClosePorts, periodFolder } from '../periods/close-ports.ts';
import type { Locks } from '../periods/folders.ts';
import { refusal } from '../periods/lock.ts';
import { lockedDays } from '../periods/locks.ts';
import type { StageRunner } from '../runtime/pipeline.ts';
import {
  type FolderDifference,
  filesBelow,
  folderDifferences,
  sha256OfFile,
} from '../runtime/publish-folder.ts';
import { recordName } from './listing.ts';
import { drawInto } from './publish.ts';
import { readStage, takeLocks } from './reading.ts';

/**
 * Closes a period into an empty folder as if neither it nor anything behind it were locked, and compares that with what is
 * published. Nothing is recorded at the service, and nothing published changes.
 *
 * @throws {TieoutError} E_PERIOD_NOT_CLOSED when nothing is published of the period
 */
export const recheck = async (run: StageRunner, ports: ClosePorts, period: FilingPeriod, into: string) => {
  const published = periodFolder(ports, period);
  const manifest = await readManifest(published);
  if (typeof manifest === 'string')
    throw refusal(
      'E_PERIOD_NOT_CLOSED',
      `${published}: ${manifest}`,
      `Run \`tieout close ${period.label}\` first.`,
    );
  const reading = { ...ports, service: withoutWrites(ports.service) };
  const locks = before(await takeLocks(ports), period);
  const asked = await straysIn(published);
  const close = {
    run,
    ports: reading,
    period,
    asked,
    ...(await readStage(run, reading, locks)),
  };
  await drawInto(close, into);
  return run.stage('compare', async () => {
    const files = [];
    for (const path of await filesBelow(into))
      files.push({ path, sha256: await sha256OfFile(join(into, path)) });
    const differences: FolderDifference[] = [];
    for await (const found of folderDifferences(published, files))
      if (found.path !== LOCK_FILE) differences.push(found);
    const isOfThisBuild = manifest.content.build === ports.programDigest;
    const value = { files: files.map(({ path }) => path), differences, isOfThisBuild };
    return { value, summary: `${differences.length} of ${files.length} files differ` };
  });
};

/** The locks that were taken before that of a version. */
const before = ({ versions, lines }: Locks, { label }: FilingPeriod): Locks => {
  const own = versions.findIndex(({ name }) => name === label);
  return { lines, ...lockedDays(own < 0 ? versions : versions.slice(0, own)) };
};

/** Returns the names of the records that published books ask about. Others are of books since. */
const straysIn = async (folder: string): Promise<ReadonlySet<string>> => {
  const names = new Set<string>();
  for await (const stray of readLog(join(folder, logPath('strays')))) names.add(recordName(stray as Stray));
  return names;
};

/** The same service, which refuses whatever would change a record. */
const withoutWrites = (service: TaxService): TaxService => {
  const refuse = () => new ServiceRefusal(405, 'a recheck records nothing');
  const refused = async () => Promise.reject(refuse());
  const { dayMarks: _, ...reading } = service;
  return {
    ...reading,
    createMany: async (all) => all.map(refuse),
    update: refused,
    remove: refused,
  };
};
