import { sql, type RawBuilder } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { finishedLessonStatuses, underwayLessonStatuses } from '../../../contract/core/codes/lesson-stages.ts'
import { isOneOf } from '../../../contract/core/codes/code-list.ts'
import { circleAuthStatus, circleStatus } from '../../../contract/core/codes/programme.ts'
import { inSchoolStatuses } from '../../../contract/core/codes/in-school.ts'
import { personType, teacherStatus } from '../../../contract/core/codes/school.ts'
import type { circleApi } from '../../../contract/programme/circles/circles.calls.ts'
import type { CircleAction, CircleDetail, CircleRow } from '../../../contract/programme/circles/circles.schema.ts'
import { anyOf } from '../../core/database/any-of.ts'
import type { Context } from '../../core/request/context.ts'
import { asPage, contains, countOf, offsetOf } from '../../core/database/paging.ts'
import { from, withinSchool } from '../../core/database/tenant.ts'
import { listOrder } from '../../core/database/sorting.ts'
import { holdsOver, ownCircleIds, readableCircles, readablePerson, readCircle } from './circles.service.ts'
import { pickPeople } from '../../school/people/picker.ts'

type Filters = Checked<typeof circleApi.list>
type Person = CircleDetail['principal']

const sortable = {
  createTime: 'circle.createTime',
  ciName: 'circle.ciName',
  ciNo: 'circle.ciNo',
  foundDate: 'circle.foundDate',
}

/** The stars that the last yearly review of a circle gave it. */
const lastStar = sql<string | null>`(
  select r."crStar"
  from "circleReview" r
  where r."schoolId" = "circle"."schoolId" and r."ciId" = "circle"."ciId"
  order by r."crYear" desc
  limit 1
)`

function matching(
  ctx: Context,
  { ciName, ciClass, ciStatus, ciAuthStatus, ciCollegeId, star, mine, createStartDate, createEndDate }: Filters,
) {
  let query = readableCircles(ctx)
  if (ciName) query = query.where((or) => or.or([contains('circle.ciName', ciName), contains('circle.ciNo', ciName)]))
  if (ciClass) query = query.where('circle.ciClass', '=', ciClass)
  if (ciStatus) query = query.where('circle.ciStatus', '=', ciStatus)
  if (ciAuthStatus) query = query.where('circle.ciAuthStatus', '=', ciAuthStatus)
  if (ciCollegeId) query = query.where('circle.ciCollegeId', '=', ciCollegeId)
  if (star) query = query.where(lastStar, '=', star)
  if (mine) query = query.where(sql<boolean>`"circle"."ciId" = any(array(${ownCircleIds(ctx.actor)}))`)
  if (createStartDate) query = query.where('circle.createTime', '>=', createStartDate)
  if (createEndDate) query = query.where('circle.createTime', '<=', createEndDate)
  return query
}

/** States of courses that have been published. */
const published = sql`(${sql.join(
  [...underwayLessonStatuses, ...finishedLessonStatuses].map((code) => sql.lit(code)),
)})`

/**
 * The columns of a list row, with what ties the asking person to it; limited to circles by their ids, which are known
 * to be visible, deleted or not.
 */
const circleRows = ({ db, actor }: Context, ciIds: string[]) =>
  from({ db, actor }, 'circle', { withDeleted: true })
    .innerJoin('circleClass as class', withinSchool('class.ccId', 'circle.ciClass'))
    .innerJoin('person as leader', withinSchool('leader.suId', 'circle.cpiPersonId'))
    .leftJoin('college', withinSchool('college.scId', 'circle.ciCollegeId'))
    .leftJoin('department as unit', withinSchool('unit.sdId', 'circle.guideUnitId'))
    .select([
      'circle.ciId',
      'circle.ciNo',
      'circle.ciName',
      'circle.ciClass',
      'class.ccName',
      'circle.ciLevel',
      'circle.ciCollegeId',
      'circle.guideUnitId',
      'circle.cpiPersonId',
      'leader.suiName as cpiPersonName',
    ])
    .select([
      'circle.ciStatus',
      'circle.ciAuthStatus',
      'circle.foundDate',
      'circle.createBy',
      'circle.createName',
      'circle.createTime',
      'circle.version',
    ])
    .select([
      lastStar.as('star'),
      sql<string>`coalesce("college"."scName", '')`.as('collegeName'),
      sql<string>`coalesce("unit"."sdName", '')`.as('guideUnitName'),
      sql<string[]>`array(
          select p."suiName"
          from "circleTeacher" t
          join "person" p on p."schoolId" = t."schoolId" and p."suId" = t."suId"
          where t."schoolId" = "circle"."schoolId" and t."ciId" = "circle"."ciId"
          order by p."suiNumber"
        )`.as('teacherNames'),
      sql<number>`(
          select count(*)::int
          from "circleMember" m
          where m."schoolId" = "circle"."schoolId" and m."ciId" = "circle"."ciId" and m."quitTime" is null
        )`.as('memberCount'),
      sql<number>`(
          select count(*)::int
          from "lesson" l
          where l."schoolId" = "circle"."schoolId"
            and l."liCircleId" = "circle"."ciId"
            and l."delFlag" = '0'
            and l."liStatus" in ${published}
        )`.as('activityCount'),
      sql<boolean>`exists (
          select
          from "circleTeacher" t
          where t."schoolId" = "circle"."schoolId" and t."ciId" = "circle"."ciId" and t."suId" = ${actor.suId}::uuid
        )`.as('isTeacher'),
      sql<boolean>`exists (
          select
          from "circleMember" m
          where m."schoolId" = "circle"."schoolId"
            and m."ciId" = "circle"."ciId"
            and m."suId" = ${actor.suId}::uuid
            and m."quitTime" is null
        )`.as('isMember'),
    ])
    .where(anyOf('circle.ciId', ciIds))

