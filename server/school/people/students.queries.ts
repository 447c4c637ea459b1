import { compiledOnce } from '../../core/database/compiled-once.ts'
import { together } from '../../core/base/together.ts'
import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { creditType } from '../../../contract/core/codes/programme.ts'
import { accountStatus } from '../../../contract/core/codes/school.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { fromHundredths } from '../../../contract/core/fields.ts'
import type { studentApi } from '../../../contract/school/people/students.calls.ts'
import { anyOf } from '../../core/database/any-of.ts'
import { compiledForWhole } from '../../core/request/compiled-for-whole.ts'
import type { Context } from '../../core/request/context.ts'
import { asPage, countOf, offsetOf } from '../../core/database/paging.ts'
import { from, withinSchool } from '../../core/database/tenant.ts'
import { listOrder } from '../../core/database/sorting.ts'
import { homePlaceName } from '../organisation/regions.service.ts'
import { isActivated } from './accounts.service.ts'
import { personConditions } from './person-filters.ts'
import { personCan, rolesColumn } from './person-facts.ts'
import { maskedBirth, maskedFields } from './sensitive.ts'
import { studentLocation, studentScopeColumns, visibleStudents } from './students.service.ts'

export type StudentFilters = Checked<typeof studentApi.list>

const sortable = {
  suiNumber: 'person.suiNumber',
  suiName: 'person.suiName',
  suiGrade: 'person.suiGrade',
  suiCredibility: 'person.suiCredibility',
  createTime: 'person.createTime',
}

/** The visible students that fit the filters. */
export function matchingStudents(ctx: Context, filters: Omit<StudentFilters, 'current' | 'pageSize'>) {
  const { majorId, scClassId, suiGrade, credibilityMin, credibilityMax, warnLevel, activated } = filters
  let query = visibleStudents(ctx).where((all) => all.and(personConditions(ctx, filters, studentScopeColumns)))
  if (majorId) query = query.where('person.majorId', '=', majorId)
  if (scClassId) query = query.where('person.scClassId', '=', scClassId)
  if (suiGrade) query = query.where('person.suiGrade', '=', suiGrade)
  if (warnLevel) query = query.where('person.warnLevel', '=', warnLevel)
  if (activated)
    query = query.where(
      sql<boolean>`exists (
        select
        from "account"
        where "account"."schoolId" = "person"."schoolId" and "account"."suId" = "person"."suId"
          and "account"."suStatus" = ${sql.lit(accountStatus.active)}
          and ${isActivated} = ${activated === yesNo.yes}::boolean
      )`,
    )
  if (credibilityMin !== undefined) query = query.where('person.suiCredibility', '>=', credibilityMin)
  if (credibilityMax !== undefined) query = query.where('person.suiCredibility', '<=', credibilityMax)
  return query
}

const named = ({ db, actor }: Pick<Context, 'db' | 'actor'>, keys: ReturnType<typeof matchingStudents>) =>
  db
    .selectFrom(keys.select('person.suId').as('page'))
    .innerJoin('person', (join) =>
      join.on('person.schoolId', '=', actor.schoolId).onRef('person.suId', '=', 'page.suId'),
    )
    .innerJoin('account', withinSchool('account.suId', 'person.suId'))
    .leftJoin('college', withinSchool('college.scId', 'person.suiCollegeId'))
    .leftJoin('major', withinSchool('major.smId', 'person.majorId'))
    .leftJoin('schoolClass', withinSchool('schoolClass.scClassId', 'person.scClassId'))

const listColumns = [
  'person.suId',
  'person.suiName',
  'person.suiNumber',
  'person.suiSex',
  'person.suiCollegeId',
  'college.scName as suiCollegeName',
  'person.majorId',
  'major.smName as majorName',
  'person.scClassId',
  'schoolClass.scClassName',
  'person.suiGrade',
  'person.suiStatus',
  'person.suiCredibility',
  'person.warnLevel',
  'person.suiPolitical',
  'account.suStatus',
  'account.lastLoginTime',
  'person.version',
] as const

/** A page of students: the keys of the page and the total first, then the rows of those keys; three statements. */
export async function listStudents(ctx: Context, input: StudentFilters) {
  const matching = matchingStudents(ctx, input)
  const [keys, total] = await Promise.all([
    matching
      .select('person.suId')
      .orderBy(listOrder(input, sortable))
      .orderBy('person.suId')
      .limit(input.pageSize)
      .offset(offsetOf(input))
      .execute(),
    countOf(matching),
  ])
  const suIds = keys.map(({ suId }) => suId)
  const rows = await rowsOf(ctx, { suIds })
  const shown = new Map(rows.map((row) => [row.suId, row]))
  return asPage(
    suIds.flatMap((suId) => shown.get(suId) ?? []).map((row) => asRow(ctx, row)),
    total,
    input,
  )
}

