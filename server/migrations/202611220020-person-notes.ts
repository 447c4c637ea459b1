import { sql, type Kysely } from 'kysely'

/** Of a person who was changed a note is taken only where a rollup holds what changed (decision 022): a warning or a telephone number is in none. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const held = [
  'suiType',
  'suiStatus',
  'suiCollegeId',
  'majorId',
  'scClassId',
  'suiGrade',
  'delFlag',
  'suiSex',
  'suiPolitical',
  'suiCredibility',
  'blackUntil',
  'suiEnterDate',
]
const of = (row: string): string => `(${held.map((column) => `${row}."${column}"`).join(', ')})`

const statements = [
  `create function "note_person_update"() returns trigger language plpgsql as $$ begin
     insert into "statChange" ("schoolId", "scKind", "scKey") select n."schoolId", 'P', n."suId" from became n join was o on o."schoolId" = n."schoolId" and o."suId" = n."suId" where ${of('o')} is distinct from ${of('n')};
     return null; end $$`,
  `drop trigger "person_note_update" on "person"`,
  `create trigger "person_note_update" after update on "person" referencing old table as was new table as became for each statement execute function "note_person_update"()`,
]