interface CircleRelations {
  ciStatus: string
  ciAuthStatus: string
  ciCollegeId: string | null
  guideUnitId: string | null
  cpiPersonId: string
  createBy: string | null
  isTeacher: boolean
  isMember: boolean
}

/** What the asking person may do to a circle in its present state. */
function actionsFor({ actor }: Context, row: CircleRelations): CircleAction[] {
  const isOwn =
    row.isTeacher ||
    row.cpiPersonId === actor.suId ||
    (row.createBy === actor.suId && row.ciAuthStatus !== circleAuthStatus.passed)
  const mayEdit = actor.permits.has('circle:edit') && (isOwn || holdsOver(actor, 'circle:edit', row))
  const isFounded = row.ciAuthStatus === circleAuthStatus.passed
  const isClosed = row.ciStatus === circleStatus.dissolved
  const acts: Record<CircleAction, boolean> = {
    edit: mayEdit && !isClosed && row.ciAuthStatus !== circleAuthStatus.pending,
    apply: mayEdit && isFounded && !isClosed,
    enable:
      isFounded &&
      isOneOf(row.ciStatus, circleStatus.disabled, circleStatus.rectifying) &&
      holdsOver(actor, 'circle:enable', row),
    disable:
      isFounded &&
      isOneOf(row.ciStatus, circleStatus.enabled, circleStatus.rectifying) &&
      holdsOver(actor, 'circle:enable', row),
    exit: !isClosed && row.cpiPersonId !== actor.suId && (row.isTeacher || row.isMember),
    delete: holdsOver(actor, 'circle:delete', row),
  }
  return (Object.keys(acts) as CircleAction[]).filter((act) => acts[act])
}

const shown = <R extends CircleRelations>(
  ctx: Context,
  row: R,
): Omit<R, 'isTeacher' | 'isMember' | 'createBy'> & { can: CircleAction[] } => {
  const { isTeacher: _, isMember: __, createBy: ___, ...rest } = row
  return { ...rest, can: actionsFor(ctx, row) }
}

/** A page of circles: the keys, their exact total, then the rows of those keys. */
export async function listCircles(ctx: Context, input: Filters) {
  const query = matching(ctx, input)
  const [keys, total] = await Promise.all([
    query
      .select('circle.ciId')
      .orderBy(listOrder(input, sortable, input.order ?? 'desc'))
      .orderBy('circle.ciId')
      .limit(input.pageSize)
      .offset(offsetOf(input))
      .execute(),
    countOf(query),
  ])
  const ciIds = keys.map(({ ciId }) => ciId)
  const rows = new Map((ciIds.length > 0 ? await circleRows(ctx, ciIds).execute() : []).map((row) => [row.ciId, row]))
  return asPage(
    ciIds.flatMap((ciId): CircleRow[] => (rows.has(ciId) ? [shown(ctx, rows.get(ciId)!)] : [])),
    total,
    input,
  )
}

const personJson = (more: RawBuilder<unknown> = sql``) =>
  sql`json_build_object(
      'suId', p."suId", 'suiName', p."suiName", 'suiNumber', p."suiNumber", 'collegeName', coalesce(c."scName", ''),
      'className', coalesce(k."scClassName", '') ${more}
    )`
const placesOf = sql`left join "college" c on c."schoolId" = p."schoolId" and c."scId" = p."suiCollegeId"
  left join "schoolClass" k on k."schoolId" = p."schoolId" and k."scClassId" = p."scClassId"`

