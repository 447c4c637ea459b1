import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { circleStatus, lessonStatus, lessonPersonRole } from '../../../contract/core/codes/programme.ts'
import { personType } from '../../../contract/core/codes/school.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { fromHundredths } from '../../../contract/core/fields.ts'
import type { teacherApi, TeacherDetail } from '../../../contract/school/people/teachers.calls.ts'
import type { Context } from '../../core/request/context.ts'
import { asPage, countOf, offsetOf } from '../../core/database/paging.ts'
import { from, withinSchool } from '../../core/database/tenant.ts'
import { inScope } from '../../core/request/scope-sql.ts'
import { studentScopeColumns } from './students.service.ts'
import { listOrder } from '../../core/database/sorting.ts'
import { isActivated } from './accounts.service.ts'
import { isAtSchool } from './at-school.ts'
import { personConditions } from './person-filters.ts'
import { personCan, rolesColumn } from './person-facts.ts'
import { maskedBirth, maskedFields } from './sensitive.ts'
import { teacherScopeColumns, visibleTeachers } from './teachers.service.ts'
import { pickPeople } from './picker.ts'
import { personColumns } from '../organisation/person-columns.ts'

type TeacherFilters = Checked<typeof teacherApi.list>

const sortable = { suiNumber: 'person.suiNumber', suiName: 'person.suiName', createTime: 'person.createTime' }

/** Whether somebody is counselor of a class. */
const counsels = sql<boolean>`exists (
    select
    from "schoolClass" c
    where c."schoolId" = "person"."schoolId" and c."counselorId" = "person"."suId"
  )`

function matching(ctx: Context, filters: TeacherFilters) {
  const { sdId, title, teacherType, isCounselor } = filters
  let query = visibleTeachers(ctx).where((all) => all.and(personConditions(ctx, filters, teacherScopeColumns)))
  if (title) query = query.where('person.title', '=', title)
  if (teacherType) query = query.where('person.teacherType', '=', teacherType)
  if (isCounselor !== undefined) query = query.where(isCounselor ? counsels : sql<boolean>`not ${counsels}`)
  if (sdId)
    query = query.where(sql<boolean>`exists (
        select
        from "departmentUser" u
        where u."schoolId" = "person"."schoolId" and u."suId" = "person"."suId" and u."sdId" = ${sdId}
      )`)
  return query
}

const departmentsColumn = sql<{ sdId: string; sdName: string; post: string }[]>`coalesce(
    (
      select json_agg(
        json_build_object('sdId', d."sdId", 'sdName', d."sdName", 'post', u."post") order by u."sdSort", d."sdName"
      )
      from "departmentUser" u
      join "department" d on d."schoolId" = u."schoolId" and d."sdId" = u."sdId"
      where u."schoolId" = "person"."schoolId" and u."suId" = "person"."suId"
    ), '[]'
  )`

const named = ({ db, actor }: Pick<Context, 'db' | 'actor'>, keys: ReturnType<typeof matching>) =>
  db
    .selectFrom(keys.select('person.suId').as('page'))
    .innerJoin('person', (join) =>
      join.on('person.schoolId', '=', actor.schoolId).onRef('person.suId', '=', 'page.suId'),
    )
    .innerJoin('account', withinSchool('account.suId', 'person.suId'))
    .leftJoin('college', withinSchool('college.scId', 'person.suiCollegeId'))
    .select([
      'person.suId',
      'person.suiName',
      'person.suiNumber',
      'person.suiSex',
      'person.suiType',
      'person.suiCollegeId',
      'college.scName as suiCollegeName',
      'person.title',
      'person.teacherType',
      'person.birth',
      'account.suNickname',
    ])
    .select([
      'person.post',
      'person.suiStatus',
      'account.suStatus',
      'account.lastLoginTime',
      'person.suiPolitical',
      'person.version',
      isActivated.as('activated'),
    ])
    .select([departmentsColumn.as('departments'), rolesColumn.as('roles'), counsels.as('isCounselor')])

type Row = Awaited<ReturnType<ReturnType<typeof named>['execute']>>[number]
function asRow({ actor }: Context, row: Row) {
  const can = personCan(actor, 'teacher', row, { college: row.suiCollegeId })
  return Object.assign({}, row, {
    birth: maskedBirth(row.birth),
    suiPolitical: can.includes('unmask') ? row.suiPolitical : undefined,
    departments: row.departments.map(({ sdName }) => sdName),
    roles: row.roles.map(({ srName }) => srName),
    can,
  })
}

/** A page of teachers: the keys of the page first, then the rows of those; two statements. */
export async function listTeachers(ctx: Context, input: TeacherFilters) {
  const order = listOrder(input, sortable)
  const keys = matching(ctx, input).orderBy(order).orderBy('person.suId').limit(input.pageSize).offset(offsetOf(input))
  const [rows, total] = await Promise.all([
    named(ctx, keys).orderBy(order).orderBy('person.suId').execute(),
    countOf(matching(ctx, input)),
  ])
  return asPage(
    rows.map((row) => asRow(ctx, row)),
    total,
    input,
  )
}

