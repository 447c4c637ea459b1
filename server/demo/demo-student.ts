import { sql } from 'kysely'
import { applyStatus, lessonStatus, partakeMode, supplementStatus } from '../../contract/core/codes/programme.ts'
import { personType, studentStatus } from '../../contract/core/codes/school.ts'
import { Failure } from '../../contract/core/failure.ts'
import type { Context } from '../core/request/context.ts'
import { systemContext } from '../core/request/system.ts'
import { addParticipants } from '../programme/lessons/registration/registration.service.ts'
import { applyForTranscript } from '../student/transcript-applications.service.ts'
import { personas, type DemoAccounts } from './demo-accounts.ts'
import { fullCourse } from './demo-admissions.ts'
import type { DemoSchool } from './demo-school.ts'
import { nameAccount } from './demo-stories.ts'

/**
 * Gives the account `student` to somebody, if possible of the college of the demo's accounts, who holds no office and
 * has much to look at: an activity to come, records that count, a refused supplement to mend, one under way, a circle,
 * an application for a signed transcript. They wait for a place in a course that is full, on a day when they have
 * nothing else, and have been told so.
 */
export async function makeStudentAccount(
  school: DemoSchool,
  { teacher, secretary }: DemoAccounts,
  colleges: readonly { scId: string }[],
): Promise<void> {
  const { ctx: services, db, schoolId, now } = school
  const hasSupplement = (...statuses: string[]) => sql`exists (
      select
      from "supplement" u
      where u."schoolId" = p."schoolId"
        and u."suId" = p."suId"
        and u."delFlag" = '0'
        and u."lisStatus" = any(${statuses}::text[])
    )`
  const full = await db
    .selectFrom('lesson')
    .select(['liId', 'startTime'])
    .where('schoolId', '=', schoolId)
    .where('liName', '=', fullCourse)
    .executeTakeFirst()
  const { rows } = await sql<{ suId: string }>`
    select p."suId"
    from "person" p
    cross join lateral (
      select (
          select count(distinct c."bizId") from "creditLedger" c where c."schoolId" = p."schoolId" and c."suId" = p."suId"
        ) "credited",
        count(*) filter (
          where r."laStatus" = ${sql.lit(applyStatus.accepted)}
            and l."liStatus" = ${sql.lit(lessonStatus.published)}
            and l."startTime" > ${now}::timestamptz
        ) "coming"
      from "registration" r
      join "lesson" l on l."schoolId" = r."schoolId" and l."liId" = r."liId"
      where r."schoolId" = p."schoolId" and r."suId" = p."suId" and r."delFlag" = '0'
    ) r
    where p."schoolId" = ${schoolId}
      and p."suiType" = ${sql.lit(personType.student)}
      and p."suId" <> ${secretary}::uuid
      and p."suiStatus" = ${sql.lit(studentStatus.enrolled)}
      and p."delFlag" = '0'
    order by p."suiCollegeId" is distinct from ${colleges[0]!.scId}::uuid,
      exists (select from "roleUser" o where o."schoolId" = p."schoolId" and o."suId" = p."suId"),
      exists (
        select
        from "registration" r
        join "lessonSession" e on e."schoolId" = r."schoolId" and e."liId" = r."liId"
        where r."schoolId" = p."schoolId"
          and r."suId" = p."suId"
          and r."delFlag" = '0'
          and e."startTime"::date <= ${full?.startTime ?? null}::date
          and e."endTime"::date >= ${full?.startTime ?? null}::date
      ),
      least(r."credited", 1) * 8
        + least(r."coming", 1) * 8
        + ${hasSupplement(supplementStatus.refused, supplementStatus.inReview)}::int * 8
        + ${hasSupplement(supplementStatus.refused)}::int * 4
        + (
          exists (select from "circleMember" m where m."schoolId" = p."schoolId" and m."suId" = p."suId")
        )::int desc,
      r."credited" desc, p."suiNumber"
    limit 1`.execute(db)
  const suId = rows[0]?.suId
  if (!suId) return
  await nameAccount(school, 'student', suId)
  const system = systemContext({ ...services, db }, schoolId)
  const student = await db
    .selectFrom('account')
    .select(['suId', 'suNickname', 'suLoginName'])
    .where('schoolId', '=', schoolId)
    .where('suId', '=', suId)
    .executeTakeFirstOrThrow()
  await applyForTranscript(
    { ...system, actor: { ...system.actor, ...student } },
    { lang: 'zh', taPurpose: '保研材料，交学院审核', taCopies: 1 },
  )
  if (!full) return
  const ctx: Context = {
    ...system,
    actor: { ...system.actor, suId: teacher, suNickname: personas.teacher, permits: new Set(['lesson:register']) },
  }
  try {
    await addParticipants(ctx, { liId: full.liId, suIds: [suId], partakeMode: partakeMode.participant })
  } catch (error) {
    // a demo in which they wait for nothing is better than none
    if (!(error instanceof Failure)) throw error
  }
}
