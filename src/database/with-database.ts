import { connect } from './connect.ts';
import type { Database } from './database.ts';

/** Open the database at an address, work with it, and close it again, whatever comes of the work. */
export const withDatabase = async <Result>(
  url: string,
  work: (database: Database) => Promise<Result>,
): Promise<Result> => {
  const database = await connect(url);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
};
