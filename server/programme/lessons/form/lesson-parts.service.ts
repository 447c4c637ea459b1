import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { from } from '../../../core/database/tenant.ts'
import type { Context } from '../../../core/request/context.ts'
import { valuesFrom } from './field-columns.ts'
import type { LessonValues } from './lesson-form.ts'
import type { ReachedLesson } from '../model/lessons.queries.ts'
import { namedFields } from './material-change.ts'

const rolesOf = { teacherIds: 'teacher', signerIds: 'signer' } as const

/** Sets the teachers and the sign-in managers of a course; those left out stay. */
export async function writePeople(
  { db, actor }: Context,
  liId: string,
  people: { teacherIds?: readonly string[] | undefined; signerIds?: readonly string[] | undefined },
) {
  const { schoolId } = actor
  const given = (['teacherIds', 'signerIds'] as const).filter((field) => people[field] !== undefined)
  if (given.length === 0) return
  await db
    .deleteFrom('lessonPerson')
    .where('schoolId', '=', schoolId)
    .where('liId', '=', liId)
    .where(
      'lpRole',
      'in',
      given.map((field) => rolesOf[field]),
    )
    .execute()
  const wanted = given.flatMap((field) =>
    [...new Set(people[field])].map((suId) => ({ schoolId, liId, suId, lpRole: rolesOf[field] })),
  )
  if (wanted.length > 0) await db.insertInto('lessonPerson').values(wanted).execute()
}

/**
 * Replaces the sessions; a session that stays keeps the secret of its codes, so that codes already printed still hold.
 */
export async function writeSessions(
  { db, actor }: Context,
  liId: string,
  sessions: { startTime: string; endTime: string; placeText?: string | undefined }[],
) {
  const { schoolId } = actor
  const old = await db
    .deleteFrom('lessonSession')
    .where('schoolId', '=', schoolId)
    .where('liId', '=', liId)
    .returning(['lseNo', 'codeSecret'])
    .execute()
  const rows = sessions
    .toSorted((a, b) => (a.startTime < b.startTime ? -1 : 1))
    .map(({ startTime, endTime, placeText }, at) => ({
      schoolId,
      liId,
      lseNo: at + 1,
      startTime,
      endTime,
      placeText: placeText ?? '',
      codeSecret: old.find(({ lseNo }) => lseNo === at + 1)?.codeSecret ?? randomBytes(32),
    }))
  await db.insertInto('lessonSession').values(rows).execute()
}

/** What the form would say of a stored course. */
export async function valuesOf(ctx: Context, lesson: ReachedLesson): Promise<LessonValues> {
  const people = await from(ctx, 'lessonPerson').select(['suId', 'lpRole']).where('liId', '=', lesson.liId).execute()
  const sessions = await from(ctx, 'lessonSession')
    .select(['startTime', 'endTime', 'placeText'])
    .where('liId', '=', lesson.liId)
    .orderBy('lseNo')
    .execute()
  const idsOf = (role: string) => people.filter(({ lpRole }) => lpRole === role).map(({ suId }) => suId)
  return { ...valuesFrom(lesson), teacherIds: idsOf('teacher'), signerIds: idsOf('signer'), sessions }
}

/** What the ids in forms are called, for texts that people read: one statement. */
export async function namesIn({ db, actor }: Context, forms: readonly LessonValues[]): Promise<Map<string, string>> {
  const ids = [...new Set(forms.flatMap((form) => namedFields.flatMap((field) => form[field] ?? [])))]
  const { rows } = await sql<{ id: string; name: string }>`
    with asked as (select unnest(${ids}::text[]) "id")
    select a."id",
      coalesce(
        (
          select string_agg(u."lsName", ' / ' order by p."at")
          from "curriculum" c, unnest(c."lsPath") with ordinality p("id", "at")
          join "curriculum" u on u."schoolId" = ${actor.schoolId} and u."lsId" = p."id"
          where c."schoolId" = ${actor.schoolId} and c."lsId"::text = a."id"
        ), (select "llName" from "lessonLevel" where "schoolId" = ${actor.schoolId} and "llId" = a."id"),
        (select "scName" from "college" where "schoolId" = ${actor.schoolId} and "scId"::text = a."id"),
        (select "sdName" from "department" where "schoolId" = ${actor.schoolId} and "sdId"::text = a."id"),
        (select "atName" from "awardTemplate" where "schoolId" = ${actor.schoolId} and "atId"::text = a."id"), a."id"
      ) "name"
    from asked a`.execute(db)
  return new Map(rows.map(({ id, name }) => [id, name]))
}