/** The next teachers after a number, for exports. */
export async function teachersAfter(ctx: Context, input: TeacherFilters, last: string | undefined) {
  let keys = matching(ctx, input).orderBy('person.suiNumber').limit(1000)
  if (last !== undefined) keys = keys.where('person.suiNumber', '>', last)
  return (await named(ctx, keys).orderBy('person.suiNumber').execute()).map((row) => asRow(ctx, row))
}

/** A teacher with everything the detail and the form show, sensitive facts masked; one statement. */
export async function teacherDetail(ctx: Context, { id }: { id: string }) {
  const { actor, secrets } = ctx
  const row = await named(ctx, visibleTeachers(ctx).where('person.suId', '=', id))
    .select([
      'person.suiNation',
      'person.suiIdType',
      'person.suiIdCard',
      'person.suiPhone',
      'person.suiEmail',
      'person.suiAddress',
      'person.leagueJoinDate',
      'person.partyJoinDate',
      'person.suiPhoto',
      'person.specialty',
      'person.remark',
    ])
    .select(['person.createName', 'person.createTime', 'person.updateTime'])
    .select([
      sql<TeacherDetail['classes']>`coalesce(
          (
            select json_agg(
              json_build_object(
                'scClassId', c."scClassId", 'scClassName', c."scClassName", 'scId', c."scId", 'smId', c."smId"
              )
              order by c."scClassGrade" desc, c."scClassName"
            )
            from "schoolClass" c
            where c."schoolId" = "person"."schoolId" and "person"."suId" in (c."counselorId", c."headTeacherId")
          ), '[]'
        )`.as('classes'),
      // as many as lessonsOfTeacher lists; hours of those that are completed
      sql<{
        lessons: number
        hours: number
      }>`(
          select json_build_object(
            'lessons', count(*), 'hours',
            coalesce(
              sum(l."liHours") filter (where l."liStatus" in (
                  ${sql.lit(lessonStatus.completed)}, ${sql.lit(lessonStatus.archived)}
                )), 0
            )
          )
          from "lesson" l
          where l."schoolId" = "person"."schoolId"
            and l."delFlag" = '0'
            and l."liStatus" not in (
              ${sql.lit(lessonStatus.draft)}, ${sql.lit(lessonStatus.publishInReview)},
              ${sql.lit(lessonStatus.publishRefused)}
            )
            and l."liId" = any(
              array(
                select "liId"
                from "lesson" x
                where x."schoolId" = "person"."schoolId" and x."liPrincipalId" = "person"."suId"
                union all
                select "liId"
                from "lessonPerson" x
                where x."schoolId" = "person"."schoolId" and x."suId" = "person"."suId" and x."lpRole" = ${sql.lit(lessonPersonRole.teacher)}
              )
            )
        )`.as('guided'),
      sql<number>`(
          select count(*)::int
          from "circleTeacher" t
          join "circle" c on c."schoolId" = t."schoolId"
            and c."ciId" = t."ciId"
            and c."delFlag" = '0'
            and c."ciStatus" <> ${sql.lit(circleStatus.dissolved)}
          where t."schoolId" = "person"."schoolId" and t."suId" = "person"."suId"
        )`.as('guideCircleCount'),
    ])
    .executeTakeFirst()
  if (!row) throw new Failure('not-found')
  const can = personCan(actor, 'teacher', row, { college: row.suiCollegeId })
  return {
    ...row,
    ...maskedFields(row, secrets, can.includes('unmask')),
    guideLessonCount: row.guided.lessons,
    totalGuideHours: fromHundredths(row.guided.hours),
    sdIds: row.departments.map(({ sdId }) => sdId),
    roles: row.roles.map(({ srId, srName }) => ({ srId, srName })),
    can,
    ...unsaid,
  }
}

/** What the row is read with and the page of a teacher is not told. */
const unsaid = {
  guided: undefined,
  isCounselor: undefined,
  suiAddress: undefined,
  leagueJoinDate: undefined,
  partyJoinDate: undefined,
}

/**
 * People for a picker: the first twenty that fit by name or number, exact numbers first, then staff, of whom there are
 * few beside students; or the named ones, as far as they are of one's own area.
 */
export function searchPeople(ctx: Context, { search, suiType, suIds, under }: Checked<typeof teacherApi.search>) {
  return pickPeople(ctx, search ? [search] : [], suIds ? 1000 : 20, (condition, most) => {
    let query = from(ctx, 'person')
      .leftJoin('college', withinSchool('college.scId', 'person.suiCollegeId'))
      .leftJoin('schoolClass', withinSchool('schoolClass.scClassId', 'person.scClassId'))
      .where(condition)
    if (suiType) query = query.where('person.suiType', suiType === personType.student ? '=' : '<>', personType.student)
    if (suIds) query = query.where(sql<boolean>`"person"."suId" = any(${suIds}::uuid[])`)
    if (under) query = query.where(inScope(ctx.actor.scopeFor(under), studentScopeColumns)).where(isAtSchool)
    return query
      .select(personColumns)
      .orderBy(sql`"person"."suiNumber" = ${search ?? ''}`, 'desc')
      .orderBy(sql`"person"."suiType" = ${personType.student}`)
      .orderBy('person.suiNumber')
      .limit(most)
      .execute()
  })
}
