import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { lessonPersonRole } from '../../../../contract/core/codes/programme.ts'
import { invalidInput } from '../../../../contract/core/failure.ts'
import { together } from '../../../core/base/together.ts'
import { recordset } from '../../../core/database/bulk.ts'
import { from } from '../../../core/database/tenant.ts'
import type { Context } from '../../../core/request/context.ts'
import { valuesFrom } from './field-columns.ts'
import type { LessonValues } from './lesson-form.ts'
import { matchSessions } from './match-sessions.ts'
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

const inOrder = <S extends GivenSession>(sessions: readonly S[]): S[] =>
  sessions.toSorted((a, b) => (a.startTime < b.startTime ? -1 : 1))

/**
 * Replaces the sessions. A session that stays, though at another time, keeps its sign-ins and the secret of its codes:
 * codes already printed hold as long as its number stays the same. One that people have signed in to is never removed.
 * @returns the sessions that stayed for that reason
 */
export async function writeSessions(
  ctx: Context,
  liId: string,
  sessions: readonly GivenSession[],
): Promise<GivenSession[]> {
  const deleted = await ctx.db
    .deleteFrom('lessonSession')
    .where('schoolId', '=', ctx.actor.schoolId)
    .where('liId', '=', liId)
    .returning(['lseNo', 'startTime', 'endTime', 'placeText', 'codeSecret'])
    .execute()
  const former = deleted.toSorted((a, b) => a.lseNo - b.lseNo)
  const kept = await signedAmongRemoved(ctx, liId, former, inOrder(sessions))
  const next = inOrder([...sessions, ...kept])
  const matches = [...matchSessions(former, next)].map(([at, to]) => ({ ...former[at]!, to: to + 1 }))
  const secrets = new Map(matches.map(({ to, codeSecret }) => [to, codeSecret]))
  await insertSessions(ctx, liId, next, secrets)
  const moved = matches.filter(({ lseNo, to }) => lseNo !== to)
  if (moved.length > 0) await renumberSigns(ctx, liId, moved)
  return kept
}

/** The same for a course that has none; sessions of a number in `secrets` have that one. */
export async function insertSessions(
  { db, actor: { schoolId } }: Context,
  liId: string,
  sessions: readonly GivenSession[],
  secrets: ReadonlyMap<number, Buffer> = new Map(),
) {
  const rows = inOrder(sessions).map(({ startTime, endTime, placeText }, at) => ({
    schoolId,
    liId,
    lseNo: at + 1,
    startTime,
    endTime,
    placeText: placeText ?? '',
    codeSecret: secrets.get(at + 1) ?? randomBytes(32),
  }))
  await db.insertInto('lessonSession').values(rows).execute()
}

/** Refuses to remove sessions that people have signed in to; `former` and `next` in order of time. */
export async function assertSignedSessionsStay(
  ctx: Context,
  liId: string,
  former: readonly GivenSession[],
  next: readonly GivenSession[],
): Promise<void> {
  const numbered = former.map((session, at) => ({ ...session, lseNo: at + 1 }))
  const [one] = await signedAmongRemoved(ctx, liId, numbered, inOrder(next))
  if (one)
    throw invalidInput([
      {
        field: 'sessions',
        msg: `第 ${one.lseNo} 场（${one.startTime.slice(0, 16)}）已有 ${one.signed} 人签到，不能删除；请保留该场次，时间有误的可修改时间`,
      },
    ])
}

/** Those of the former sessions that would be removed though people have signed in to them, and how many have. */
async function signedAmongRemoved<S extends GivenSession & { lseNo: number }>(
  { db, actor }: Context,
  liId: string,
  former: readonly S[],
  next: readonly GivenSession[],
): Promise<(S & { signed: number })[]> {
  const matches = matchSessions(former, next)
  const removed = former.filter((_, at) => !matches.has(at))
  if (removed.length === 0) return []
  const { rows } = await sql<{ lseNo: number; signed: number }>`
    select x."lseNo", count(*)::int as "signed"
    from "sessionSign" x
    join "registration" t on t."schoolId" = x."schoolId" and t."laId" = x."laId"
    where x."schoolId" = ${actor.schoolId} and t."liId" = ${liId}::uuid and t."delFlag" = '0'
    group by 1`.execute(db)
  const signed = new Map(rows.map((row) => [row.lseNo, row.signed]))
  return removed.flatMap((session) => {
    const people = signed.get(session.lseNo)
    return people === undefined ? [] : [{ ...session, signed: people }]
  })
}

/**
 * Carries sign-ins to sessions, and what was noticed of them, along to the sessions' new numbers: over negative ones,
 * since two sessions may change theirs.
 */
async function renumberSigns(
  { db, actor }: Context,
  liId: string,
  moved: readonly { lseNo: number; to: number }[],
): Promise<void> {
  const numbers = moved.map(({ lseNo, to }) => ({ lseNo, to }))
  for (const table of ['sessionSign', 'signHint'] as const) {
    await sql`
      update ${sql.table(table)} x
      set "lseNo" = -r."to"
      from "registration" t, ${recordset(numbers, { lseNo: 'int', to: 'int' })}
      where x."schoolId" = ${actor.schoolId}
        and t."schoolId" = x."schoolId"
        and t."laId" = x."laId"
        and t."liId" = ${liId}::uuid
        and x."lseNo" = r."lseNo"`.execute(db)
    await sql`
      update ${sql.table(table)} x
      set "lseNo" = -x."lseNo"
      from "registration" t
      where x."schoolId" = ${actor.schoolId}
        and t."schoolId" = x."schoolId"
        and t."laId" = x."laId"
        and t."liId" = ${liId}::uuid
        and x."lseNo" < 0`.execute(db)
  }
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
