import { sql } from 'kysely'
import type { Checked } from '../../../../contract/core/call.ts'
import { yesNo } from '../../../../contract/core/codes/platform.ts'
import { itemCategory as itemCategoryCodes, lessonPersonRole } from '../../../../contract/core/codes/programme.ts'
import { Failure } from '../../../../contract/core/failure.ts'
import { fromHundredths } from '../../../../contract/core/fields.ts'
import type { lessonApi } from '../../../../contract/programme/lessons/lessons.calls.ts'
import { industryFiles } from '../../../../contract/programme/lessons/industry.ts'
import { minStarAnswers } from '../../../../contract/programme/lessons/stars.ts'
import type { LessonDetail } from '../../../../contract/programme/lessons/lessons.schema.ts'
import { flowsOf } from '../../approvals/flows.service.ts'
import { together } from '../../../core/base/together.ts'
import { compiledOnce } from '../../../core/database/compiled-once.ts'
import { compiledForWhole } from '../../../core/request/compiled-for-whole.ts'
import type { Context } from '../../../core/request/context.ts'
import { from } from '../../../core/database/tenant.ts'
import { lessonRows, asLessonRow } from './lesson-list.queries.ts'
import { columnsTelling } from '../form/field-columns.ts'
import { changeOf } from '../approval/lesson-change.service.ts'
import { phaseOf } from '../model/lesson-life.ts'
import { lessonFor, visibleLessons, loadLessonForCheck } from '../model/lessons.queries.ts'

type Person = LessonDetail['principal']
type Named = { id: string; name: string }

/** The records that a field of the course names, in the order of `orderedBy` and of their names. */
function namedIn(
  table: string,
  { id, name, orderedBy = name }: { id: string; name: string; orderedBy?: string },
  field: 'organiserIds' | 'rangeColleges' | 'rangeMajors' | 'rangeClasses' | 'rangeCircles',
) {
  const of = (column: string) => sql.ref(`n.${column}`)
  return sql<Named[]>`coalesce(
      (
        select json_agg(json_build_object('id', ${of(id)}, 'name', ${of(name)}) order by ${of(orderedBy)}, ${of(name)})
        from ${sql.table(table)} n
        where n."schoolId" = "lesson"."schoolId" and ${of(id)} = any("lesson".${sql.ref(field)})
      ), '[]'
    )`.as(field)
}

/** The places and circles that a course is for. */
const namedRange = [
  namedIn('college', { id: 'scId', name: 'scName', orderedBy: 'scSort' }, 'rangeColleges'),
  namedIn('major', { id: 'smId', name: 'smName' }, 'rangeMajors'),
  namedIn('schoolClass', { id: 'scClassId', name: 'scClassName' }, 'rangeClasses'),
  namedIn('circle', { id: 'ciId', name: 'ciName' }, 'rangeCircles'),
] as const

const rangeOf = compiledOnce((db, { schoolId, liId }: { schoolId: string; liId: string }) =>
  from({ db, schoolId }, 'lesson').select(namedRange).where('liId', '=', liId),
)

/** Whom a course is for, by name, each list in the order in which its pages show it. */
export async function rangeNames({ db, actor }: Context, liId: string) {
  const [named] = await rangeOf(db, { schoolId: actor.schoolId, liId })
  if (!named) throw new Failure('not-found')
  return named
}

/** Everything the pages of a course show: its row, the people, sessions and files, and its approvals step by step. */
export async function lessonDetails(ctx: Context, { liId }: { liId: string }): Promise<LessonDetail> {
  const [[row], asRow, flows] = await together(detailRows(ctx, { liId }), asLessonRow(ctx), flowsOf(ctx, liId))
  if (!row) throw new Failure('not-found')
  const { lsPath, liDepartmentId, liPoints, atName, liExt, changeId, people } = row
  const [seldom, change, series] = await together(
    row.saysSeldom ? seldomSaid(ctx, liId) : nothingSeldom,
    changeId ? changeOf(ctx, liId) : null,
    seriesOf(ctx, row),
  )
  const of = (role: string) => people.filter(({ lpRole }) => lpRole === role).map(personIn)
  // Object.assign: rest and spread of a hundred fields cost several times as much
  return Object.assign({}, row, asRow(row), {
    ...seldom,
    lsPath,
    liDepartmentId,
    liPoints: fromHundredths(liPoints),
    atName: atName ?? '',
    liExt: liExt as LessonDetail['liExt'],
    teachers: of(lessonPersonRole.teacher),
    signers: of(lessonPersonRole.signer),
    signUpCheckers: of(lessonPersonRole.signUpChecker),
    signInCheckers: of(lessonPersonRole.signInChecker),
    change,
    series,
    flows,
    ...unsaid,
  })
}

/** What the row is read with and its pages are not told. */
const unsaid = {
  myRoles: undefined,
  initiated: undefined,
  createBy: undefined,
  changeId: undefined,
  people: undefined,
  saysSeldom: undefined,
}

