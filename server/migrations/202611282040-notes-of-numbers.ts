import { sql, type Kysely } from 'kysely'

/** What statistics tell of a person; the last is new. */
const columns =
  '"schoolId", "suId", "suiType", "suiStatus", "suiCollegeId", "majorId", "scClassId", "suiGrade", "delFlag", "suiSex", "suiPolitical", "suiCredibility", "blackUntil", "suiEnterDate", "suiNumber"'

/**
 * A person whose number changes is noted: processes keep people in the order of their numbers, so that a page of the
 * lists behind the figures is found without asking the database (decision 035).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
create or replace function "note_person_update"() returns trigger language plpgsql as $$
declare
  r record;
begin
  for r in
    select "schoolId", array_agg(distinct "suId") keys
    from (
      select ${columns}
      from became
      except
      select ${columns}
      from was
    ) c
    group by 1
  loop
    perform "note_keys"(r."schoolId", 'P', r.keys);
  end loop;
  return null;
end $$;`,
    )
    .execute(db)
}
