/**
 * Every error code with what it means, by the next step for the operator, which decides the exit code. `docs/errors.md` is
 * printed from this table.
 */
export const ERRORS = {
  usage: {
    E_ACCOUNT_SETTING: 'a setting of an account is not JSON of the form it needs',
    E_ACCOUNT_UNKNOWN: 'there is no account of that name',
    E_BACKFILL_RANGE: 'a backfill is of several months',
    E_BACKUP_ENGINE: 'a database on a server is backed up by the server’s own programs',
    E_CONFIG_EXISTS: '`init` was to write a configuration where one is already',
    E_CONTENT_USAGE: 'a content command was used wrongly',
    E_ENTITY: 'the configuration has no such entity, or several where one must be named',
    E_FOLDER_NOT_EMPTY: 'a folder that should be empty is not',
    E_KEY_UNKNOWN: 'the account has no such key in use',
    E_PERIOD: 'the text is not a filing period',
    E_PERIOD_BOUND: 'the period cannot be unlocked, because something later rests on it',
    E_PERIOD_EARLIER_OPEN:
      'an earlier period is closed and not locked; periods are locked in the order of their days',
    E_PERIOD_LOCKED: 'the period is locked, and its files cannot be signed or changed any more',
    E_PERIOD_NOT_CLOSED: 'a period that was never closed cannot be signed or locked',
    E_PERIOD_NOT_LOCKED: 'the period is not locked',
    E_PERIOD_OPEN: 'the last close of the period was not clean, and no one said why that may stand',
    E_PERIOD_OVERLAP: 'the period has days in common with one that is locked, and others that are not',
    E_PERIOD_STALE: 'the workbooks of the period are not from the present state; close it again',
    E_PERIOD_UNFINISHED: 'the period is not over, so it cannot be signed or locked yet',
    E_PROFILE_USAGE: 'a profile command was used wrongly',
    E_REASON_MISSING: 'an unlocking wants a reason',
    E_SERVE_ADDRESS: 'the address or port cannot be served on',
    E_SERVE_MEMORY: 'a service database in memory cannot be shared by several processes',
    E_SERVE_PLAINTEXT: 'plain HTTP would leave this machine, and no one said --insecure',
    E_SERVE_TLS: 'certificate and key must be given together, be readable, and belong together',
    E_SIGNED: 'the same person may not sign in both roles',
    E_USAGE: 'the command line could not be understood (with --json)',
  },
  'fix-input': {
    E_ALLOWED_SIGNERS: 'a file of allowed signers, or a line of it, cannot be read',
    E_CERTIFICATES_COLUMNS: 'a register of certificates lacks a column, or has one twice',
    E_CERTIFICATES_MISSING: 'a configured register of certificates is not there',
    E_CONTENT_REFUSED: 'an official rate file cannot be imported',
    E_DATABASE_DAMAGED: 'a database file, or JSON in its rows, is damaged; nothing of it is repaired',
    E_DECISION: 'a decision cannot be read, does not fit, or is made in two ways',
    E_EVIDENCE_MISSING: 'the folder named holds no evidence of a closed period',
    E_EXPORT_AMBIGUOUS: 'an export fits two profiles equally well, or two of its sheets fit one',
    E_EXPORT_AMOUNTS: 'the amounts of an export do not add up as its profile says',
    E_EXPORT_ARCHIVE: 'a compressed file, archive or workbook is damaged, or must not be unpacked',
    E_EXPORT_DAMAGED: 'the quoting of an export is broken at the line given',
    E_EXPORT_DATES: 'the dates of an export contradict its form, prove none, or were rewritten',
    E_EXPORT_EMPTY: 'an export has no rows, not even a header',
    E_EXPORT_ENCODING: 'an export is neither text in a known encoding nor a workbook',
    E_EXPORT_GONE: 'a file of posted sales is gone, and no one has decided about their records',
    E_EXPORT_LIMIT: 'an export exceeds a limit: a bomb, a line without end, too many cells',
    E_EXPORT_MISSING: 'a configured export is not there',
    E_EXPORT_PROFILE: 'an export is of another kind than its place in the configuration wants',
    E_EXPORT_REFUSED: 'a known kind of export that says too little; the advice names a better one',
    E_EXPORT_UNKNOWN: 'the columns of an export fit no profile; the nearest is named',
    E_EXPORT_UNREADABLE: 'a configured export cannot be read',
    E_FILING: 'a line of filings.csv cannot be read, names no return, or says two things of one return',
    E_INIT_NO_EXPORTS: '`init` found no export of sales in the folder',
    E_LOCKED_OUTPUT: 'a file of a locked period is not as it was locked',
    E_LOCK_UNKNOWN: 'a lock stands in one of its two places alone, or its folder is missing or another',
    E_PACK_CHANGED: 'the evidence of the period does not hold: it is not signed or shown',
    E_SERVICE_REFUSED: 'the tax service answered no; in a close this is a finding about one record',
    E_SIGNING_KEY: 'a file is not an SSH key that can sign: missing, locked, or of another type',
    E_LEDGER_COLUMNS: 'the file of account balances has other columns, or no rows',
    E_LEDGER_MISSING: 'the configured file of account balances is not there',
  },
  'fix-config': {
    E_ACCESS_REFUSED: 'a file or folder may not be read or written by this user',
    E_CALL_BUDGET: 'the period needs more calculations than the budget allows; nothing was asked for',
    E_CONFIG_INVALID: 'a key of the configuration is missing, unknown or of the wrong form',
    E_CONFIG_MISSING: 'no configuration file can be read where one was named',
    E_CONFIG_SYNTAX: 'the configuration is not a YAML at the place given',
    E_CONFIG_UNWRITABLE: '`init` cannot write the configuration there',
    E_CONTENT_DAMAGED: 'there is no tax content in the folder named, or it is damaged',
    E_DATABASE_ACCESS: 'a database may not be opened or used',
    E_DATABASE_ADDRESS: 'what is configured is not the address of a database',
    E_DATABASE_FOREIGN: "the file is another program's or has lost its header, and is left untouched",
    E_DATABASE_MISSING: 'a database that is to be backed up is not there',
    E_DATABASE_NEWER: 'a newer version of Tieout has changed the database',
    E_LAW_INVALID: "a row of the states' returns, due dates, discounts or thresholds has a mistake",
    E_NODE_TOO_OLD: 'Node is older than Tieout needs',
    E_OUTPUT_UNWRITABLE: 'the output folder cannot be written',
    E_PROFILE_INVALID: 'a source profile of your own has a mistake at the place given',
    E_PROFILE_UNKNOWN: 'there is no such source profile, or the one it extends does not exist',
    E_SERVICE_ADDRESS: 'what answers at the address of the service is not a tax service',
    E_SERVICE_FORBIDDEN: 'the key is known and the account may not do this, or its plan is used up',
    E_SERVICE_KEY: 'the key of the remote service is missing, unknown or revoked',
    E_SERVICE_PLAINTEXT: 'plain HTTP to a remote service would send the key in the clear',
    E_WORKERS_DATABASE: 'workers were asked for, and a database is a file of one machine',
    E_WORKER_REFUSED: 'a worker has another program, configuration or tax service than the close',
  },
  retry: {
    E_BATCH_LOST: 'a worker was not heard of in time and lost its batch to another one',
    E_DATABASE_STORAGE: 'a database could not be read or written: no space, or a disk that fails',
    E_DATABASE_UNREACHABLE: 'the database server does not answer',
    E_DISK_FAILED: 'a disk failed while a file was read or written',
    E_EXPORT_CHANGED: 'a file was changed or replaced while it was read; the next reads all of it',
    E_OUTPUT_FULL: 'no space is left for the output',
    E_SERVE_PROCESS: 'a process of the service ended by itself',
    E_SERVICE_ANSWER: 'what answers at the address of the service does not speak its interface',
    E_SERVICE_CHANGED: 'the tax content of the service changed during the run; run again once it is the same',
    E_SERVICE_UNAVAILABLE: 'the tax service did not answer in as many tries as configured; run again later',
    E_STOPPED: 'the run was asked to stop (SIGTERM, SIGINT); the same command goes on',
    E_WORKERS_ABSENT: 'a close hands out batches, and no worker takes them',
    E_WORKERS_LOST: 'five workers were lost over the same batch',
  },
  wait: {
    E_DATABASE_BUSY: 'a database is being written by another process',
    E_RUN_LOCKED: 'another run is working for the same entity, or on the same content folder',
  },
  defect: {
    E_DEFECT: 'a state that cannot be: a defect of Tieout',
  },
} as const;

/** The next step for the operator: use the command rightly, repair the input, correct the configuration, and so on. */
export type Recovery = keyof typeof ERRORS;

export type ErrorCode = { [Step in Recovery]: keyof (typeof ERRORS)[Step] }[Recovery];

const RECOVERIES = new Map<string, Recovery>(
  (Object.keys(ERRORS) as Recovery[]).flatMap((step) =>
    Object.keys(ERRORS[step]).map((code) => [code, step] as const),
  ),
);

/** Return the next step for an error; a code that this program does not know is a defect. */
export const recoveryOf = (code: ErrorCode): Recovery => RECOVERIES.get(code) ?? 'defect';
