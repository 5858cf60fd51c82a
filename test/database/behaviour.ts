import { type Generated, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, type Database } from '../../src/database/connect.ts';
import { type MigrationSet, migrate } from '../../src/database/migrate.ts';
import { insertNewRows } from '../../src/database/rows.ts';
import type { TestDatabases } from '../support/databases.ts';

type Shelf = { id: Generated<number>; name: string };
type Book = { shelf: number; title: string; cents: number | null; note: string | null };
type Tables = { shelves: Shelf; books: Book };

export const LIBRARY: MigrationSet = {
  name: 'library',
  steps: [
    {
      name: '0001-shelves',
      up: async ({ tables, identity, text, strict }) => {
        await sql`create table shelves (id ${identity}, name ${text} not null unique) ${strict}`.execute(
          tables,
        );
      },
    },
    {
      name: '0002-books',
      up: async ({ tables, integer, text, strict }) => {
        await sql`create table books (
          shelf ${integer} not null references shelves (id), title ${text} not null, cents ${integer}, note ${text},
          constraint books_key primary key (shelf, title)
        ) ${strict}`.execute(tables);
      },
    },
  ],
};

const KEY = ['shelf', 'title'] as const;

/** What both engines must do alike. */
export const databaseBehaviour = ({ engine, newUrl }: TestDatabases): void => {
  let url: string;
  let database: Database;
  let shelf: number;
  const tables = () => database.tables<Tables>();
  const book = (title: string, cents: number | null = null, note: string | null = null): Book => ({
    shelf,
    title,
    cents,
    note,
  });
  const insertInto = (connection: Database, rows: readonly Book[]) =>
    insertNewRows<Pick<Book, 'shelf' | 'title'>>(connection, { into: 'books', rows, key: KEY });
  const insert = (rows: readonly Book[]) => insertInto(database, rows);
  const newShelf = async (name: string) => {
    const row = await tables()
      .insertInto('shelves')
      .values({ name })
      .returning('id')
      .executeTakeFirstOrThrow();
    shelf = row.id;
  };
  const titles = async () =>
    (
      await tables().selectFrom('books').select('title').where('shelf', '=', shelf).orderBy('title').execute()
    ).map((row) => row.title);

  beforeAll(async () => {
    url = await newUrl();
    database = await connect(url, { busyWaitMs: 500 });
    await migrate(database, LIBRARY);
  });
  afterAll(() => database.close());

  describe('migrations', () => {
    it('run once when several connections ask at the same time', async () => {
      const shared = await newUrl();
      const connections = await Promise.all([1, 2, 3, 4].map(() => connect(shared)));
      await Promise.all(connections.map((connection) => migrate(connection, LIBRARY)));
      for (const connection of connections) {
        expect(await connection.tables<Tables>().selectFrom('books').selectAll().execute()).toEqual([]);
        await connection.close();
      }
    });

    it('leave nothing behind when one step fails', async () => {
      const broken = {
        name: 'broken',
        steps: [
          {
            name: '0001-half',
            up: async ({ integer, tables: raw }: Parameters<MigrationSet['steps'][0]['up']>[0]) => {
              await sql`create table half (id ${integer})`.execute(raw);
              await sql`insert into nowhere values (1)`.execute(raw);
            },
          },
        ],
      };
      await expect(migrate(database, broken)).rejects.toThrow(/nowhere/);
      const names = (await database.tables().introspection.getTables()).map(({ name }) => name);
      expect(names).not.toContain('half');
      expect(names).toContain('books');
    });

    it('refuse a database that a newer version has changed', async () => {
      const older = { ...LIBRARY, steps: LIBRARY.steps.slice(0, 1) };
      await expect(migrate(database, older)).rejects.toMatchObject({
        code: 'E_DATABASE_NEWER',
        recovery: 'fix-config',
        message: expect.stringContaining('0002-books'),
      });
    });
  });

  describe('values', () => {
    it.each([
      ['the largest exact number', Number.MAX_SAFE_INTEGER, 'a'],
      ['the smallest exact number', Number.MIN_SAFE_INTEGER, 'a'],
      ['nothing', null, null],
      ['zero and an empty text', 0, ''],
      ['quotes, backslashes, a line end and letters of the world', 1, `"'\\ \n é 東京 🙂`],
    ])('come back as they went in: %s', async (name, cents, note) => {
      await newShelf(`values ${name}`);
      await tables()
        .insertInto('books')
        .values(book('single', cents, note))
        .execute();
      await insert([book('batch', cents, note)]);
      const rows = await tables().selectFrom('books').selectAll().where('shelf', '=', shelf).execute();
      expect(rows).toEqual(expect.arrayContaining([book('single', cents, note), book('batch', cents, note)]));
    });

    it('that are too large to be exact are refused, never rounded', async () => {
      await newShelf('huge');
      const half = Number.MAX_SAFE_INTEGER;
      await insert([book('a', half), book('b', half)]);
      const total = tables()
        .selectFrom('books')
        .select((row) => row.fn.sum<number>('cents').as('total'))
        .where('shelf', '=', shelf);
      await expect(total.execute()).rejects.toThrow();
    });

    it.each([
      ['text in a column of numbers', { title: 'x', cents: 'twelve' }],
      ['a fraction in a column of numbers', { title: 'x', cents: 1.5 }],
    ])('of the wrong kind are refused: %s', async (name, values) => {
      await newShelf(`wrong ${name}`);
      const row = { ...book('x'), ...values } as unknown as Book;
      await expect(insert([row])).rejects.toThrow();
      await expect(tables().insertInto('books').values(row).execute()).rejects.toThrow();
      expect(await titles()).toEqual([]);
    });

    it('of text are ordered by their bytes, the same on every engine', async () => {
      await newShelf('order');
      await insert(['b', 'B', '_', 'a-1', 'a1', 'é', '10', '9'].map((title) => book(title)));
      expect(await titles()).toEqual(['10', '9', 'B', '_', 'a-1', 'a1', 'b', 'é']);
    });
  });

  describe('a batch', () => {
    it('keeps what is there, and says which rows are new', async () => {
      await newShelf('keep');
      await insert([book('a', 1)]);
      expect(await insert([book('a', 2), book('b', 2), book('b', 3)])).toEqual([{ shelf, title: 'b' }]);
      const rows = await tables()
        .selectFrom('books')
        .selectAll()
        .where('shelf', '=', shelf)
        .orderBy('title')
        .execute();
      expect(rows).toEqual([book('a', 1), book('b', 2)]);
    });

    it.each([0, 1, 4_999, 5_000, 5_001, 12_000])('may have %i rows', async (count) => {
      await newShelf(`batch of ${count}`);
      const rows = Array.from({ length: count }, (_, index) => book(`t${index}`, index, 'note'));
      expect(await insert(rows)).toHaveLength(count);
      const found = await tables()
        .selectFrom('books')
        .select((of) => [of.fn.countAll<number>().as('count'), of.fn.sum<number | null>('cents').as('total')])
        .where('shelf', '=', shelf)
        .executeTakeFirst();
      expect(found).toEqual({ count, total: count === 0 ? null : (count * (count - 1)) / 2 });
    });
  });

  it('takes the same rows from two sides in any order without a deadlock', async () => {
    await newShelf('two sides');
    const other = await connect(url);
    const rows = Array.from({ length: 200 }, (_, index) => book(`t${index}`, index));
    for (let round = 0; round < 10; round += 1)
      await Promise.all([insertInto(database, rows), insertInto(other, rows.toReversed())]);
    await other.close();
    expect(await titles()).toHaveLength(200);
  });

  describe('a transaction', () => {
    it('that runs beside others waits for its turn instead of losing their work', async () => {
      await newShelf('counter');
      await insert([book('count', 0)]);
      const other = await connect(url);
      const increment = (connection: Database) =>
        connection
          .tables<Tables>()
          .transaction()
          .execute(async (transaction) => {
            const base = transaction.selectFrom('books').select('cents').where('shelf', '=', shelf);
            const query = engine === 'postgres' ? base.forUpdate() : base;
            const { cents } = await query.executeTakeFirstOrThrow();
            const next = (cents ?? 0) + 1;
            await transaction.updateTable('books').set({ cents: next }).where('shelf', '=', shelf).execute();
          });
      await Promise.all(Array.from({ length: 20 }, (_, index) => increment(index % 2 ? database : other)));
      await other.close();
      const row = await tables()
        .selectFrom('books')
        .select('cents')
        .where('shelf', '=', shelf)
        .executeTakeFirst();
      expect(row).toEqual({ cents: 20 });
    });

    it('that waits too long for another one is refused as busy', async () => {
      await newShelf('busy');
      await insert([book('row', 0)]);
      const other = await connect(url, { busyWaitMs: 50 });
      const change = (connection: Database) =>
        connection.tables<Tables>().updateTable('books').set({ cents: 1 }).where('shelf', '=', shelf);
      await tables()
        .transaction()
        .execute(async (transaction) => {
          await transaction.updateTable('books').set({ cents: 2 }).where('shelf', '=', shelf).execute();
          await expect(change(other).execute()).rejects.toMatchObject({
            code: 'E_DATABASE_BUSY',
            recovery: 'wait',
          });
        });
      await change(other).execute();
      await other.close();
    });
  });
};
