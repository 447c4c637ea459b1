import { sql } from 'kysely'
import type { Checked, Output } from '../../contract/core/call.ts'
import { yesNo } from '../../contract/core/codes/platform.ts'
import { lessonStatus } from '../../contract/core/codes/programme.ts'
import type { ownActivityApi } from '../../contract/student/activities.calls.ts'
import { asPage, countOf, likeText, offsetOf, titleContains } from '../core/database/paging.ts'
import type { Db } from '../core/database/pool.ts'
import { compiledByShape } from '../core/database/compiled-once.ts'
import { from } from '../core/database/tenant.ts'
import type { Context } from '../core/request/context.ts'
import { activeStatuses, clashOf, inRangeOfCourse } from '../programme/lessons/model/admission.ts'
import { activityRows, asRow, openAt, rowColumns, shownToParticipants, type Student } from './activity-rows.queries.ts'

type Input = Checked<typeof ownActivityApi.list>
type Answer<K extends keyof typeof ownActivityApi> = Output<(typeof ownActivityApi)[K]>

/** Who asks, when, and what the list is narrowed by. */
interface Wanted
  extends Student, Pick<Input, 'liName' | 'liKind' | 'lsId' | 'liLevel' | 'beginDate' | 'endDate' | 'minCredit'> {
  now: string
  placeLike?: string | undefined
}
/** Whether the student's own are wanted, and whether only those that are open to registration now. */
type Shape = { whose: 'mine' | 'ahead'; which: 'open' | 'all' }

/** Activities of the school, with the student to compare them with. */
const activities = (db: Db, { schoolId, suId }: Student) =>
  from({ db, schoolId }, 'lesson').innerJoin('person as p', (join) =>
    join.onRef('p.schoolId', '=', 'lesson.schoolId').on('p.suId', '=', suId),
  )

/** Published activities whose range includes the student and which are not over. */
const ahead = (db: Db, { now, ...student }: Student & { now: string }) =>
  activities(db, student)
    .where('lesson.liStatus', '=', sql.lit(lessonStatus.published))
    .where('lesson.endTime', '>', now)
    .where(inRangeOfCourse('lesson', 'p'))

/** Those that the student has registered for, whatever became of it. */
const registered = (db: Db, student: Student) =>
  activities(db, student)
    .where(
      'lesson.liStatus',
      'in',
      shownToParticipants.map((one) => sql.lit(one)),
    )
    .where('lesson.liId', 'in', registrations(db, student))

const registrations = (db: Db, { schoolId, suId }: Student) =>
  from({ db, schoolId }, 'registration').select('liId').where('suId', '=', suId)

/**
 * Where an activity stands in the list: what the student can register for comes first, then what else is open (full, or
 * theirs already), then the rest. A hint for the order; who may register is said by the activity's page.
 */
const rankAt = (db: Db, { now, ...student }: Student & { now: string }) => {
  // read once, not with each activity that is put in its place
  const standing = registrations(db, student).where(
    'laStatus',
    'in',
    activeStatuses.map((one) => sql.lit(one)),
  )
  return sql`case
      when not ${openAt(now)} then 2
      when "lesson"."liId" = any(array(${standing})) then 1
      when "passCount" >= "quota" and "waitlistOn" <> ${sql.lit(yesNo.yes)} then 1
      else 0
    end`
}

/** What is wanted, before it is put into order. */
function wantedOnes(db: Db, wanted: Wanted, { whose, which }: Shape): ReturnType<typeof activities> {
  const { now, liName, liKind, lsId, liLevel, placeLike, beginDate, endDate, minCredit } = wanted
  let rows: ReturnType<typeof activities> = whose === 'mine' ? registered(db, wanted) : ahead(db, wanted)
  if (which === 'open') rows = rows.where(openAt(now))
  if (liName !== undefined) rows = rows.where(titleContains('lesson.liName', liName))
  if (liKind !== undefined) rows = rows.where('lesson.liKind', '=', liKind)
  if (lsId !== undefined) rows = rows.where(sql<boolean>`"lesson"."lsPath" && array[${lsId}::uuid]`)
  if (liLevel !== undefined) rows = rows.where('lesson.liLevel', '=', liLevel)
  if (placeLike !== undefined)
    rows = rows.where(sql<boolean>`"lesson"."placeText" || ' ' || "lesson"."campus" like ${placeLike}`)
  if (beginDate !== undefined) rows = rows.where('lesson.endTime', '>=', beginDate)
  if (endDate !== undefined) rows = rows.where('lesson.startTime', '<=', endDate)
  if (minCredit !== undefined) rows = rows.where('lesson.liCredit', '>=', minCredit)
  return rows
}

