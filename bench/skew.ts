import { CompiledQuery, sql } from 'kysely'
import { supplementStatus } from '../contract/core/codes/programme.ts'
import { personType } from '../contract/core/codes/school.ts'
import type { Db } from '../server/core/database/pool.ts'

/** Records of the students who have the most of them; the students they come from have none. */
const recordsOfTheBusy = 200
/** A share of all students: those without any record. */
const without = 10

/**
 * Makes the supplement records of the bench school as uneven as those of schools are: a student in ten has none, and
 * some have 200; they go back ten years; and a sixth of their names share a word. In the transaction that makes them,
 * for nearly every record is rewritten: best before the tables have indexes.
 */
export async function skewSupplements(db: Db, schoolId: string): Promise<void> {
  await withoutTriggers(db)
  await run(db, schoolId, [...unchained, ...fewWithMany, ...tenYears, ...changed])
  await sql`set local session_replication_role = origin`.execute(db)
}

/**
 * The college of the account `college` has a quarter of all students, and a sixth of the names of courses share a word.
 * Statistics must be made anew afterwards. Done twice, it changes nothing more.
 */
export const skewSchool = (db: Db, schoolId: string): Promise<void> =>
  db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx)
    await withoutTriggers(tx)
    await run(tx, schoolId, [...bigCollege, ...courseNames])
  })

/** Of rows that nobody may change, and without a note to the statistics for each. */
const withoutTriggers = (db: Db) => sql`set local session_replication_role = replica`.execute(db)

async function run(db: Db, schoolId: string, statements: readonly string[]): Promise<void> {
  for (const statement of statements)
    await db.executeQuery(CompiledQuery.raw(statement, statement.includes('$1') ? [schoolId] : []))
}

const bigCollegeId = `(
  select a."caTarget"::uuid
  from "controlArea" a
  join "account" u on u."schoolId" = a."schoolId" and u."suId" = a."suId"
  where a."schoolId" = $1 and a."caType" = 'college' and u."suLoginName" = 'college'
)`

/**
 * Indexes of no row on what is changed. Without them PostgreSQL would chain the versions of a row together in their
 * page, and the transaction could not use the indexes that it makes over such chains.
 */
const unchained = [
  `create index "supplement_changed" on "supplement" ("suId", "lisName") where false`,
  `create index "creditLedger_changed" on "creditLedger" ("suId", "occurTime") where false`,
]
const changed = [`drop index "supplement_changed"`, `drop index "creditLedger_changed"`]

/** The records of a tenth of all students go to a few, a parcel of 200 each, with their entries in the ledger. */
const fewWithMany = [
  `create temp table "moved" as
   with "student" as (
     select "suId", abs(hashtext("suId"::text)) % ${without} as "part", row_number() over (order by hashtext("suId"::text), "suId") as "at"
     from "person"
     where "schoolId" = $1 and "suiType" = '${personType.student}' and "delFlag" = '0'
   ), "parcel" as (
     select s."lisId", 1 + (row_number() over (order by s."lisId") - 1) / ${recordsOfTheBusy} as "no"
     from "supplement" s
     join "student" p on p."suId" = s."suId" and p."part" = 0
     where s."schoolId" = $1
   ), "busy" as (
     select "suId", row_number() over (order by "at") as "no"
     from "student"
     where "part" = 1
   )
   select parcel."lisId", busy."suId"
   from "parcel"
   join "busy" using ("no")`,
  `create index on "moved" ("lisId")`,
  `analyze "moved"`,
  `update "supplement" s
   set "suId" = m."suId"
   from "moved" m
   where s."schoolId" = $1 and s."lisId" = m."lisId"`,
  `update "creditLedger" l
   set "suId" = m."suId"
   from "moved" m
   where l."schoolId" = $1 and l."bizId" = m."lisId"`,
  `drop table "moved"`,
]

/** Majors of other colleges join the big one, until it has a quarter of the students. */
const bigCollege = [
  `with "major" as (
     select m."smId", m."scId", count(p."suId") as "students", m."scId" = ${bigCollegeId} as "own"
     from "major" m
     left join "person" p on p."schoolId" = m."schoolId" and p."majorId" = m."smId"
     where m."schoolId" = $1
     group by m."smId", m."scId"
   ), "summed" as (
     select "smId", sum("students") over (order by "own" desc, hashtext("smId"::text), "smId") - "students" as "before",
       sum("students") over () as "everybody"
     from "major"
   )
   update "major" m
   set "scId" = ${bigCollegeId}
   from "summed" s
   where m."schoolId" = $1 and m."smId" = s."smId" and s."before" < s."everybody" / 4`,
  `update "schoolClass" k
   set "scId" = m."scId"
   from "major" m
   where k."schoolId" = $1 and m."schoolId" = $1 and m."smId" = k."smId" and k."scId" <> m."scId"`,
  `update "person" p
   set "suiCollegeId" = m."scId"
   from "major" m
   where p."schoolId" = $1 and m."schoolId" = $1 and m."smId" = p."majorId" and p."suiCollegeId" <> m."scId"`,
]

/** Years by which a record goes back: none for four in ten, else one to nine. */
const years = `make_interval(years => greatest(0, abs(hashtext(s."lisId"::text)) % 15 - 5))`

/**
 * Credited records of ten years; what still runs stays as young as it is. Names as different as people write them,
 * `2024年江苏赛区蓝桥杯程序设计大赛（王小明团队）`, all with one word in them, and a sixth with another.
 */
const tenYears = [
  `update "creditLedger" l
   set "occurTime" = l."occurTime" - ${years}, "grantedAt" = l."grantedAt" - ${years}
   from "supplement" s
   where l."schoolId" = $1
     and s."schoolId" = $1
     and s."lisId" = l."bizId"
     and s."lisStatus" = '${supplementStatus.credited}'
     and ${years} > interval '0'`,
  `update "supplement" s
   set "lisObtainDate" = s."lisObtainDate" - n."back",
     "lisStartDate" = s."lisStartDate" - n."back",
     "lisEndDate" = s."lisEndDate" - n."back",
     "createTime" = s."createTime" - n."back",
     "updateTime" = s."updateTime" - n."back",
     "passTime" = s."passTime" - n."back",
     "lisPublictySdate" = s."lisPublictySdate" - n."back",
     "lisPublictyEdate" = s."lisPublictyEdate" - n."back",
     "completeTime" = s."completeTime" - n."back",
     "lisName" = to_char(s."lisObtainDate" - n."back", 'YYYY') || '年'
       || (array['江苏','浙江','上海','安徽','山东','福建','湖北','湖南','四川','广东','北京','陕西'])[1 + abs(hashtext(s."lisId"::text)) % 12]
       || '赛区' || case when abs(hashtext('word' || s."lisId")) % 6 = 0 then '志愿服务' else '' end
       || s."lisName" || '（' || n."suiName" || '团队）'
   from (
     select s."lisId", p."suiName",
       case when s."lisStatus" = '${supplementStatus.credited}' then ${years} else interval '0' end "back"
     from "supplement" s
     join "person" p on p."schoolId" = s."schoolId" and p."suId" = s."suId"
     where s."schoolId" = $1
   ) n
   where s."schoolId" = $1 and s."lisId" = n."lisId"`,
]

const courseNames = [
  `update "lesson"
   set "liName" = left("liName", 90) || '·志愿服务'
   where "schoolId" = $1 and abs(hashtext("liId"::text)) % 6 = 0 and "liName" not like '%·志愿服务'`,
]
