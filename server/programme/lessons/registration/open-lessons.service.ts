import { sql } from 'kysely'
import { lessonStatus } from '../../../../contract/core/codes/programme.ts'
import { inRangeOfCourse } from '../model/admission.ts'
import type { Context } from '../../../core/request/context.ts'

/** A published course that still takes registrations. Amounts in hundredths. */
interface OpenLesson {
  liId: string
  liName: string
  moduleId: string
  hours: number
  applyEnd: string | null
  startTime: string
  placeText: string
  left: number
}

/**
 * Courses that a student may register for now and that count for one of these modules: the most hours first. What is
 * published is open to all whom its range names, so the asking person's own area does not matter here.
 * @param suId a student whom the asking person may see
 */
export async function openLessonsFor(
  { db, actor, clock }: Context,
  suId: string,
  moduleIds: readonly string[],
  limit: number,
): Promise<OpenLesson[]> {
  const now = clock.now()
  const { rows } = await sql<OpenLesson>`
      select l."liId", l."liName", l."lsPath"[1] "moduleId", l."liHours" "hours", l."applyEnd", l."startTime",
        l."placeText", l."quota" - l."passCount" "left"
      from "lesson" l
      join "person" p on p."schoolId" = l."schoolId" and p."suId" = ${suId}::uuid
      where l."schoolId" = ${actor.schoolId}
        and l."liStatus" = ${sql.lit(lessonStatus.published)}
        and l."delFlag" = '0'
        and l."startTime" > ${now}::timestamptz
        and (l."applyStart" is null or l."applyStart" <= ${now}::timestamptz)
        and (l."applyEnd" is null or l."applyEnd" > ${now}::timestamptz)
        and l."lsPath"[1] = any(${[...moduleIds]}::uuid[])
        and l."passCount" < l."quota"
        and ${inRangeOfCourse('l', 'p')}
        and not exists (
          select
          from "registration" r
          where r."schoolId" = l."schoolId" and r."liId" = l."liId" and r."suId" = p."suId" and r."delFlag" = '0'
        )
      order by array_position(${[...moduleIds]}::uuid[], l."lsPath"[1]), l."liHours" desc, l."startTime", l."liId"
      limit ${limit}`.execute(db)
  return rows
}