/** A page of what is wanted, each row with how many there are altogether. */
const page = (db: Db, { limit, offset, ...wanted }: Wanted & { limit: number; offset: number }, shape: Shape) => {
  const order =
    shape.whose === 'mine' ? sql`"lesson"."startTime" desc` : sql`${rankAt(db, wanted)}, "lesson"."startTime"`
  // what stands on the page is found out first: of the others neither names nor clashes are looked for
  const onPage = wantedOnes(db, wanted, shape)
    .select('lesson.liId')
    .select([
      sql<number>`(row_number() over (order by ${order}, "lesson"."liId"))::int`.as('place'),
      sql<number>`(count(*) over ())::int`.as('total'),
    ])
    .orderBy('place')
    .limit(limit)
    .offset(offset)
  return activityRows(db, wanted)
    .innerJoin(onPage.as('page'), 'page.liId', 'lesson.liId')
    .select(rowColumns)
    .select(['lesson.liKind', 'page.total'])
    .select([openAt(wanted.now).as('isOpen'), clashOf(sql.ref('lesson.liId'), 'p').as('clash')])
    .orderBy('page.place')
}
const compiledPage = compiledByShape(page)

/**
 * Published activities whose range includes the student and which are not over, those first that they can register for
 * now; or those that the student has registered for, the latest first.
 */
export async function listActivities(
  { db, actor: { schoolId, suId }, clock }: Context,
  { mine, open, liName, placeText, current, pageSize, ...filters }: Input,
): Promise<Answer<'list'>> {
  const shape: Shape = { whose: mine ? 'mine' : 'ahead', which: open ? 'open' : 'all' }
  const wanted: Wanted = {
    schoolId,
    suId,
    now: clock.now(),
    ...filters,
    // of blanks alone nothing is left
    liName: liName || undefined,
    placeLike: placeText ? likeText(placeText) : undefined,
  }
  const stretch = { limit: pageSize, offset: offsetOf({ current, pageSize }) }
  // what a word becomes depends on the word
  const rows = wanted.liName
    ? await page(db, { ...wanted, ...stretch }, shape).execute()
    : await compiledPage(db, { ...wanted, ...stretch }, shape)
  // a page beyond the last one has no row that could tell how many there are
  const total = rows[0]?.total ?? (current > 1 ? await countOf(wantedOnes(db, wanted, shape)) : 0)
  return asPage(
    rows.map(({ total: _, ...row }) => asRow(row)),
    total,
    { current, pageSize },
  )
}

/** What the list can be narrowed by: kinds, modules at the top and levels of the activities that it shows now. */
export async function activityChoices(ctx: Context): Promise<Answer<'choices'>> {
  const { schoolId, suId } = ctx.actor
  const shown = await ahead(ctx.db, { schoolId, suId, now: ctx.clock.now() })
    .select([sql<string>`"lesson"."lsPath"[1]`.as('lsId'), 'liLevel', 'liKind'])
    .distinct()
    .execute()
  const of = (values: string[]) => [...new Set(values)]
  if (shown.length === 0) return { kinds: [], modules: [], levels: [] }
  const [modules, levels] = await Promise.all([
    from(ctx, 'curriculum')
      .select(['lsId as id', 'lsName as name'])
      .where('lsId', 'in', of(shown.map(({ lsId }) => lsId)))
      .orderBy('lsSort')
      .orderBy('lsId')
      .execute(),
    from(ctx, 'lessonLevel')
      .select(['llId as id', 'llName as name'])
      .where('llId', 'in', of(shown.map(({ liLevel }) => liLevel)))
      .orderBy('llSort')
      .orderBy('llId')
      .execute(),
  ])
  return { kinds: of(shown.map(({ liKind }) => liKind)).toSorted(), modules, levels }
}
