import { sql, type Kysely } from 'kysely'

/** Notes of changed persons by a difference of sets: rows before and after were compared each with each, because a function's plan is made for a handful of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(statement).execute(db)
}

const held = [
  'schoolId',
  'suId',
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
  .map((column) => `"${column}"`)
  .join(', ')

const statement = `create or replace function "note_person_update"() returns trigger language plpgsql as $$ begin
  insert into "statChange" ("schoolId", "scKind", "scKey") select "schoolId", 'P', "suId" from (select ${held} from became except select ${held} from was) changed;
  return null; end $$`
