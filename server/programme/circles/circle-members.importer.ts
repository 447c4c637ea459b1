import { sql } from 'kysely'
import { circleAuthStatus, circleStatus } from '../../../contract/core/codes/programme.ts'
import { isInSchool } from '../../../contract/core/codes/in-school.ts'
import { personType } from '../../../contract/core/codes/school.ts'
import { labelOf, valuesOf } from '../../../contract/core/dictionary.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { peopleText, type NamedPerson } from '../../core/base/people-text.ts'
import { circleMemberSheet } from '../../../contract/programme/circles/circles.sheets.ts'
import { anyOf } from '../../core/database/any-of.ts'
import { auditMany } from '../../core/audit/audit.ts'
import { from } from '../../core/database/tenant.ts'
import { recordset } from '../../core/database/bulk.ts'
import { importer } from '../../platform/imports/importer.ts'
import { visibleCircles } from './circles.service.ts'
import { enterMembers, memberRole, assertRoom, presidentRole } from './members.service.ts'

/** A membership as the import left it, and its office before; null where there was no membership. */
type Undo = { ciId: string; suId: string; cmRole: string; before: string | null }

const roleOf = (label: string): string | undefined =>
  valuesOf('circle_member_role').find((value) => labelOf('circle_member_role', value) === label)

