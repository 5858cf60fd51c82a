import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';

export type PostgresServer = {
  readonly url: string;
  /** End it at once, as if its machine had: connections break off, and no one can connect until it is resumed. */
  readonly halt: () => Promise<void>;
  readonly resume: () => Promise<void>;
  readonly stop: () => Promise<void>;
};
type Account = {
  readonly uid: number;
  readonly gid: number;
};

const run = promisify(execFile);
const USER = 'tieout';
const ATTEMPTS_MAX = 200;
const ATTEMPT_PAUSE_MS = 50;

/** Why no server can be started here, in words for the person who reads the skipped test. */
export class NoPostgresError extends Error {}

/**
 * Start a throw-away PostgreSQL server on a free port of this machine, with a password no one knows and without
 * the durability that tests do not need: `keepsCommits` has what was committed outlive a halt.
 */
export const startPostgres = async ({
  keepsCommits = false,
}: {
  readonly keepsCommits?: boolean;
} = {}): Promise<PostgresServer> => {
  const programs = findPrograms();
  const account = process.getuid?.() === 0 ? accountForServer() : undefined;
  const folder = await mkdtemp(join(tmpdir(), 'tieout-postgres-'));
  const password = randomBytes(16).toString('hex');
  let server: ChildProcess | undefined;
  const halt = async () => {
    if (server?.exitCode !== null) return;
    const ended = once(server, 'exit');
    server.kill('SIGQUIT');
    await ended;
  };
  const stop = async () => {
    await halt();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await createCluster(programs, folder, password, account);
    const port = await freePort();
    const url = `postgres://${USER}:${password}@127.0.0.1:${port}/postgres`;
    const resume = async () => {
      server = spawn(join(programs, 'postgres'), serverArguments(folder, port, keepsCommits), {
        ...account,
        cwd: folder,
        stdio: 'ignore',
      });
      await untilReady(url, server);
    };
    await resume();
    return { url, halt, resume, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};

const serverArguments = (folder: string, port: number, keepsCommits: boolean): string[] => {
  const commit = `synchronous_commit=${keepsCommits ? 'on' : 'off'}`;
  const settings = ['fsync=off', commit, 'full_page_writes=off', 'max_connections=200'];
  const place = ['-D', join(folder, 'data'), '-k', folder, '-h', '127.0.0.1', '-p', String(port)];
  return [...place, ...settings.flatMap((setting) => ['-c', setting])];
};

const createCluster = async (
  programs: string,
  folder: string,
  password: string,
  account: Account | undefined,
): Promise<void> => {
  const secret = join(folder, 'password');
  await writeFile(secret, password);
  if (account) for (const path of [folder, secret]) await chown(path, account.uid, account.gid);
  await chmod(folder, 0o700);
  const shared = ['-D', join(folder, 'data'), '-U', USER, `--pwfile=${secret}`, '-A', 'scram-sha-256', '-N'];
  const initdb = (locale: string[]) =>
    run(join(programs, 'initdb'), [...shared, '-E', 'UTF8', ...locale], { ...account, cwd: folder });
  // A locale that does not order by bytes shows where a table forgot to say how its text compares.
  await initdb(['--locale=C', '--locale-provider=icu', '--icu-locale=en-US']).catch(() =>
    initdb(['--locale=C']),
  );
};

/** The folder that holds `initdb` and `postgres`: on the path, or where Debian puts them. */
const findPrograms = (): string => {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...(process.env['PATH'] ?? '').split(delimiter),
    ...versions.map((version) => join(debian, version, 'bin')),
  ];
  const found = folders.find((folder) =>
    ['initdb', 'postgres'].every((name) => existsSync(join(folder, name))),
  );
  if (found === undefined) {
    throw new NoPostgresError('initdb and postgres were not found; install the Debian package postgresql');
  }
  return found;
};

/** PostgreSQL refuses to run as root, so root runs it as somebody else. */
const accountForServer = (): Account => {
  const entries = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  for (const name of ['postgres', 'no one']) {
    const entry = entries.find((fields) => fields[0] === name);
    if (entry) return { uid: Number(entry[2]), gid: Number(entry[3]) };
  }
  throw new NoPostgresError(
    'root may not run postgres, and there is no user postgres or no one to run it as',
  );
};

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });

const untilReady = async (url: string, server: ChildProcess): Promise<void> => {
  for (let attempt = 0; attempt < ATTEMPTS_MAX && server.exitCode === null; attempt += 1) {
    const client = new Client({ connectionString: url });
    try {
      await client.connect();
      return await client.end();
    } catch {
      await client.end().catch(() => {});
      await pause(ATTEMPT_PAUSE_MS);
    }
  }
  throw new NoPostgresError('the postgres server that was started did not become ready');
};
