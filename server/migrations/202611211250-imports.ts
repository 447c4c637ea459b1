import { sql, type Kysely } from 'kysely'

/**
 * Imports of any size: a file waits, sealed, until it has been checked by a job; what undoing needs stands apart from the rows, so that
 * writing it does not rewrite them; heads that are not those of the template are matched by hand, once.
 *
 * ibStatus, beside 0 checked and waiting, 1 committed, 2 undone, 3 discarded: 4 being checked, 5 waiting for its columns to be matched,
 * 6 being committed, 7 being undone, 8 could not be checked. The job that works on it has its key.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  // top: the first lines of the file, sealed, from which the columns are matched. fault: why the last check, commit or undo was not done
  `alter table "importBatch" alter "heads" set default '[]', add "rowCount" int not null default 0, add "skipCount" int not null default 0, add "hintCount" int not null default 0, add "newOnly" text not null default '0', add "matched" text not null default '0', add "top" bytea, add "fault" jsonb`,
  `update "importBatch" set "rowCount" = "newCount" + "updateCount" + "sameCount" + "conflictCount" + "faultCount"`,

  `create table "importFile" ("schoolId" text not null, "ibId" uuid not null, "content" bytea not null, primary key ("schoolId", "ibId"), foreign key ("schoolId", "ibId") references "importBatch" on delete cascade)`,
  // sealed bytes do not compress
  `alter table "importFile" alter "content" set storage external`,

  // recordId and version: which record the row left in which version, where the importer tells it
  `create table "importUndo" ("schoolId" text not null, "ibId" uuid not null, "rowNo" int not null, "recordId" uuid, "version" int, "undo" jsonb not null, primary key ("schoolId", "ibId", "rowNo"), foreign key ("schoolId", "ibId") references "importBatch" on delete cascade)`,
  `insert into "importUndo" ("schoolId", "ibId", "rowNo", "recordId", "version", "undo") select "schoolId", "ibId", "rowNo", ("undo"->>'id')::uuid, ("undo"->>'version')::int, "undo" from "importRow" where "undo" is not null`,
  `create index "importUndo_record" on "importUndo" ("schoolId", "recordId") where "recordId" is not null`,
  `alter table "importRow" drop column "undo"`,

  `create table "importMatch" ("schoolId" text not null, "suId" uuid not null, "ibKind" text not null, "headKey" text not null, "columns" jsonb not null, "updateTime" timestamptz not null, primary key ("schoolId", "suId", "ibKind", "headKey"), foreign key ("schoolId", "suId") references "person" on delete cascade)`,
]