const rowsOf = compiledForWhole((reader, { suIds }: { suIds: string[] }) =>
  named(reader, visibleStudents(reader).where(anyOf('person.suId', suIds)))
    .select(listColumns)
    .select(['account.suNickname', 'person.birth', isActivated.as('activated')]),
)

/** A row as the list sends it: the political status only to those who may see it. */
function asRow<
  R extends { suId: string; suStatus: string; suiPolitical: string | null; birth: string | null } & Parameters<
    typeof studentLocation
  >[0],
>({ actor }: Context, row: R) {
  const can = personCan(actor, 'student', row, studentLocation(row))
  // Object.assign: taking a row apart by rest costs several times as much
  return Object.assign({}, row, {
    birth: maskedBirth(row.birth),
    suiPolitical: can.includes('unmask') ? row.suiPolitical : undefined,
    can,
  })
}

/** The next students after a number, for exports: the number is unique, so no page gets slower than the first. */
export const studentsAfter = (ctx: Context, input: StudentFilters, last: string | undefined) => {
  let keys = matchingStudents(ctx, input).orderBy('person.suiNumber').limit(1000)
  if (last !== undefined) keys = keys.where('person.suiNumber', '>', last)
  return named(ctx, keys).select(listColumns).select(isActivated.as('activated')).orderBy('person.suiNumber').execute()
}

/** What the page of a student shows of them, for one who may see them; none otherwise. */
const detailRows = compiledForWhole((reader, { id }: { id: string }) =>
  named(reader, visibleStudents(reader).where('person.suId', '=', id))
    .leftJoin('person as counselor', (join) =>
      join.onRef('counselor.schoolId', '=', 'person.schoolId').onRef('counselor.suId', '=', 'schoolClass.counselorId'),
    )
    .select(listColumns)
    .select([
      'account.suNickname',
      'person.birth',
      'person.suiNation',
      'person.suiIdType',
      'person.suiIdCard',
      'person.suiPhone',
      'person.suiEmail',
      'person.suiPhoto',
      'person.specialty',
      'person.remark',
    ])
    .select([
      'person.provinceId',
      'person.cityId',
      'person.areaId',
      'person.suiAddress',
      'person.suiEduLevel',
      'person.suiStudyYears',
      'person.suiEnterDate',
      'person.suiGraduateDate',
      'person.suiCampus',
      'person.suiDorm',
      'person.leagueJoinDate',
      'person.partyJoinDate',
      'person.isVolunteerRegistered',
      'person.volunteerNo',
      'person.blackUntil',
    ])
    .select([
      'person.createName',
      'person.createTime',
      'person.updateTime',
      'counselor.suiName as counselorName',
      isActivated.as('activated'),
      rolesColumn.as('roles'),
    ]),
)

/** What a student has of each kind of credit, in hundredths. */
const sumsOf = compiledOnce((db, { schoolId, id }: { schoolId: string; id: string }) =>
  from({ db, schoolId }, 'creditLedger')
    .select(['clType', sql<number>`sum("clValue")::int`.as('sum')])
    .where('suId', '=', id)
    .groupBy('clType'),
)

/** A student with everything the detail and the form show, sensitive facts masked; two statements. */
export async function studentDetail(ctx: Context, { id }: { id: string }) {
  const { actor, db, secrets } = ctx
  const [[row], sums] = await together(detailRows(ctx, { id }), sumsOf(db, { schoolId: actor.schoolId, id }))
  if (!row) throw new Failure('not-found')
  const total = (clType: string) => fromHundredths(sums.find((one) => one.clType === clType)?.sum ?? 0)
  const can = personCan(actor, 'student', row, studentLocation(row))
  // Object.assign: taking so wide a row apart by spread costs several times as much
  return Object.assign({}, row, maskedFields(row, secrets, can.includes('unmask')), {
    blackUntil: row.blackUntil !== null && row.blackUntil > ctx.clock.now() ? row.blackUntil : null,
    homePlaceName: await homePlaceName(row),
    roles: row.roles.map(({ srId, srName }) => ({ srId, srName })),
    isLeagueSecretary: row.roles.some(({ srCode }) => srCode === 'LEAGUE_SEC'),
    totalHours: total(creditType.hours),
    totalCredit: total(creditType.credit),
    volunteerHours: total(creditType.volunteerHours),
    can,
  })
}
