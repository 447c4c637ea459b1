import { sql, type RawBuilder } from 'kysely'
import { warnLevel } from '../../contract/core/codes/outcomes.ts'
import { creditType, lessonStatus, resultStatus } from '../../contract/core/codes/programme.ts'
import { eduLevel, personSex, personType, politicalStatus, studentStatus } from '../../contract/core/codes/school.ts'
import { teamStatus } from '../../contract/core/codes/teams.ts'
import { newId } from '../core/base/ids.ts'
import { systemContext } from '../core/request/system.ts'
import { requiredHours } from '../programme/credits/goal.ts'
import { modulesOf } from '../rules/curriculum/modules.service.ts'
import { openAccounts, setPassword } from '../school/people/accounts.service.ts'
import { schoolSettings } from '../school/school/settings.service.ts'
import { demoPassword } from './account-list.ts'
import type { DemoSchool } from './demo-school.ts'

/** The part of the hours asked for from which on somebody has nearly all of them. */
const nearly = 0.7

/** Gives a student of the demo school an account of that name, with the demo's password. */
export async function nameAccount({ ctx, db, schoolId }: DemoSchool, username: string, suId: string): Promise<void> {
  await db
    .updateTable('account')
    .set({ suLoginName: username })
    .where('schoolId', '=', schoolId)
    .where('suId', '=', suId)
    .execute()
  await setPassword({ ...ctx, db }, schoolId, suId, demoPassword)
}

/**
 * Gives accounts to students with whom something is to be tried on the phone: one with nearly all the hours who waits
 * for the end of a public notice, one who is warned, the captain of a team, and a freshman who has done nothing yet.
 * None of them holds an office. What a card says is true of its student: in a school too small to have such a one there
 * is no account.
 */
export async function makeStoryAccounts(school: DemoSchool, colleges: readonly { scId: string }[]): Promise<void> {
  const { db, schoolId, now, ctx } = school
  const system = systemContext({ ...ctx, db }, schoolId)
  const [modules, { totalHours }] = [await modulesOf(system), await schoolSettings(system, schoolId)]
  const goal = requiredHours({ modules, totalHours })
  const hasNone = (table: string, name = 'suId') =>
    sql`not exists (
        select
        from ${sql.table(table)} x
        where x."schoolId" = p."schoolId" and ${sql.ref(`x.${name}`)} = p."suId"
      )`
  const hours = sql`(
      select coalesce(sum(c."clValue"), 0)
      from "creditLedger" c
      where c."schoolId" = p."schoolId"
        and c."suId" = p."suId"
        and c."clType" = ${sql.lit(creditType.hours)}
    )`
  /** Whoever comes first of those of whom it is true, and has no other account of the demo. */
  const tell = async (username: string, isTrue: RawBuilder<unknown>, first: RawBuilder<unknown>): Promise<void> => {
    const { rows } = await sql<{ suId: string }>`
      select p."suId"
      from "person" p
      join "account" a on a."schoolId" = p."schoolId" and a."suId" = p."suId" and a."suLoginName" = p."suiNumber"
      where p."schoolId" = ${schoolId}
        and p."suiType" = ${sql.lit(personType.student)}
        and p."suiStatus" = ${sql.lit(studentStatus.enrolled)}
        and p."delFlag" = '0'
        and ${hasNone('roleUser')}
        and ${isTrue}
      order by ${first}, p."suiNumber"
      limit 1`.execute(db)
    if (rows[0]) await nameAccount(school, username, rows[0].suId)
  }
  await tell(
    'senior',
    sql`exists (
        select
        from "registration" r
        join "lesson" l on l."schoolId" = r."schoolId" and l."liId" = r."liId"
        where r."schoolId" = p."schoolId"
          and r."suId" = p."suId"
          and r."delFlag" = '0'
          and r."laResult" in (${sql.lit(resultStatus.passed)}, ${sql.lit(resultStatus.awarded)})
          and l."liStatus" = ${sql.lit(lessonStatus.inNotice)}
          and l."liPublictyEdate" > ${now}::timestamptz
      )
      and ${hours} >= ${nearly * goal}
      and ${hours} < ${goal}`,
    sql`${hours} desc`,
  )
  await tell(
    'warned',
    sql`exists (
        select
        from "studentWarning" w
        where w."schoolId" = p."schoolId"
          and w."suId" = p."suId"
          and w."warnLevel" in (${sql.lit(warnLevel.severe)}, ${sql.lit(warnLevel.moderate)})
          and w."totalGap" > 0
      )`,
    // whoever has done something has something to look at
    sql`${hasNone('creditLedger')}, ${hours}`,
  )
  await tell(
    'captain',
    sql`exists (
        select
        from "team" t
        where t."schoolId" = p."schoolId"
          and t."captainId" = p."suId"
          and t."teamStatus" = ${sql.lit(teamStatus.forming)}
      )`,
    sql`(
        select -count(*)
        from "teamMember" m
        join "team" t on t."schoolId" = m."schoolId" and t."teamId" = m."teamId"
        where m."schoolId" = p."schoolId" and t."captainId" = p."suId"
      )`,
  )
  await makeFreshman(school, colleges[0]!.scId)
}

/**
 * One freshman more than the school has students, who came after all others and has nothing yet: whom the other makers
 * know takes part somewhere.
 */
async function makeFreshman(school: DemoSchool, scId: string): Promise<void> {
  const { ctx, db, schoolId, stamp } = school
  const { scClassId, smId, scClassGrade } = await db
    .selectFrom('schoolClass')
    .select(['scClassId', 'smId', 'scClassGrade'])
    .where('schoolId', '=', schoolId)
    .where('scId', '=', scId)
    .orderBy('scClassGrade', 'desc')
    .orderBy('scClassName')
    .limit(1)
    .executeTakeFirstOrThrow()
  const { rows } = await sql<{ last: string | null }>`
    select max("suiNumber") "last"
    from "person"
    where "schoolId" = ${schoolId} and "suiNumber" like ${`${scClassGrade}11%`}`.execute(db)
  const suiNumber = String(Number(rows[0]!.last ?? `${scClassGrade}110000`) + 1)
  const [suId, suiName] = [newId(), '林小满']
  await db
    .insertInto('person')
    .values({
      ...stamp,
      suId,
      suiType: personType.student,
      suiName,
      suiNumber,
      suiSex: personSex.female,
      birth: `${Number(scClassGrade) - 18}-05-21`,
      suiNation: '01',
      suiPolitical: politicalStatus.leagueMember,
      suiCollegeId: scId,
      majorId: smId,
      scClassId,
      suiGrade: scClassGrade,
      suiEduLevel: eduLevel.bachelor,
      suiStudyYears: 4,
      suiEnterDate: `${scClassGrade}-09-01`,
      suiStatus: studentStatus.enrolled,
    })
    .execute()
  await openAccounts({ ...ctx, db }, schoolId, [{ suId, suiNumber, suiName, suType: personType.student }])
  await nameAccount(school, 'freshman', suId)
}
