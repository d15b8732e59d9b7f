/** Without its own copy of the texts. Terms come analysed, so the tokenizer has only to split them at spaces. */
export const CREATE_INDEX = `CREATE VIRTUAL TABLE search_index USING fts5(
  title, terms, body,
  content = '', contentless_delete = 1,
  tokenize = "unicode61 remove_diacritics 0 tokenchars '_'")`;

/**
 * More memory for what is gathered, and fewer merges: twice as quick to write, hardly slower to read. No merges for the
 * sake of deleted documents: FTS5 reads such a segment to its end in one go.
 */
export const TUNE_INDEX =
  "INSERT INTO search_index (search_index, rank) VALUES ('hashsize', 8388608), ('automerge', 8), ('deletemerge', 0)";

/** One at a time: FTS5 takes twice as long for several rows in one statement, which it has to be able to take back. */
export const INSERT_DOCUMENT = 'INSERT INTO search_index (rowid, title, terms, body) VALUES (?, ?, ?, ?)';

/**
 * Lets FTS5 open an index whose settings are lost or damaged, whatever else is in it: it drops none that it cannot open. The
 * table is the one that it makes itself.
 */
export const RESET_SETTINGS = [
  'CREATE TABLE IF NOT EXISTS search_index_config (k PRIMARY KEY, v) WITHOUT ROWID',
  "INSERT OR REPLACE INTO search_index_config (k, v) VALUES ('version', 4)",
];
