import { sql, type RawBuilder } from 'kysely'
import { yesNo } from '../../contract/core/codes/platform.ts'
import { lessonStatus, supplementStatus } from '../../contract/core/codes/programme.ts'
import { personType } from '../../contract/core/codes/school.ts'
import type { Db } from '../core/database/pool.ts'

/** What a field of an input is filled with: the value that most records hold, and the one that the fewest do. */
export interface FieldValues {
  frequent: string
  rare: string
}

/** Field of an input -> table and column in which its values stand. */
const columns: Record<string, readonly [table: string, column: string]> = {
  suId: ['supplement', 'suId'],
  liId: ['registration', 'liId'],
  lisId: ['supplement', 'lisId'],
  laId: ['registration', 'laId'],
  qId: ['question', 'qId'],
  parentLiId: ['lesson', 'parentLiId'],
  liPrincipalId: ['lesson', 'liPrincipalId'],
  userId: ['lesson', 'liPrincipalId'],
  collegeId: ['person', 'suiCollegeId'],
  suiCollegeId: ['person', 'suiCollegeId'],
  scId: ['schoolClass', 'scId'],
  liCollegeId: ['lesson', 'liCollegeId'],
  ciCollegeId: ['circle', 'ciCollegeId'],
  majorId: ['person', 'majorId'],
  smId: ['person', 'majorId'],
  classId: ['person', 'scClassId'],
  scClassId: ['person', 'scClassId'],
  counselorId: ['schoolClass', 'counselorId'],
  grade: ['person', 'suiGrade'],
  suiGrade: ['person', 'suiGrade'],
  scClassGrade: ['person', 'suiGrade'],
  sdId: ['departmentUser', 'sdId'],
  sdPid: ['department', 'sdPid'],
  srId: ['roleUser', 'srId'],
  atId: ['lesson', 'atId'],
  adId: ['registration', 'adId'],
  esId: ['evaluation', 'esId'],
  esLessonLevel: ['evaluation', 'esLessonLevel'],
  lisLevel: ['supplement', 'lisLevel'],
  lisType: ['supplement', 'lisType'],
  llId: ['supplement', 'lisLevel'],
  liLevel: ['lesson', 'liLevel'],
  liStatus: ['lesson', 'liStatus'],
  laStatus: ['registration', 'laStatus'],
  laSignStatus: ['registration', 'laSignStatus'],
  laResult: ['registration', 'laResult'],
  qType: ['question', 'qType'],
  qStatus: ['question', 'qStatus'],
  ciId: ['circleMember', 'ciId'],
  ciClass: ['circle', 'ciClass'],
  ccId: ['circleClass', 'ccId'],
  caId: ['circleApply', 'caId'],
  niId: ['news', 'niId'],
  ntId: ['news', 'ntId'],
  wfId: ['workflow', 'wfId'],
  wfcId: ['workflow', 'wfcId'],
  sqlId: ['qualityLabel', 'sqlId'],
  trId: ['transformation', 'trId'],
  logId: ['auditLog', 'logId'],
  tiId: ['transcriptIssue', 'tiId'],
  serial: ['transcriptIssue', 'serial'],
  gbId: ['graduationBatch', 'gbId'],
  tmId: ['term', 'tmId'],
  bizId: ['auditLog', 'bizId'],
}

/** Values that no single column counts. */
const queries: Record<string, (schoolId: string) => RawBuilder<unknown>> = {
  // modules are counted with everything below them
  lsId: (schoolId) => sql`
    select unnest("lsPath")::text as "value"
    from "supplement"
    where "schoolId" = ${schoolId} and "delFlag" = ${yesNo.no}`,
  // of the college whose account tries what a college may see
  student: (schoolId) => sql`
    select s."suId"::text as "value"
    from "supplement" s
    join "person" p on p."schoolId" = s."schoolId" and p."suId" = s."suId"
    where s."schoolId" = ${schoolId}
      and p."suiCollegeId"::text in (
        select c."caTarget"
        from "controlArea" c
        join "account" a on a."schoolId" = c."schoolId" and a."suId" = c."suId"
        where c."schoolId" = ${schoolId} and a."suLoginName" = 'college'
      )`,
  teacher: (schoolId) => sql`
    select "suId"::text as "value"
    from "person"
    where "schoolId" = ${schoolId} and "suiType" = ${personType.teacher}`,
  // a message shows its readers only to who sent it
  iiId: (schoolId) => sql`
    select r."iiId"::text as "value"
    from "informationReceiver" r
    join "information" i on i."schoolId" = r."schoolId" and i."iiId" = r."iiId"
    join "account" a on a."schoolId" = i."schoolId" and a."suId" = i."createBy"
    where r."schoolId" = ${schoolId} and a."suLoginName" = 'admin'`,
  // who holds the role that most people hold
  member: (schoolId) => sql`
    select u."suId"::text as "value"
    from "roleUser" u
    where u."schoolId" = ${schoolId}
      and u."srId" = (
        select "srId"
        from "roleUser"
        where "schoolId" = ${schoolId}
        group by 1
        order by count(*) desc, 1
        limit 1
      )`,
  // a course whose results are shown to everybody
  publicised: (schoolId) => sql`
    select "liId"::text as "value"
    from "lesson"
    where "schoolId" = ${schoolId} and "liStatus" = ${lessonStatus.inNotice} and "delFlag" = ${yesNo.no}`,
  // a record that its form still opens
  draft: (schoolId) => sql`
    select "lisId"::text as "value"
    from "supplement"
    where "schoolId" = ${schoolId} and "lisStatus" = ${supplementStatus.draft} and "delFlag" = ${yesNo.no}`,
}

/**
 * Values of a school for the fields by which calls ask for records, by the name of the field; none for fields of which
 * the school holds nothing.
 */
export async function fieldValues(db: Db, schoolId: string): Promise<Record<string, FieldValues>> {
  const found: Record<string, FieldValues> = {}
  const all: [string, RawBuilder<unknown>][] = [
    ...Object.entries(columns).map(([field, [table, column]]): [string, RawBuilder<unknown>] => [
      field,
      sql`
        select ${sql.ref(column)}::text as "value"
        from ${sql.table(table)}
        where "schoolId" = ${schoolId} and ${sql.ref(column)}::text <> ''`,
    ]),
    ...Object.entries(queries).map(([field, query]): [string, RawBuilder<unknown>] => [field, query(schoolId)]),
  ]
  for (const [field, query] of all) {
    const { rows } = await sql<FieldValues>`
      with "counted" as (select q."value", count(*) as "n" from (${query}) q group by 1)
      select
        (select "value" from "counted" order by "n" desc, "value" limit 1) as "frequent",
        (select "value" from "counted" order by "n", "value" limit 1) as "rare"`.execute(db)
    if (rows[0]?.frequent) found[field] = rows[0]
  }
  return found
}