/** A circle with its people, files, reviews and what waits for a decision. */
export async function circleDetail(ctx: Context, { ciId }: Checked<typeof circleApi.detail>): Promise<CircleDetail> {
  await readCircle(ctx, ciId)
  const row = await circleRows(ctx, [ciId])
    .select(['circle.ciDesc', 'circle.imgList', 'circle.memberMax', 'circle.joinMode', 'circle.reason'])
    .select([
      sql<{
        id: string
        name: string
      } | null>`(
          select json_build_object('id', f."fileId", 'name', f."fileName")
          from "file" f
          where f."schoolId" = "circle"."schoolId" and f."fileId" = "circle"."charterFile"
        )`.as('charter'),
      sql<Person>`(
          select ${personJson()}
          from "person" p ${placesOf}
          where p."schoolId" = "circle"."schoolId" and p."suId" = "circle"."cpiPersonId"
        )`.as('principal'),
      sql<Person[]>`coalesce(
          (
            select json_agg(${personJson()} order by p."suiNumber")
            from "circleTeacher" t
            join "person" p on p."schoolId" = t."schoolId" and p."suId" = t."suId" ${placesOf}
            where t."schoolId" = "circle"."schoolId" and t."ciId" = "circle"."ciId"
          ), '[]'
        )`.as('teachers'),
      sql<CircleDetail['persons']>`coalesce(
          (
            select json_agg(x."person" order by x."cmRole", x."suiNumber")
            from (
              select ${personJson(sql`, 'cmRole', m."cmRole"`)} "person", m."cmRole", p."suiNumber"
              from "circleMember" m
              join "person" p on p."schoolId" = m."schoolId" and p."suId" = m."suId" ${placesOf}
              where m."schoolId" = "circle"."schoolId" and m."ciId" = "circle"."ciId" and m."quitTime" is null
                and ${readablePerson(ctx, 'p')}
              order by m."cmRole", p."suiNumber"
              limit 1000
            ) x
          ), '[]'
        )`.as('persons'),
      sql<CircleDetail['reviews']>`coalesce(
          (
            select json_agg(
              json_build_object(
                'crYear', r."crYear", 'crResult', r."crResult", 'crStar', r."crStar", 'activityCount', r."activityCount", 'reviewTime',
                to_char(r."reviewTime", 'YYYY-MM-DD HH24:MI:SS')
              )
              order by r."crYear" desc
            )
            from "circleReview" r
            where r."schoolId" = "circle"."schoolId" and r."ciId" = "circle"."ciId"
          ), '[]'
        )`.as('reviews'),
      sql<number>`(
          select count(*)::int
          from "circleApply" a
          where a."schoolId" = "circle"."schoolId"
            and a."ciId" = "circle"."ciId"
            and a."ciAuthStatus" = ${sql.lit(circleAuthStatus.pending)}
        )`.as('pendingCount'),
      // all of them, for a form that sends them back means that nobody else is a member
      sql<string[]>`array(
          select m."suId"
          from "circleMember" m
          join "person" p on p."schoolId" = m."schoolId" and p."suId" = m."suId"
          where m."schoolId" = "circle"."schoolId" and m."ciId" = "circle"."ciId" and m."quitTime" is null
            and ${readablePerson(ctx, 'p')}
          order by m."cmRole", m."suId"
        )`.as('personIds'),
    ])
    .executeTakeFirstOrThrow()
  return { ...shown(ctx, row), teacherIds: row.teachers.map(({ suId }) => suId) }
}

/**
 * People for the pickers of the form: the first twenty in service that fit by name or number; several numbers at once
 * are looked up as they are.
 */
export function findPeople(ctx: Context, numberOrName: string | undefined, kind: 'student' | 'teacher') {
  const words = (numberOrName ?? '').split(/[\s,，、;；]+/).filter(Boolean)
  return pickPeople(ctx, words, words.length > 1 ? 1000 : 20, (condition, most) =>
    from(ctx, 'person')
      .leftJoin('college', withinSchool('college.scId', 'person.suiCollegeId'))
      .leftJoin('schoolClass', withinSchool('schoolClass.scClassId', 'person.scClassId'))
      .where('person.suiType', kind === 'student' ? '=' : '<>', personType.student)
      .where('person.suiStatus', 'in', kind === 'student' ? inSchoolStatuses : [teacherStatus.employed])
      .where(condition)
      .select([
        'person.suId',
        'person.suiName',
        'person.suiNumber',
        sql<string>`coalesce("college"."scName", '')`.as('collegeName'),
        sql<string>`coalesce("schoolClass"."scClassName", '')`.as('className'),
      ])
      .orderBy(sql`"person"."suiNumber" = ${words[0] ?? ''}`, 'desc')
      .orderBy('person.suiNumber')
      .limit(most)
      .execute(),
  )
}

/** The colleges for choosing that of a circle, in their order. */
export const circleColleges = (ctx: Context) =>
  from(ctx, 'college').select(['scId', 'scName']).orderBy('scSort').orderBy('scName').execute()
