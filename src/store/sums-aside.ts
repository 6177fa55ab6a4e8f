// Sums for one answer, where those of the store cannot be brought up to date: another process writes, or nobody may. They lie in
// tables of this connection alone, which stand before those of the same name.

import type { DatabaseSync } from 'node:sqlite';
import type { StorePrices } from './kept-sums.ts';
import { transaction } from './transaction.ts';
import { modelsIn, planAllSums, writeSums } from './usage-sums.ts';

const TABLES = ['usage_sums', 'usage_days', 'request_places'];

export async function sumAside(main: DatabaseSync, { load }: StorePrices): Promise<void> {
  const numbers = (sql: string) =>
    main
      .prepare(sql)
      .all()
      .map(({ id }) => Number(id));
  const { costOf } = await load(modelsIn(main, numbers('select session as id from usage')), {});
  main.exec('pragma temp_store = memory');
  const made = main
    .prepare(
      'select sql from main.sqlite_master where sql is not null and tbl_name in (select value from json_each(?))',
    )
    .all(JSON.stringify(TABLES));
  // Of one moment: another process may write meanwhile.
  transaction(main, () => {
    for (const { sql } of made) main.exec(asTemporary(String(sql)));
    for (const root of numbers('select id from roots')) writeSums(main, planAllSums(main, root), costOf);
  });
}

function asTemporary(sql: string): string {
  return sql.replace(/^create (table|index) /i, 'create $1 temp.');
}
