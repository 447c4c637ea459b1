import { sql } from 'kysely'
import { enableStatus } from '../../../contract/core/codes/platform.ts'
import { dataScope } from '../../../contract/core/codes/school.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { anyOf } from '../../core/database/any-of.ts'
import { peopleText, type NamedPerson } from '../../core/base/people-text.ts'
import type { SheetRow } from '../../../contract/core/sheets.ts'
import { roleUserSheet } from '../../../contract/school/roles/roles.sheets.ts'
import { forgetActors } from '../../core/request/actor-cache.ts'
import { recordset } from '../../core/database/bulk.ts'
import { scopeIncludes } from '../../core/request/scope-check.ts'
import { from } from '../../core/database/tenant.ts'
import type { Context } from '../../core/request/context.ts'
import { importer } from '../../platform/imports/importer.ts'
import { areaWords } from './area-words.ts'
import { againstDuty } from './exclusive-duties.ts'
import { scopeOf, type AreaTarget } from './grants.service.ts'
import { within } from './own-reach.ts'

type Fault = { key: keyof SheetRow<typeof roleUserSheet>; msg: string }
/** A membership as the import left it, and its area before; null where there was no membership. */
interface Undo {
  srId: string
  suId: string
  targets: AreaTarget[]
  before: AreaTarget[] | null
}

const textOf = (targets: readonly AreaTarget[]) =>
  targets
    .map(({ caType, caTarget }) => `${caType} ${caTarget}`)
    .toSorted()
    .join()

/**
 * Members of roles with their control areas from a sheet, told apart by role and number. Nothing is given that the
 * giver has not themselves.
 */
export const roleUserImporter = importer({
  sheet: roleUserSheet,
  permit: 'role:grant',
  unique: [['srName', 'suiNumber']],
  rowsAtOnce: 1000,
  choices: async ({ db, actor }) => ({
    srName: (await rolesOf({ db, actor }))
      .filter(({ permits, srCode }) => srCode !== 'LEAGUE_SEC' && permits.every((permit) => actor.permits.has(permit)))
      .map(({ srName }) => srName),
  }),
  async load(ctx, _target, rows) {
    const { db, actor, scope } = ctx
    const numbers = [...new Set(rows.map(({ suiNumber }) => suiNumber))]
    const [roles, words, people] = await Promise.all([
      rolesOf(ctx),
      areaWords(ctx),
      from({ db, actor }, 'person')
        .select(['suId', 'suiNumber', 'suiName', 'suiCollegeId', 'majorId', 'scClassId', 'suiGrade'])
        .where(sql<boolean>`"suiNumber" = any(${numbers}::text[])`)
        .execute(),
    ])
    const members = await membersOf(
      ctx,
      people.map(({ suId }) => suId),
    )
    return {
      actor,
      scope,
      words,
      roles: new Map(roles.map((role) => [role.srName, role])),
      people: new Map(people.map((one) => [one.suiNumber, one])),
      members: new Map(members.map((one) => [`${one.srId} ${one.suId}`, one.targets])),
      duties: new Set(members.map(({ srCode, suId }) => `${srCode} ${suId}`)),
    }
  },
  check({ srName, suiNumber, suiName, area }, { actor, scope, words, roles, people, members, duties }) {
    const faults: Fault[] = []
    const role = roles.get(srName)
    if (!role) faults.push({ key: 'srName', msg: `没有名为“${srName}”的角色` })
    else if (role.srCode === 'LEAGUE_SEC')
      faults.push({ key: 'srName', msg: '每个班级只有一名团支书，请在班级管理中设置，或使用团支书导入' })
    const person = people.get(suiNumber)
    if (
      !person ||
      !scopeIncludes(scope, {
        college: person.suiCollegeId,
        major: person.majorId,
        class: person.scClassId,
        grade: person.suiGrade,
      })
    )
      faults.push({ key: 'suiNumber', msg: `没有学工号为“${suiNumber}”的人员，或不在您的管理范围内` })
    else if (suiName && suiName !== person.suiName) faults.push({ key: 'suiName', msg: '姓名与学工号不符' })
    if (person?.suId === actor.suId) faults.push({ key: 'suiNumber', msg: '不能为自己授予角色或调整管理范围' })
    const against = role && person && againstDuty(role.srCode).find((srCode) => duties.has(`${srCode} ${person.suId}`))
    if (against)
      faults.push({
        key: 'srName',
        msg: `已是“${[...roles.values()].find(({ srCode }) => srCode === against)?.srName ?? against}”，管理与监督须由不同的人承担`,
      })
    if (!role || !person) return { faults, found: undefined }
    const known = members.get(`${role.srId} ${person.suId}`)
    const read = area === '全校' ? { targets: [] as AreaTarget[] } : words.read(area, role.dataScope)
    if ('fault' in read) return { faults: [...faults, { key: 'area', msg: read.fault }], found: undefined }
    if (area === '全校' && role.dataScope !== dataScope.school)
      faults.push({ key: 'area', msg: '该角色的数据范围不是全校' })
    const targets = area === '' && known ? known : read.targets
    const scopes = [scopeOf(role.dataScope, targets), ...(known ? [scopeOf(role.dataScope, known)] : [])]
    const own = ['role:grant', ...role.permits].every(
      (permit) =>
        actor.permits.has(permit) &&
        scopes.every((scope) => within(actor.scopeFor(permit as `${string}:${string}`), scope, words.parents)),
    )
    if (!own && faults.length === 0) faults.push({ key: 'srName', msg: '不能授予您自己没有的权限或范围' })
    const existing = known && {
      srName,
      suiNumber,
      suiName,
      area: textOf(known) === textOf(targets) ? area : words.write(known),
    }
    return { faults, existing, found: { srId: role.srId, suId: person.suId, targets, before: known ?? null } }
  },
  async commit(ctx, _target, rows) {
    const { db, actor, clock } = ctx
    const members = rows.map(({ found }) => found!)
    await sql`
      insert into "roleUser" ("schoolId", "srId", "suId", "grantedBy", "grantTime")
      select ${actor.schoolId}::text, r."srId", r."suId", ${actor.suId}::uuid, ${clock.now()}::timestamptz
      from
      ${recordset(
        members.map(({ srId, suId }) => ({ srId, suId })),
        { srId: 'uuid', suId: 'uuid' },
      )}
      on conflict do nothing`.execute(db)
    await replaceAreas(ctx, members)
    forgetActors(
      actor.schoolId,
      members.map(({ suId }) => suId),
    )
    return members.map(({ srId, suId, targets, before }): Undo => ({ srId, suId, targets: [...targets], before }))
  },
  async undo(ctx, _target, rows) {
    const { db, actor } = ctx
    const now = new Map(
      (
        await membersOf(
          ctx,
          rows.map(({ suId }) => suId),
        )
      ).map((one) => [`${one.srId} ${one.suId}`, textOf(one.targets)]),
    )
    const changed = rows.filter(({ srId, suId, targets }) => now.get(`${srId} ${suId}`) !== textOf(targets))
    if (changed.length > 0)
      throw new Failure('import-undo-late', {
        what: `${peopleText(await peopleBy(ctx, changed))}的角色或管理范围在导入之后已被修改`,
      })
    await sql`delete from "roleUser" u using ${recordset(
      rows.filter(({ before }) => before === null).map(({ srId, suId }) => ({ srId, suId })),
      { srId: 'uuid', suId: 'uuid' },
    )}
      where u."schoolId" = ${actor.schoolId} and u."srId" = r."srId" and u."suId" = r."suId"`.execute(db)
    await replaceAreas(
      ctx,
      rows.flatMap(({ srId, suId, before }) => (before ? [{ srId, suId, targets: before }] : [])),
    )
    forgetActors(
      actor.schoolId,
      rows.map(({ suId }) => suId),
    )
  },
})

