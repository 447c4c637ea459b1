import { randomBytes } from 'node:crypto'
import { lessonPersonRole } from '../../../../contract/core/codes/programme.ts'
import { together } from '../../../core/base/together.ts'
import { from } from '../../../core/database/tenant.ts'
import type { Context } from '../../../core/request/context.ts'
import { valuesFrom } from './field-columns.ts'
import type { LessonValues } from './lesson-form.ts'
import type { ReachedLesson } from '../model/lessons.queries.ts'

const rolesOf = { teacherIds: lessonPersonRole.teacher, signerIds: lessonPersonRole.signer } as const

interface PeopleOfLesson {
  teacherIds?: readonly string[] | undefined
  signerIds?: readonly string[] | undefined
}
const peopleFields = ['teacherIds', 'signerIds'] as const

/** Sets the teachers and the sign-in managers of a course; those left out stay. */
export async function writePeople(ctx: Context, liId: string, people: PeopleOfLesson) {
  const { db, actor } = ctx
  const { schoolId } = actor
  const given = peopleFields.filter((field) => people[field] !== undefined)
  if (given.length === 0) return
  const removed = db
    .deleteFrom('lessonPerson')
    .where('schoolId', '=', schoolId)
    .where('liId', '=', liId)
    .where(
      'lpRole',
      'in',
      given.map((field) => rolesOf[field]),
    )
    .execute()
  await together(removed, insertPeople(ctx, liId, people))
}

/** The same for a course that has none yet. */
export async function insertPeople({ db, actor: { schoolId } }: Context, liId: string, people: PeopleOfLesson) {
  const wanted = peopleFields.flatMap((field) =>
    [...new Set(people[field])].map((suId) => ({ schoolId, liId, suId, lpRole: rolesOf[field] })),
  )
  if (wanted.length > 0) await db.insertInto('lessonPerson').values(wanted).execute()
}

type GivenSession = { startTime: string; endTime: string; placeText?: string | undefined }

/**
 * Replaces the sessions; a session that stays keeps the secret of its codes, so that codes already printed still hold.
 */
export async function writeSessions(ctx: Context, liId: string, sessions: readonly GivenSession[]) {
  const old = await ctx.db
    .deleteFrom('lessonSession')
    .where('schoolId', '=', ctx.actor.schoolId)
    .where('liId', '=', liId)
    .returning(['lseNo', 'codeSecret'])
    .execute()
  await insertSessions(ctx, liId, sessions, old)
}

/** The same for a course that has none; sessions of a number of `old` take over the secret of that one. */
export async function insertSessions(
  { db, actor: { schoolId } }: Context,
  liId: string,
  sessions: readonly GivenSession[],
  old: readonly { lseNo: number; codeSecret: Buffer }[] = [],
) {
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
  const [people, sessions] = await together(
    from(ctx, 'lessonPerson').select(['suId', 'lpRole']).where('liId', '=', lesson.liId).execute(),
    from(ctx, 'lessonSession')
      .select(['startTime', 'endTime', 'placeText'])
      .where('liId', '=', lesson.liId)
      .orderBy('lseNo')
      .execute(),
  )
  const idsOf = (role: string) => people.filter(({ lpRole }) => lpRole === role).map(({ suId }) => suId)
  return {
    ...valuesFrom(lesson),
    teacherIds: idsOf(lessonPersonRole.teacher),
    signerIds: idsOf(lessonPersonRole.signer),
    sessions,
  }
}
