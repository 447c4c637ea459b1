import { sql, type RawBuilder } from 'kysely'
import { lessonPhase } from '../../../../contract/core/codes/programme.ts'
import type { Checked } from '../../../../contract/core/call.ts'
import { fromHundredths } from '../../../../contract/core/fields.ts'
import type { lessonApi } from '../../../../contract/programme/lessons/lessons.calls.ts'
import type { LessonRow } from '../../../../contract/programme/lessons/lessons.schema.ts'
import { together } from '../../../core/base/together.ts'
import { anyOf } from '../../../core/database/any-of.ts'
import { compiledOnce } from '../../../core/database/compiled-once.ts'
import type { Context } from '../../../core/request/context.ts'
import { gather } from '../../../core/database/gather.ts'
import { asPage, countOf, offsetOf, titleContains } from '../../../core/database/paging.ts'
import { from, withinSchool } from '../../../core/database/tenant.ts'
import { sortOf } from '../../../core/database/sorting.ts'
import { schoolSettings } from '../../../school/school/settings.service.ts'
import { lessonCan, phaseOf } from '../model/lesson-life.ts'
import { columnsTelling } from '../form/field-columns.ts'
import {
  ownLessonIds,
  lessonAuthorities,
  relationsOf,
  visibleLessonParts,
  visibleLessons,
} from '../model/lessons.queries.ts'

type Filters = Partial<
  Omit<Checked<typeof lessonApi.view> & Checked<typeof lessonApi.selectList>, 'sort' | 'order' | 'current' | 'pageSize'>
>

const sortable = {
  createTime: 'lesson.createTime',
  startTime: 'lesson.startTime',
  endTime: 'lesson.endTime',
  liName: 'lesson.liName',
  liNo: 'lesson.liNo',
  passCount: 'lesson.passCount',
  quota: 'lesson.quota',
  liHours: 'lesson.liHours',
  pendingCount: 'lesson.pendingCount',
  liPublictyEdate: 'lesson.liPublictyEdate',
}

/** `phaseOf` for the database: the phase of the row at hand. */
const phaseOfRow = (now: string): RawBuilder<string> => sql<string>`case
    when ${now}::timestamptz >= "lesson"."endTime" then ${sql.lit(lessonPhase.awaitingResult)}
    when ${now}::timestamptz >= "lesson"."startTime" then ${sql.lit(lessonPhase.underway)}
    when ${now}::timestamptz < "lesson"."applyStart" then ${sql.lit(lessonPhase.beforeRegistration)}
    when ${now}::timestamptz <= "lesson"."applyEnd" then ${sql.lit(lessonPhase.registrationOpen)}
    else ${sql.lit(lessonPhase.registrationClosed)}
  end`

/** `30`, `30.2` or several: rows in one of these states. */
function inStates(list: string, now: string): RawBuilder<boolean> {
  const wanted = list.split(',').map((one) => one.split('.') as [string, string?])
  const plain = wanted.filter(([, phase]) => phase === undefined).map(([status]) => status)
  const phased = wanted.flatMap(([status, phase]) =>
    phase === undefined ? [] : [sql<boolean>`("lesson"."liStatus" = ${status} and ${phaseOfRow(now)} = ${phase})`],
  )
  const parts = [...(plain.length > 0 ? [sql<boolean>`"lesson"."liStatus" = any(${plain}::text[])`] : []), ...phased]
  return sql<boolean>`(${sql.join(parts, sql` or `)})`
}

type Lessons = ReturnType<typeof visibleLessons>

/** The visible courses that fit the filters. */
export const matchingLessons = (ctx: Context, filters: Filters): Lessons => fitting(ctx, visibleLessons(ctx), filters)

/** Those of some courses that fit the filters. */
function fitting(
  ctx: Context,
  lessons: Lessons,
  {
    liName,
    lsId,
    liStatus,
    liLevel,
    liCollegeId,
    atId,
    myLesson,
    pending,
    liScheme,
    parentLiId,
    startTime,
    endTime,
    createStartDate,
    createEndDate,
  }: Filters,
): Lessons {
  let query = lessons
  if (liName) query = query.where(titleContains('lesson.liName', liName))
  if (lsId) query = query.where(sql<boolean>`"lesson"."lsPath" @> ${[lsId]}::uuid[]`)
  if (liStatus) query = query.where(inStates(liStatus, ctx.clock.now()))
  if (liLevel) query = query.where('lesson.liLevel', '=', liLevel)
  if (liCollegeId) query = query.where('lesson.liCollegeId', '=', liCollegeId)
  if (atId) query = query.where('lesson.atId', '=', atId)
  if (myLesson) query = query.where(sql<boolean>`"lesson"."liId" = any(array(${ownLessonIds(ctx.actor)}))`)
  if (pending) query = query.where('lesson.pendingCount', '>', 0)
  if (liScheme) query = query.where('lesson.liScheme', '=', liScheme)
  if (parentLiId)
    query = query.where((or) => or.or([or('lesson.parentLiId', '=', parentLiId), or('lesson.liId', '=', parentLiId)]))
  if (startTime) query = query.where('lesson.endTime', '>=', startTime)
  if (endTime) query = query.where('lesson.startTime', '<=', endTime)
  if (createStartDate) query = query.where('lesson.createTime', '>=', createStartDate)
  if (createEndDate) query = query.where('lesson.createTime', '<=', createEndDate)
  return query
}

