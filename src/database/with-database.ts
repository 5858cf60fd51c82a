import { designedError } from '../kernel/disk-failure.ts';
import { connect } from './connect.ts';
import { damageOf } from './damage-of.ts';
import type { Database } from './database.ts';

/**
 * Open the database at an address, work with it, and close it again, whatever comes of the work. Work that ends with an
 * error that no one designed may have read what a disk has damaged: then the damage is the error, and not a defect.
 *
 * @throws {TieoutError} E_DATABASE_DAMAGED, and those of `connect`
 */
export const withDatabase = async <Result>(
  url: string,
  work: (database: Database) => Promise<Result>,
): Promise<Result> => {
  const database = await connect(url);
  try {
    return await work(database);
  } catch (error) {
    const isDesigned = (designedError(error)?.recovery ?? 'defect') !== 'defect';
    throw (isDesigned ? undefined : damageOf(database)) ?? error;
  } finally {
    await database.close();
  }
};
