import { sql } from 'kysely'
import { isInSchool } from '../../../contract/core/codes/in-school.ts'
import { enableStatus } from '../../../contract/core/codes/platform.ts'
import { personType } from '../../../contract/core/codes/school.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type { SheetRow } from '../../../contract/core/sheets.ts'
import { leagueSecretarySheet } from '../../../contract/school/roles/roles.sheets.ts'
import { forgetActors } from '../../core/request/actor-cache.ts'
import { scopeIncludes } from '../../core/request/scope-check.ts'
import { from } from '../../core/database/tenant.ts'
import type { Context } from '../../core/request/context.ts'
import { importer } from '../../platform/imports/importer.ts'
import { scopeOf } from './grants.service.ts'
import { dismiss, replaceSecretaries } from './league-secretary.service.ts'
import { within } from './own-reach.ts'
import { lockedSecretaries, secretariesOf, type Appointment } from './secretaries.queries.ts'

type Row = SheetRow<typeof leagueSecretarySheet>
type Undo = Appointment & { srId: string; before: string[] }

/** Students with the class each is of, by number: one statement. */
const studentsOf = async ({ db, actor }: Context, numbers: readonly string[]) =>
  (
    await sql<{
      suId: string
      suiNumber: string
      suiName: string
      suiStatus: string
      suiGrade: string | null
      scClassId: string | null
      scClassName: string | null
      scClassCode: string | null
      scId: string | null
      smId: string | null
      path: string | null
    }>`
        select p."suId", p."suiNumber", p."suiName", p."suiStatus", p."suiGrade", p."scClassId", c."scClassName",
          c."scClassCode", c."scId", c."smId", k."scName" || '/' || m."smName" || '/' || c."scClassName" "path"
        from "person" p
        left join "schoolClass" c on c."schoolId" = p."schoolId" and c."scClassId" = p."scClassId"
        left join "major" m on m."schoolId" = c."schoolId" and m."smId" = c."smId"
        left join "college" k on k."schoolId" = c."schoolId" and k."scId" = c."scId"
        where p."schoolId" = ${actor.schoolId}
          and p."suiType" = ${sql.lit(personType.student)}
          and p."delFlag" = '0'
          and p."suiNumber" = any(${numbers}::text[])`.execute(db)
  ).rows

const secretaryRole = (ctx: Context) =>
  from(ctx, 'role')
    .select(['srId', 'srName', 'permits', 'dataScope'])
    .where('srCode', '=', 'LEAGUE_SEC')
    .where('enable', '=', enableStatus.enabled)
    .executeTakeFirst()

/** A class may be told by its name, its code, or its whole path: the number says which class it must be. */
const isOf = (className: string, { scClassCode, path }: { scClassCode: string | null; path: string | null }): boolean =>
  className === scClassCode || `/${path}`.endsWith(`/${className.replace(/\s*[/／]\s*/g, '/')}`)

/**
 * The league secretaries of classes from a sheet: each class has one, so whoever was it before is replaced, and the
 * preview says so.
 */