type ListInput = Filters & {
  current: number
  pageSize: number
  sort?: string | undefined
  order?: 'asc' | 'desc' | undefined
}

/** A page of courses: the keys of the page from a narrow query, its exact total, then the rows of those keys. */
export async function listLessons(ctx: Context, input: ListInput) {
  const { ids, total } = await pageOf(ctx, input)
  return asPage(await lessonsOf(ctx, ids), total, input)
}

/** For one who sees the whole school an index has the order of the list; else the courses are gathered. */
async function pageOf(ctx: Context, input: ListInput): Promise<{ ids: string[]; total: number }> {
  const { column, direction } = sortOf(input, sortable, input.order ?? 'desc')
  if (!ctx.scope.whole) {
    const parts = visibleLessonParts(ctx).map((part) =>
      fitting(ctx, part, input).select('lesson.liId as id').select(sql.ref(column).as('key')),
    )
    return gather(ctx.db, parts, input, { direction, ties: 'asc' })
  }
  const matching = matchingLessons(ctx, input)
  const [keys, total] = await Promise.all([
    matching
      .select('lesson.liId')
      .orderBy(sql.ref(column), direction)
      .orderBy('lesson.liId')
      .limit(input.pageSize)
      .offset(offsetOf(input))
      .execute(),
    countOf(matching),
  ])
  return { ids: keys.map(({ liId }) => liId), total }
}

/**
 * The columns of a list row, with what ties the asking person to it. For keys already found: whoever found them decided
 * about deleted ones.
 */
export const lessonRows = ({
  db,
  actor,
}: Pick<Context, 'db'> & { actor: Pick<Context['actor'], 'schoolId' | 'suId'> }) =>
  from({ db, actor }, 'lesson', { withDeleted: true })
    .innerJoin('lessonLevel as level', withinSchool('level.llId', 'lesson.liLevel'))
    .select([
      ...columnsTelling('row'),
      'lesson.liId',
      'liNo',
      'lsPath',
      'liStatus',
      'level.llName as liLevelName',
      'itemCategory',
      'parentLiId',
      'changeId',
      'liDepartmentId',
      'liSponsorName',
      'liPrincipalName',
      'applyCount',
      'pendingCount',
      'passCount',
      'signCount',
      'resultCount',
      'liCredit',
      'liPublictySdate',
      'liPublictyEdate',
      'createBy',
      'createName',
      'createTime',
      'version',
    ])
    .select(
      sql<string>`(
          select string_agg(c."lsName", ' / ' order by p."at")
          from unnest("lesson"."lsPath") with ordinality p("id", "at")
          join "curriculum" c on c."schoolId" = "lesson"."schoolId" and c."lsId" = p."id"
        )`.as('lsName'),
    )
    .select(relationsOf(actor))

type RowColumns = Awaited<ReturnType<ReturnType<typeof lessonRows>['executeTakeFirstOrThrow']>>

const rowsOf = compiledOnce((db, { liIds, ...actor }: { schoolId: string; suId: string; liIds: string[] }) =>
  lessonRows({ db, actor }).where(anyOf('lesson.liId', liIds)),
)

/** Courses as a list shows them, in the order of their ids. Whoever found the ids decided that they may be seen. */
export async function lessonsOf(ctx: Context, liIds: string[]): Promise<LessonRow[]> {
  if (liIds.length === 0) return []
  const { schoolId, suId } = ctx.actor
  const [rows, asRow] = await together(rowsOf(ctx.db, { schoolId, suId, liIds }), asLessonRow(ctx))
  const shown = new Map(rows.map((row) => [row.liId, row]))
  return liIds.flatMap((liId) => shown.get(liId) ?? []).map(asRow)
}

/** A course as the wire shows it, with what the asking person may do to it now. */
export async function asLessonRow({
  db,
  actor,
  clock,
}: Pick<Context, 'db' | 'actor' | 'clock'>): Promise<(row: RowColumns) => LessonRow> {
  const now = clock.now()
  const authorityOver = lessonAuthorities(actor, await schoolSettings({ db }, actor.schoolId))
  // Object.assign: taking so many fields apart by rest and spread costs several times what all the rest of a list
  // request does
  return (row) =>
    Object.assign({}, row, unsent, {
      liHours: fromHundredths(row.liHours),
      liCredit: fromHundredths(row.liCredit),
      isChanging: row.changeId !== null,
      liPhase: phaseOf(row, now),
      can: lessonCan(row, authorityOver(row), now),
    }) as Omit<RowColumns, keyof typeof unsent> &
      Pick<LessonRow, 'liHours' | 'liCredit' | 'isChanging' | 'liPhase' | 'can'>
}

/** What a row holds only to be checked by; left out of the answer. */
const unsent = {
  lsPath: undefined,
  liDepartmentId: undefined,
  createBy: undefined,
  changeId: undefined,
  myRoles: undefined,
  initiated: undefined,
}

/** How many of the visible courses that fit the filters are in each state. */
export async function countLessons(ctx: Context, filters: Checked<typeof lessonApi.count>) {
  return matchingLessons(ctx, filters)
    .select(['lesson.liStatus', sql<number>`count(*)::int`.as('count')])
    .groupBy('lesson.liStatus')
    .orderBy('lesson.liStatus')
    .execute()
}
