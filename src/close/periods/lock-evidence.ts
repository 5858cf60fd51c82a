import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type CalendarDate, formatInstant } from '../../kernel/calendar.ts';
import { digestOf, type Json } from '../../kernel/digest.ts';
import { folderError, stagingFor } from '../../runtime/publish-folder.ts';
import { LOCK_PATH, lockStatementText } from '../evidence/lock-statement.ts';
import type { PeriodEvent } from '../workspace/period-events.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { keepFiles } from './archived-files.ts';
import type { OutputFile } from './closing.ts';

/** A lock that is being set; the transaction is still open. */
type NewLock = {
  readonly period: string;
  readonly version: number;
  readonly folder: string;
  readonly snapshot: Snapshot;
  readonly event: PeriodEvent;
};

/** Keep the statement of a lock. It is written to the folder of its period after the transaction is committed. */
export const keepLockEvidence = async (workspace: Workspace, lock: NewLock): Promise<void> => {
  const { folder, snapshot, event } = lock;
  const staging = await stagingFor(folder);
  try {
    await mkdir(dirname(join(staging, LOCK_PATH)), { mode: 0o700 });
    const { digest, at, who, why } = event;
    const text = lockStatementText({
      format: 'tieout-lock-1',
      entity: workspace.entity,
      period: lock.period,
      version: lock.version,
      digest,
      at: formatInstant(at),
      who,
      why,
      snapshot: { ...snapshot, files: [...snapshot.files] },
    });
    await writeFile(join(staging, LOCK_PATH), text, { mode: 0o600 });
    await keepFiles(workspace, { label: snapshot.label, folder: staging, files: [{ path: LOCK_PATH }] });
  } catch (error) {
    throw folderError(error, folder);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
};

/** The figures of one state as they are filed, in cents. */
type FiledState = {
  readonly state: string;
  readonly gross: number;
  readonly taxable: number;
  readonly collected: number;
  readonly expected: number;
  readonly recorded: number;
};

/** An exception that was accepted or open when the period was locked. */
type StandingException = { readonly record: string; readonly code: string; readonly why: string };

/** A record that was set aside when the period was locked. */
export type FiledAside = { readonly channel: string; readonly record: string; readonly code: string };

/**
 * Everything that a lock freezes, with a digest in place of its sales. The digest of the lock is the digest of this.
 */
export type Snapshot = {
  readonly label: string;
  readonly first: CalendarDate;
  readonly last: CalendarDate;
  readonly states: readonly FiledState[];
  readonly sales: { readonly count: number; readonly digest: string };
  /** Set if it holds the returns of a longer period alone: the versions within it that hold its sales. */
  readonly over?: readonly string[];
  /** Digest of the workbooks' inputs: the sales, and every record that was set aside. */
  readonly content: string;
  /** The rejected ones among the records that were set aside. */
  readonly asides: readonly FiledAside[];
  readonly accepted: readonly StandingException[];
  /** The exceptions that were open when the period was locked anyway, and why. */
  readonly open: readonly StandingException[];
  readonly configuration: string;
  readonly program: string;
  readonly service: string;
  readonly files: readonly OutputFile[];
};

export const snapshotDigest = (snapshot: Snapshot): string => digestOf(snapshot as unknown as Json);