export const leagueSecretaryImporter = importer({
  sheet: leagueSecretarySheet,
  permit: 'role:grant',
  unique: [['suiNumber']],
  async load(ctx, _target, rows: readonly Row[]) {
    const [role, students] = await Promise.all([
      secretaryRole(ctx),
      studentsOf(ctx, [...new Set(rows.map(({ suiNumber }) => suiNumber))]),
    ])
    const classIds = students.flatMap(({ scClassId }) => scClassId ?? [])
    const holders = role ? await secretariesOf(ctx, role.srId, classIds) : []
    const named = new Map<string, number>()
    for (const scClassId of classIds) named.set(scClassId, (named.get(scClassId) ?? 0) + 1)
    const present = (scClassId: string) => holders.filter((one) => one.scClassId === scClassId)
    return {
      actor: ctx.actor,
      scope: ctx.scope,
      role,
      students: new Map(students.map((one) => [one.suiNumber, one])),
      present: new Map(classIds.map((one) => [one, present(one)])),
      named,
    }
  },
  check({ suiNumber, suiName, scClassName }, { actor, scope, role, students, present: presentIn, named }) {
    const student = students.get(suiNumber)
    if (!role) return { faults: [{ msg: '“团支书”角色已停用，请先启用' }], found: undefined }
    if (
      !student ||
      !scopeIncludes(scope, {
        college: student.scId,
        major: student.smId,
        class: student.scClassId,
        grade: student.suiGrade,
      })
    )
      return {
        faults: [{ key: 'suiNumber' as const, msg: `没有学号为“${suiNumber}”的学生，或不在您的管理范围内` }],
        found: undefined,
      }
    const faults: { key: keyof Row; msg: string }[] = []
    if (suiName && suiName !== student.suiName) faults.push({ key: 'suiName', msg: '姓名与学号不符' })
    if (!isInSchool(student.suiStatus)) faults.push({ key: 'suiNumber', msg: '不是在读或延期学生' })
    if (actor.suId === student.suId) faults.push({ key: 'suiNumber', msg: '不能为自己授予角色' })
    const { scClassId } = student
    if (!scClassId || !isOf(scClassName, student))
      return {
        faults: [
          ...faults,
          {
            key: 'scClassName' as const,
            msg: scClassId ? `该学生所在的班级是“${student.scClassName}”` : '该学生没有班级',
          },
        ],
        found: undefined,
      }
    if (!mayGive(actor, role, { scClassId, scId: student.scId!, smId: student.smId!, grade: student.suiGrade! }))
      faults.push({ key: 'suiNumber', msg: '不能授予您自己没有的权限或范围' })
    const present = presentIn.get(scClassId) ?? []
    const same = present.find(({ suId }) => suId === student.suId)
    const existing = (same ?? present[0]) && {
      suiNumber: (same ?? present[0])!.suiNumber,
      suiName: suiName && (same ?? present[0])!.suiName,
      scClassName,
    }
    return {
      faults,
      conflicts:
        (named.get(scClassId) ?? 0) > 1 ? [{ key: 'scClassName' as const, msg: '同一班级在文件中有多名团支书' }] : [],
      existing,
      found: { srId: role.srId, scClassId, suId: student.suId, before: present.map(({ suId }) => suId) },
    }
  },
  async commit(ctx, _target, rows) {
    const appointments = rows.map(({ found }): Undo => found!)
    const [first] = appointments
    if (!first) return []
    await lockedSecretaries(
      ctx,
      first.srId,
      appointments.map(({ scClassId }) => scClassId),
    )
    await replaceSecretaries(ctx, first.srId, appointments)
    forgetActors(ctx.actor.schoolId)
    return appointments
  },
  async undo(ctx, _target, rows: readonly Undo[]) {
    const [first] = rows
    if (!first) return
    const now = await lockedSecretaries(
      ctx,
      first.srId,
      rows.map(({ scClassId }) => scClassId),
    )
    const holds = new Set(now.map(({ scClassId, suId }) => `${scClassId} ${suId}`))
    if (now.length !== rows.length || rows.some(({ scClassId, suId }) => !holds.has(`${scClassId} ${suId}`)))
      throw new Failure('import-undo-late', { what: '部分班级的团支书已再次调整' })
    await dismiss(ctx, first.srId, rows)
    const before = rows.flatMap(({ scClassId, before: [suId] }) => (suId ? [{ scClassId, suId }] : []))
    await replaceSecretaries(ctx, first.srId, await stillThere(ctx, before))
    forgetActors(ctx.actor.schoolId)
  },
})

/** Whether the caller may give the role over a class: every right of it, and the right to give, over that class. */
function mayGive(
  actor: Context['actor'],
  role: { permits: string[]; dataScope: string },
  { scClassId, ...place }: { scClassId: string; scId: string; smId: string; grade: string },
): boolean {
  const target = { caType: 'class' as const, caTarget: scClassId }
  const parents = {
    majors: new Map([[place.smId, { scId: place.scId }]]),
    classes: new Map([[scClassId, place]]),
    nodes: new Map<string, string[]>(),
  }
  const scope = scopeOf(role.dataScope, [target])
  return ['role:grant', ...role.permits].every(
    (permit) => actor.permits.has(permit) && within(actor.scopeFor(permit as `${string}:${string}`), scope, parents),
  )
}

/** Former secretaries whose accounts exist still. */
async function stillThere(ctx: Context, appointments: readonly Appointment[]): Promise<Appointment[]> {
  const rows = await from(ctx, 'account')
    .select('suId')
    .where(sql<boolean>`"suId" = any(${appointments.map(({ suId }) => suId)}::uuid[])`)
    .execute()
  const known = new Set(rows.map(({ suId }) => suId))
  return appointments.filter(({ suId }) => known.has(suId))
}