/** Members of circles from a sheet, told apart by circle and number. */
export const circleMemberImporter = importer({
  sheet: circleMemberSheet,
  permit: 'circle:edit',
  unique: [['ciName', 'suiNumber']],
  rowsAtOnce: 1000,
  choices: async (ctx) => ({
    ciName: (
      await visibleCircles(ctx)
        .select('ciName')
        .where('ciAuthStatus', '=', circleAuthStatus.passed)
        .where('ciStatus', '<>', circleStatus.dissolved)
        .orderBy('ciName')
        .limit(1000)
        .execute()
    ).map(({ ciName }) => ciName),
  }),
  async load(ctx, _target, rows) {
    const { db, actor } = ctx
    const circles = await visibleCircles(ctx)
      .select(['ciId', 'ciName', 'ciNo', 'cpiPersonId', 'ciAuthStatus', 'ciStatus'])
      .execute()
    const named = new Map<string, (typeof circles)[number]>()
    for (const one of circles)
      if (one.ciStatus !== circleStatus.dissolved) for (const word of [one.ciNo, one.ciName]) named.set(word, one)
    const wanted = [...new Set(rows.flatMap(({ ciName }) => named.get(ciName)?.ciId ?? []))]
    const [people, members] = await Promise.all([
      from({ db, actor }, 'person')
        .select(['suId', 'suiNumber', 'suiName', 'suiStatus'])
        .where('suiType', '=', personType.student)
        .where(sql<boolean>`"suiNumber" = any(${[...new Set(rows.map(({ suiNumber }) => suiNumber))]}::text[])`)
        .execute(),
      from({ db, actor }, 'circleMember')
        .select(['ciId', 'suId', 'cmRole'])
        .where('quitTime', 'is', null)
        .where(anyOf('ciId', wanted))
        .execute(),
    ])
    return {
      named,
      people: new Map(people.map((one) => [one.suiNumber, one])),
      members: new Map(members.map((one) => [`${one.ciId} ${one.suId}`, one.cmRole])),
    }
  },
  check({ ciName, suiNumber, suiName, cmRole }, { named, people, members }) {
    const circle = named.get(ciName)
    const person = people.get(suiNumber)
    const faults: { key: 'ciName' | 'suiNumber' | 'suiName' | 'cmRole'; msg: string }[] = []
    if (!circle) faults.push({ key: 'ciName', msg: `没有名为“${ciName}”的圈子，或不在您的管理范围内` })
    else if (circle.ciAuthStatus !== circleAuthStatus.passed)
      faults.push({ key: 'ciName', msg: '该圈子尚未通过成立审核' })
    if (!person) faults.push({ key: 'suiNumber', msg: `没有学号为“${suiNumber}”的学生` })
    else if (!isInSchool(person.suiStatus)) faults.push({ key: 'suiNumber', msg: '不是在读或延期学生' })
    else if (suiName && suiName !== person.suiName) faults.push({ key: 'suiName', msg: '姓名与学号不符' })
    if (!circle || !person) return { faults, found: undefined }
    const role = roleOf(cmRole)
    const leads = circle.cpiPersonId === person.suId
    if (role === presidentRole && !leads) faults.push({ key: 'cmRole', msg: '会长由负责人担任，请提交变更负责人申请' })
    if (leads && role && role !== presidentRole) faults.push({ key: 'cmRole', msg: '该生是圈子负责人，职务为会长' })
    const before = members.get(`${circle.ciId} ${person.suId}`) ?? null
    return {
      faults,
      existing:
        before === null ? undefined : { ciName, suiNumber, suiName, cmRole: labelOf('circle_member_role', before) },
      found: { ciId: circle.ciId, ciName: circle.ciName, suId: person.suId, before },
    }
  },
  async commit(ctx, _target, rows) {
    const { db, actor } = ctx
    const given = rows.map(({ row: { cmRole }, found }) => ({
      ciId: found!.ciId,
      suId: found!.suId,
      cmRole: roleOf(cmRole) ?? memberRole,
      before: found!.before,
    }))
    const ciIds = [...new Set(given.map(({ ciId }) => ciId))].toSorted()
    const locked = await from({ db, actor }, 'circle')
      .select('ciId')
      .where(anyOf('ciId', ciIds))
      .orderBy('ciId')
      .forUpdate()
      .execute()
    // one of them was deleted since its row was checked
    if (locked.length < ciIds.length) throw new Failure('not-found')
    await enterMembers(ctx, given)
    await sql`
      update "circleMember" m
      set "cmRole" = r."cmRole"
      from ${recordset(given, { ciId: 'uuid', suId: 'uuid', cmRole: 'text' })}
      where m."schoolId" = ${actor.schoolId}
        and m."ciId" = r."ciId"
        and m."suId" = r."suId"
        and m."quitTime" is null
        and m."cmRole" <> r."cmRole"`.execute(db)
    await assertRoom(ctx, ciIds)
    await auditMany(
      ctx,
      ciIds.map((ciId) => ({
        action: '导入圈子成员',
        bizType: 'circle' as const,
        bizId: ciId,
        bizName: rows.find(({ found }) => found!.ciId === ciId)!.found!.ciName,
        after: { people: given.filter((one) => one.ciId === ciId).map(({ suId }) => suId) },
      })),
    )
    return given
  },
  async undo({ db, actor, clock }, _target, rows: readonly Undo[]) {
    const given = recordset(rows, { ciId: 'uuid', suId: 'uuid', cmRole: 'text', before: 'text' })
    const { rows: changed } = await sql<NamedPerson>`
      select p."suiName", p."suiNumber"
      from ${given}
      join "person" p on p."schoolId" = ${actor.schoolId} and p."suId" = r."suId"
      left join "circleMember" m on m."schoolId" = ${actor.schoolId}
        and m."ciId" = r."ciId"
        and m."suId" = r."suId"
        and m."quitTime" is null
      left join "circle" c on c."schoolId" = ${actor.schoolId}
        and c."ciId" = r."ciId"
        and c."cpiPersonId" = r."suId"
        and r."before" is null
      where m."cmRole" is distinct from r."cmRole" or c."ciId" is not null
      order by p."suiNumber"`.execute(db)
    if (changed.length > 0)
      throw new Failure('import-undo-late', {
        what: `${peopleText(changed)}在圈子中的职务已被修改`,
      })
    await sql`
        update "circleMember" m
        set "quitTime" = case when r."before" is null then ${clock.now()}::timestamptz end,
          "cmRole" = coalesce(r."before", m."cmRole")
        from ${given}
        where m."schoolId" = ${actor.schoolId}
          and m."ciId" = r."ciId"
          and m."suId" = r."suId"
          and m."quitTime" is null`.execute(db)
  },
})
