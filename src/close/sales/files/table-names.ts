/** What the name of a file says about its content: a table, perhaps one, or surely none. */
export type NamedAs = 'table' | 'other' | 'no-table';

const TABLE = /\.(csv|tsv|tab|psv|xlsx?|xlsm|xlsb|ods|numbers|zip|gz)$/i;

const DOCUMENT = /\.(pdf|docx?|rtf|odt|pages|pptx?|odp|md|html?|xml|ya?ml|toml|json|eml|msg|ics|css)$/i;
const PICTURE_OR_SOUND = /\.(png|jpe?g|gif|webp|svg|heic|bmp|tiff?|ico|mp3|m4a|wav|mp4|mov|avi)$/i;
const PROGRAM_OR_DATABASE = /\.(js|ts|py|sh|bat|exe|dmg|pkg|iso|db|sqlite3?|db-(wal|shm|journal)|lock)$/i;

/**
 * Tell tables by the names of files. Exports may have any ending, or none: what is named in another way is a table where
 * its content is.
 */
export const namedAs = (name: string): NamedAs => {
  if (TABLE.test(name)) return 'table';
  return [DOCUMENT, PICTURE_OR_SOUND, PROGRAM_OR_DATABASE].some((ending) => ending.test(name))
    ? 'no-table'
    : 'other';
};

/** Whether it is a spreadsheet of a kind that is not read. */
export const isForeignSpreadsheet = (name: string): boolean => /\.(xlsb|ods|numbers)$/i.test(name);
