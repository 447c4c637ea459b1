import { sql } from 'kysely'
import type { Checked } from '../../../../contract/core/call.ts'
import { lessonStatus } from '../../../../contract/core/codes/programme.ts'
import { Failure, invalidInput } from '../../../../contract/core/failure.ts'
import { admissionApi } from '../../../../contract/programme/lessons/admission.calls.ts'
import { audit, changedFields } from '../../../core/audit/audit.ts'
import type { Context } from '../../../core/request/context.ts'
import { updatedColumns } from '../../../core/request/stamp-columns.ts'
import { schoolSettings } from '../../../school/school/settings.service.ts'
import { refusalOf } from '../model/lesson-life.ts'
import { lessonFor, reachLesson, lessonAuthorities, type ReachedLesson } from '../model/lessons.queries.ts'
import { promoteWaiting } from './waiting-list.service.ts'
import { withCourseQueue } from './registration.service.ts'
import { admittedByCollege, assertCollegePlaces, collegeQuotas } from '../model/seats.queries.ts'

/** Until a course is approved its range may change; afterwards it is what was approved. */
const rangeOpen = ({ liStatus }: Pick<ReachedLesson, 'liStatus'>): boolean =>
  liStatus === lessonStatus.draft || liStatus === lessonStatus.publishRefused

interface Names {
  majors: { id: string; name: string }[]
  classes: { id: string; name: string }[]
  colleges: { id: string; name: string }[]
}

/** The names of majors, classes and colleges of the school, by id. */
async function namesOf(
  { db, actor }: Pick<Context, 'db' | 'actor'>,
  majors: readonly string[],
  classes: readonly string[],
  colleges: readonly string[],
): Promise<Names> {
  const { schoolId } = actor
  const { rows } = await sql<Names>`select coalesce(
      (
        select json_agg(json_build_object('id', "smId", 'name', "smName") order by "smName")
        from "major"
        where "schoolId" = ${schoolId} and "smId" = any(${majors}::uuid[])
      ), '[]'
    ) as "majors",
      coalesce(
        (
          select json_agg(json_build_object('id', "scClassId", 'name', "scClassName") order by "scClassName")
          from "schoolClass"
          where "schoolId" = ${schoolId} and "scClassId" = any(${classes}::uuid[])
        ), '[]'
      ) as "classes",
      coalesce(
        (
          select json_agg(json_build_object('id', "scId", 'name', "scName") order by "scName")
          from "college"
          where "schoolId" = ${schoolId} and "scId" = any(${colleges}::uuid[])
        ), '[]'
      ) as "colleges"`.execute(db)
  return rows[0]!
}

/** For whom a course is beyond college and grade, how its places are shared out, and where people sign in. */
export async function registerRules(ctx: Context, { liId }: Checked<typeof admissionApi.rules>) {
  const lesson = await reachLesson(ctx, liId)
  const quotas = collegeQuotas(lesson)
  const [names, admitted, rules] = await Promise.all([
    namesOf(
      ctx,
      lesson.rangeMajors,
      lesson.rangeClasses,
      quotas.map(({ scId }) => scId),
    ),
    admittedByCollege(ctx, liId),
    schoolSettings(ctx, ctx.actor.schoolId),
  ])
  const nameOf = new Map(names.colleges.map(({ id, name }) => [id, name]))
  const mayEdit =
    ctx.actor.permits.has(admissionApi.saveRules.permit) &&
    !refusalOf('edit', lesson, lessonAuthorities(ctx.actor, rules)(lesson), ctx.clock.now())
  return {
    quota: lesson.quota,
    passCount: lesson.passCount,
    version: lesson.version,
    signType: lesson.signType,
    rangeMajors: names.majors,
    rangeClasses: names.classes,
    quotaByCollege: quotas.map(({ scId, quota }) => ({
      scId,
      scName: nameOf.get(scId) ?? '',
      quota,
      admitted: admitted.get(scId) ?? 0,
    })),
    signLng: lesson.signLng,
    signLat: lesson.signLat,
    signRadius: lesson.signRadius,
    rangeOpen: rangeOpen(lesson),
    can: mayEdit ? ['save' as const] : [],
  }
}

/** Writes them; where more places of a college are free now, those who wait move up. */
export function saveRegisterRules(
  ctx: Context,
  { liId, version, rangeMajors, rangeClasses, quotaByCollege, ...place }: Checked<typeof admissionApi.saveRules>,
) {
  return withCourseQueue(ctx, liId, async (tx) => {
    const lesson = await lessonFor(tx, 'edit', liId)
    if (version !== undefined && version !== lesson.version) throw new Failure('stale-version')
    const same = (a: readonly string[], b: readonly string[]) => a.toSorted().join() === b.toSorted().join()
    if (!rangeOpen(lesson) && !(same(rangeMajors, lesson.rangeMajors) && same(rangeClasses, lesson.rangeClasses)))
      throw new Failure('range-after-publish')
    const names = await namesOf(
      tx,
      rangeMajors,
      rangeClasses,
      quotaByCollege.map(({ scId }) => scId),
    )
    const missing = [
      ...(names.majors.length === new Set(rangeMajors).size
        ? []
        : [{ field: 'rangeMajors', msg: '可报名专业中有不存在的专业' }]),
      ...(names.classes.length === new Set(rangeClasses).size
        ? []
        : [{ field: 'rangeClasses', msg: '可报名班级中有不存在的班级' }]),
      ...(names.colleges.length === quotaByCollege.length
        ? []
        : [{ field: 'quotaByCollege', msg: '学院名额中有不存在的学院' }]),
    ]
    if (missing.length > 0) throw invalidInput(missing)
    await assertCollegePlaces(tx, liId, quotaByCollege)
    const { signLng = null, signLat = null, signRadius = null } = place
    const after = { rangeMajors, rangeClasses, signLng, signLat, signRadius }
    await tx.db
      .updateTable('lesson')
      .set({ ...after, quotaByCollege: JSON.stringify(quotaByCollege), ...updatedColumns(tx) })
      .where('schoolId', '=', tx.actor.schoolId)
      .where('liId', '=', liId)
      .execute()
    const quotaText = (quotas: { scId: string; quota: number }[]) =>
      quotas
        .map(({ scId, quota }) => `${names.colleges.find(({ id }) => id === scId)?.name ?? scId} ${quota}`)
        .join('、')
    const before = {
      rangeMajors: lesson.rangeMajors,
      rangeClasses: lesson.rangeClasses,
      signLng: lesson.signLng,
      signLat: lesson.signLat,
      signRadius: lesson.signRadius,
    }
    await audit(tx, {
      action: admissionApi.saveRules.summary,
      bizType: 'lesson',
      bizId: liId,
      bizName: lesson.liName,
      ...changedFields<Record<string, unknown>>(
        { ...before, quotaByCollege: quotaText(collegeQuotas(lesson)) },
        { ...after, quotaByCollege: quotaText(quotaByCollege) },
      ),
    })
    await promoteWaiting(tx, liId)
    return { affected: 1 }
  })
}