type RoleHolder = Person & { lpRole: string }
const personIn = ({ suId, suiName, suiNumber }: RoleHolder): Person => ({ suId, suiName, suiNumber })

/** The row of a course with what its pages show beyond it, for one who may see it; none otherwise. */
const detailRows = compiledForWhole((ctx, { liId }: { liId: string }) =>
  lessonRows(ctx)
    .select([...columnsTelling('detail'), 'liPoints', 'resultSummary', 'exitReason', 'publishTime', 'completeTime'])
    .select([
      sql<Person>`(
          select json_build_object('suId', p."suId", 'suiName', p."suiName", 'suiNumber', p."suiNumber")
          from "person" p
          where p."schoolId" = "lesson"."schoolId" and p."suId" = "lesson"."liPrincipalId"
        )`.as('principal'),
      sql<LessonDetail['stars']>`(
          select json_build_object('mean', round(avg(r."laStars"), 2)::float8, 'answers', count(*)::int)
          from "registration" r
          where r."schoolId" = "lesson"."schoolId"
            and r."liId" = "lesson"."liId"
            and r."delFlag" = '0'
            and r."laStars" is not null
          having count(*) >= ${sql.lit(minStarAnswers)}
        )`.as('stars'),
      sql<RoleHolder[]>`coalesce(
          (
            select json_agg(
              json_build_object('lpRole', x."lpRole", 'suId', p."suId", 'suiName', p."suiName", 'suiNumber', p."suiNumber")
              order by p."suiNumber"
            )
            from "lessonPerson" x
            join "person" p on p."schoolId" = x."schoolId" and p."suId" = x."suId"
            where x."schoolId" = "lesson"."schoolId" and x."liId" = "lesson"."liId"
          ), '[]'
        )`.as('people'),
      sql<string>`coalesce(
          (
            select c."ciName"
            from "circle" c
            where c."schoolId" = "lesson"."schoolId" and c."ciId" = "lesson"."liCircleId"
          ), ''
        )`.as('circleName'),
      sql<string | null>`(
          select t."atName"
          from "awardTemplate" t
          where t."schoolId" = "lesson"."schoolId" and t."atId" = "lesson"."atId"
        )`.as('atName'),
      sql<LessonDetail['sessions']>`coalesce(
          (
            select json_agg(
              json_build_object(
                'lseNo', s."lseNo", 'startTime', to_char(s."startTime", 'YYYY-MM-DD HH24:MI:SS'), 'endTime',
                to_char(s."endTime", 'YYYY-MM-DD HH24:MI:SS'), 'placeText', s."placeText"
              )
              order by s."lseNo"
            )
            from "lessonSession" s
            where s."schoolId" = "lesson"."schoolId" and s."liId" = "lesson"."liId"
          ), '[]'
        )`.as('sessions'),
      sql<boolean>`(
          "lesson"."liPlan" is not null
          or "lesson"."liExt" <> '{}'
          or "lesson"."quotaByCollege" <> '[]'
          or cardinality(
            "lesson"."liAttachments" || "lesson"."rangeColleges" || "lesson"."organiserIds" || "lesson"."rangeMajors"
              || "lesson"."rangeClasses" || "lesson"."rangeCircles" || "lesson"."reservedIds"
          ) > 0
        )`.as('saysSeldom'),
    ])
    .where('lesson.liId', '=', liId)
    .where('lesson.delFlag', '=', sql.lit(yesNo.no))
    // of the whole school every course is seen: there is nothing to look up besides
    .$if(!ctx.scope.whole, (rows) =>
      rows.where('lesson.liId', 'in', visibleLessons(ctx).select('lesson.liId').where('lesson.liId', '=', liId)),
    ),
)

/** What only few courses say: whom they are open to, whose places are reserved, and their files. */
const nothingSeldom = {
  liPlan: null as Named | null,
  liAttachments: [] as Named[],
  rangeColleges: [] as Named[],
  organiserIds: [] as Named[],
  rangeMajors: [] as Named[],
  rangeClasses: [] as Named[],
  rangeCircles: [] as Named[],
  quotaByCollege: [] as LessonDetail['quotaByCollege'],
  reservedIds: [] as Person[],
  extFiles: [] as Named[],
}

/** The same of a course that was found to say some of it. Most pages are spared these ten looks at other tables. */
async function seldomSaid({ db, actor }: Context, liId: string): Promise<typeof nothingSeldom> {
  const [said] = await seldomOf(db, { schoolId: actor.schoolId, liId })
  if (!said) throw new Failure('not-found')
  return said
}

