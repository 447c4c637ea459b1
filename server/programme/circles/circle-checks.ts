import { sql } from 'kysely'
import { isOneOf } from '../../../contract/core/codes/code-list.ts'
import { personType } from '../../../contract/core/codes/school.ts'
import { invalidInput, type FieldFault } from '../../../contract/core/failure.ts'
import type { SchoolSettings } from '../../../contract/school/school/settings.ts'
import { anyOf } from '../../core/database/any-of.ts'
import { from } from '../../core/database/tenant.ts'
import type { Context } from '../../core/request/context.ts'
import { isAtSchool } from '../../school/people/at-school.ts'

/** Who is in the school's books among those named, by id, deleted people too. `active`: is at the school now. */
export async function peopleOf(ctx: Pick<Context, 'db' | 'actor'>, suIds: readonly string[]) {
  const rows = await from(ctx, 'person', { withDeleted: true })
    .select(['suId', 'suiName', 'suiNumber', 'suiType', isAtSchool.as('active')])
    .where(anyOf('suId', suIds))
    .execute()
  return new Map(rows.map((row) => [row.suId, row]))
}
type People = Awaited<ReturnType<typeof peopleOf>>

export const isStudent = (people: People, suId: string): boolean =>
  people.get(suId)?.suiType === personType.student && people.get(suId)!.active
const isTeacher = (people: People, suId: string): boolean =>
  isOneOf(people.get(suId)?.suiType ?? '', personType.teacher, personType.staff) && people.get(suId)!.active

/** What a new circle brings along. */
interface Founding {
  /** Students now among its members, the person in charge included. */
  founders: number
  teachers: number
  guideUnitId: string | null
  charterFile: string | null
}

type Rules = Pick<SchoolSettings, 'clubFounders' | 'clubTeachers' | 'clubUnitNeeded' | 'clubCharterNeeded'>

/** What a circle still lacks for being founded, by the school's settings (教党〔2020〕13 号). */
export function foundingFaults(
  { founders, teachers, guideUnitId, charterFile }: Founding,
  { clubFounders, clubTeachers, clubUnitNeeded, clubCharterNeeded }: Rules,
): FieldFault[] {
  return [
    ...(founders < clubFounders
      ? [{ field: 'personIds', msg: `成立圈子至少需要 ${clubFounders} 名在籍学生发起，现有 ${founders} 名` }]
      : []),
    ...(teachers < clubTeachers
      ? [{ field: 'teacherIds', msg: `成立圈子至少需要 ${clubTeachers} 名指导老师，现有 ${teachers} 名` }]
      : []),
    ...(clubUnitNeeded && !guideUnitId ? [{ field: 'guideUnitId', msg: '成立圈子须有业务指导单位' }] : []),
    ...(clubCharterNeeded && !charterFile ? [{ field: 'charterFile', msg: '成立圈子须提交章程' }] : []),
  ]
}

interface Named {
  ciClass: string
  ciCollegeId?: string | undefined
  guideUnitId?: string | undefined
  cpiPersonId: string
  teacherIds: readonly string[]
  persons: readonly string[]
  memberMax?: number | undefined
}

/**
 * What the school's own records have to say about a form. Who is in the circle already need not study or serve any
 * more.
 */
export async function recordFaults(
  ctx: Context,
  form: Named,
  kept: ReadonlySet<string> = new Set(),
): Promise<{ faults: FieldFault[]; people: People }> {
  const { ciClass, ciCollegeId, guideUnitId, cpiPersonId, teacherIds, persons, memberMax } = form
  const { rows } = await sql<{ class: boolean; college: boolean; unit: boolean }>`select exists (
      select
      from "circleClass"
      where "schoolId" = ${ctx.actor.schoolId} and "ccId" = ${ciClass}::uuid
    ) "class",
      (
        ${ciCollegeId ?? null}::uuid is null
        or exists (
          select
          from "college"
          where "schoolId" = ${ctx.actor.schoolId} and "scId" = ${ciCollegeId ?? null}::uuid
        )
      ) "college",
      (
        ${guideUnitId ?? null}::uuid is null
        or exists (
          select
          from "department"
          where "schoolId" = ${ctx.actor.schoolId} and "sdId" = ${guideUnitId ?? null}::uuid
        )
      ) "unit"`.execute(ctx.db)
  const there = rows[0]!
  const people = await peopleOf(ctx, [...new Set([cpiPersonId, ...teacherIds, ...persons])])
  const strange = persons.filter((suId) => !kept.has(suId) && !isStudent(people, suId))
  const faults: FieldFault[] = [
    ...(there.class ? [] : [{ field: 'ciClass', msg: '所选圈子分类不存在' }]),
    ...(there.college ? [] : [{ field: 'ciCollegeId', msg: '所选学院不存在' }]),
    ...(there.unit ? [] : [{ field: 'guideUnitId', msg: '所选业务指导单位不存在' }]),
    ...(kept.has(cpiPersonId) || isStudent(people, cpiPersonId)
      ? []
      : [{ field: 'cpiPersonId', msg: '负责人须为在读或延期学生' }]),
    ...(teacherIds.every((suId) => kept.has(suId) || isTeacher(people, suId))
      ? []
      : [{ field: 'teacherIds', msg: '指导老师须为在职教职工' }]),
    ...(strange.length === 0
      ? []
      : [
          {
            field: 'personIds',
            msg: `成员须为在读或延期学生：${strange
              .slice(0, 5)
              .map((suId) => people.get(suId)?.suiName ?? '未知人员')
              .join('、')}`,
          },
        ]),
    ...(memberMax !== undefined && persons.length > memberMax
      ? [{ field: 'memberMax', msg: `人数上限不能少于现有成员 ${persons.length} 人` }]
      : []),
  ]
  return { faults, people }
}

export const refuseFaults = (faults: FieldFault[]): void => {
  if (faults.length > 0) throw invalidInput(faults)
}