const rolesOf = (ctx: Pick<Context, 'db' | 'actor'>) =>
  from(ctx, 'role')
    .select(['srId', 'srName', 'srCode', 'dataScope', 'permits'])
    .where('enable', '=', enableStatus.enabled)
    .orderBy('srSort')
    .execute()

/** Some people as refusals name them. */
const peopleBy = (ctx: Context, members: readonly { suId: string }[]): Promise<NamedPerson[]> =>
  from(ctx, 'person', { withDeleted: true })
    .select(['suiName', 'suiNumber'])
    .where(
      anyOf(
        'suId',
        members.map(({ suId }) => suId),
      ),
    )
    .orderBy('suiNumber')
    .execute()

/** The roles of some people with their areas. */
async function membersOf(
  { db, actor }: Context,
  suIds: readonly string[],
): Promise<{ srId: string; srCode: string; suId: string; targets: AreaTarget[] }[]> {
  const { rows } = await sql<{ srId: string; srCode: string; suId: string; targets: AreaTarget[] }>`
      select u."srId", o."srCode", u."suId",
        coalesce(
          json_agg(json_build_object('caType', a."caType", 'caTarget', a."caTarget")) filter (where a."caType" is not
            null), '[]'
        ) "targets"
      from "roleUser" u
      join "role" o on o."schoolId" = u."schoolId" and o."srId" = u."srId"
      left join "controlArea" a on a."schoolId" = u."schoolId" and a."srId" = u."srId" and a."suId" = u."suId"
      where u."schoolId" = ${actor.schoolId} and u."suId" = any(${suIds}::uuid[])
      group by u."srId", o."srCode", u."suId"`.execute(db)
  return rows
}

async function replaceAreas(
  { db, actor }: Context,
  members: readonly { srId: string; suId: string; targets: readonly AreaTarget[] }[],
): Promise<void> {
  await sql`delete from "controlArea" a using ${recordset(
    members.map(({ srId, suId }) => ({ srId, suId })),
    { srId: 'uuid', suId: 'uuid' },
  )}
    where a."schoolId" = ${actor.schoolId} and a."srId" = r."srId" and a."suId" = r."suId"`.execute(db)
  const rows = members.flatMap(({ srId, suId, targets }) => targets.map((target) => ({ srId, suId, ...target })))
  await sql`
    insert into "controlArea" ("schoolId", "srId", "suId", "caType", "caTarget")
    select ${actor.schoolId}::text, r."srId", r."suId", r."caType", r."caTarget"
    from ${recordset(rows, { srId: 'uuid', suId: 'uuid', caType: 'text', caTarget: 'text' })}`.execute(db)
}