const seldomOf = compiledOnce((db, { schoolId, liId }: { schoolId: string; liId: string }) =>
  from({ db, schoolId }, 'lesson')
    .select([
      sql<Named | null>`(
          select json_build_object('id', f."fileId", 'name', f."fileName")
          from "file" f
          where f."schoolId" = "lesson"."schoolId" and f."fileId" = "lesson"."liPlan"
        )`.as('liPlan'),
      sql<Named[]>`coalesce(
          (
            select json_agg(json_build_object('id', f."fileId", 'name', f."fileName") order by a."at")
            from unnest("lesson"."liAttachments") with ordinality a("id", "at")
            join "file" f on f."schoolId" = "lesson"."schoolId" and f."fileId" = a."id"
          ), '[]'
        )`.as('liAttachments'),
      namedIn('department', { id: 'sdId', name: 'sdName', orderedBy: 'sdSort' }, 'organiserIds'),
      ...namedRange,
      sql<LessonDetail['quotaByCollege']>`coalesce(
          (
            select json_agg(
              json_build_object('scId', q."scId", 'scName', coalesce(c."scName", ''), 'quota', q."quota") order by q."at"
            )
            from rows from (jsonb_to_recordset("lesson"."quotaByCollege") as ("scId" uuid, "quota" int))
            with ordinality q("scId", "quota", "at")
            left join "college" c on c."schoolId" = "lesson"."schoolId" and c."scId" = q."scId"
          ), '[]'
        )`.as('quotaByCollege'),
      sql<Person[]>`coalesce(
          (
            select json_agg(
              json_build_object('suId', p."suId", 'suiName', p."suiName", 'suiNumber', p."suiNumber")
              order by p."suiNumber"
            )
            from "person" p
            where p."schoolId" = "lesson"."schoolId" and p."suId" = any("lesson"."reservedIds")
          ), '[]'
        )`.as('reservedIds'),
      sql<Named[]>`coalesce(
          (
            select json_agg(json_build_object('id', f."fileId", 'name', f."fileName") order by a."at")
            from unnest(array[${sql.join(industryFiles.map((field) => sql`"lesson"."liExt" ->> ${field}`))}])
            with ordinality a("id", "at")
            join "file" f on f."schoolId" = "lesson"."schoolId" and f."fileId"::text = a."id"
          ), '[]'
        )`.as('extFiles'),
    ])
    .where('lesson.liId', '=', liId),
)

/** The courses of a series that the person may see, in their order. */
async function seriesOf(
  ctx: Context,
  { liId, itemCategory, parentLiId }: { liId: string; itemCategory: string; parentLiId: string | null },
): Promise<LessonDetail['series']> {
  const first = itemCategory === itemCategoryCodes.seriesFirst ? liId : parentLiId
  if (!first) return []
  const now = ctx.clock.now()
  const rows = await seriesRows(ctx, { first })
  return rows.map((row) => ({
    liId: row.liId,
    liName: row.liName,
    liStatus: row.liStatus,
    liPhase: phaseOf(row, now),
    startTime: row.startTime,
    endTime: row.endTime,
    placeText: row.placeText,
  }))
}

const seriesRows = compiledForWhole((ctx, { first }: { first: string }) =>
  visibleLessons(ctx)
    .select([
      'lesson.liId',
      'liName',
      'liStatus',
      'applyStart',
      'applyEnd',
      'startTime',
      'endTime',
      'signCount',
      'placeText',
    ])
    .where((or) => or.or([or('lesson.liId', '=', first), or('lesson.parentLiId', '=', first)]))
    .orderBy('startTime')
    .orderBy('lesson.liId')
    .limit(200),
)

/** The same for the edit form; refused when the course cannot be edited now. */
export async function lessonForEdit(ctx: Context, { liId }: Checked<typeof lessonApi.edit>): Promise<LessonDetail> {
  await lessonFor(ctx, 'edit', liId, { lock: false })
  return lessonDetails(ctx, { liId })
}

/** People of a course in one of its roles, or in all: principal, then teachers and sign-in managers. */
export async function lessonPeople(ctx: Context, { liId }: { liId: string }, lpRole?: string) {
  await loadLessonForCheck(ctx, liId)
  const { schoolId } = ctx.actor
  const { rows } = await sql<{ suId: string; suiName: string; suiNumber: string; collegeName: string; lpRole: string }>`
      select p."suId", p."suiName", p."suiNumber", coalesce(c."scName", '') as "collegeName", x."lpRole"
      from (
        select "liPrincipalId" as "suId", 'principal' as "lpRole", 0 as "at"
        from "lesson"
        where "schoolId" = ${schoolId} and "liId" = ${liId}::uuid
        union all
        select "suId", "lpRole", 1
        from "lessonPerson"
        where "schoolId" = ${schoolId} and "liId" = ${liId}::uuid
      ) x
      join "person" p on p."schoolId" = ${schoolId} and p."suId" = x."suId"
      left join "college" c on c."schoolId" = p."schoolId" and c."scId" = p."suiCollegeId"
      where ${lpRole ?? null}::text is null or x."lpRole" = ${lpRole ?? null}
      order by x."at", x."lpRole" desc, p."suiNumber"`.execute(ctx.db)
  return rows
}
