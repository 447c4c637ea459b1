import { sql } from 'kysely'
import { Failure } from '../../../contract/core/failure.ts'
import { peopleText, type NamedPerson } from '../../core/base/people-text.ts'
import { departmentUserSheet } from '../../../contract/school/organisation/organisation.sheets.ts'
import { recordset } from '../../core/database/bulk.ts'
import { from } from '../../core/database/tenant.ts'
import { scopeIncludes } from '../../core/request/scope-check.ts'
import { importer } from '../../platform/imports/importer.ts'

/** A membership as the import left it, and the post before; null where there was no membership. */
type Undo = { sdId: string; suId: string; post: string; before: { post: string } | null }

/** Members of departments from a sheet, told apart by department and number. */
export const departmentUserImporter = importer({
  sheet: departmentUserSheet,
  permit: 'department:member',
  unique: [['sdName', 'suiNumber']],
  rowsAtOnce: 1000,
  choices: async ({ db, actor, scope }) => {
    const rows = await from({ db, actor }, 'department')
      .select(['sdId', 'sdName'])
      .orderBy('sdSort')
      .orderBy('sdName')
      .execute()
    return { sdName: rows.filter(({ sdId }) => scopeIncludes(scope, { department: sdId })).map(({ sdName }) => sdName) }
  },
  async load({ db, actor, scope }, _target, rows) {
    const numbers = [...new Set(rows.map(({ suiNumber }) => suiNumber))]
    const [departments, people, members] = await Promise.all([
      from({ db, actor }, 'department').select(['sdId', 'sdName', 'sdCode']).execute(),
      from({ db, actor }, 'person')
        .select(['suId', 'suiNumber', 'suiName'])
        .where(sql<boolean>`"suiNumber" = any(${numbers}::text[])`)
        .execute(),
      from({ db, actor }, 'departmentUser').select(['sdId', 'suId', 'post']).execute(),
    ])
    const named = new Map<string, typeof departments>()
    for (const one of departments)
      for (const word of new Set([one.sdName, one.sdCode])) named.set(word, [...(named.get(word) ?? []), one])
    return {
      scope,
      named,
      people: new Map(people.map((one) => [one.suiNumber, one])),
      members: new Map(members.map((one) => [`${one.sdId} ${one.suId}`, one])),
    }
  },
  check({ sdName, suiNumber, suiName }, { scope, named, people, members }) {
    const [department, ...more] = named.get(sdName) ?? []
    const person = people.get(suiNumber)
    const faults: { key: 'sdName' | 'suiNumber' | 'suiName'; msg: string }[] = []
    if (!department) faults.push({ key: 'sdName', msg: `没有名为“${sdName}”的部门` })
    else if (more.length > 0) faults.push({ key: 'sdName', msg: '有多个同名部门，请填写部门编码' })
    else if (!scopeIncludes(scope, { department: department.sdId }))
      faults.push({ key: 'sdName', msg: '该部门不在您的管理范围内' })
    if (!person) faults.push({ key: 'suiNumber', msg: `没有学工号为“${suiNumber}”的人员` })
    else if (suiName && suiName !== person.suiName) faults.push({ key: 'suiName', msg: '姓名与学工号不符' })
    if (!department || !person) return { faults, found: undefined }
    const known = members.get(`${department.sdId} ${person.suId}`)
    return {
      faults,
      existing: known && { sdName, suiNumber, suiName, post: known.post },
      found: { sdId: department.sdId, suId: person.suId, before: known ? { post: known.post } : null },
    }
  },
  async commit({ db, actor }, _target, rows) {
    const values = rows.map(({ row: { post }, found }, at) => ({
      sdId: found!.sdId,
      suId: found!.suId,
      post,
      at: at + 1,
    }))
    await sql`
      insert into "departmentUser" ("schoolId", "sdId", "suId", "post", "memberSort")
      select ${actor.schoolId}::text, r."sdId", r."suId", r."post",
        r."at" + coalesce(
          (
            select max(u."memberSort")
            from "departmentUser" u
            where u."schoolId" = ${actor.schoolId} and u."sdId" = r."sdId"
          ), 0
        )
      from ${recordset(values, { sdId: 'uuid', suId: 'uuid', post: 'text', at: 'int' })}
      on conflict ("schoolId", "sdId", "suId") do update set "post" = excluded."post"`.execute(db)
    return rows.map(({ found, row: { post } }): Undo => ({ ...found!, post }))
  },
  async undo({ db, actor }, _target, rows) {
    const changed = await sql<NamedPerson>`
        select p."suiName", p."suiNumber"
        from ${recordset(rows, { sdId: 'uuid', suId: 'uuid', post: 'text' })}
        join "person" p on p."schoolId" = ${actor.schoolId} and p."suId" = r."suId"
        left join "departmentUser" m on m."schoolId" = ${actor.schoolId}
          and m."sdId" = r."sdId"
          and m."suId" = r."suId"
        where m."post" is distinct from r."post"
        order by p."suiNumber"`.execute(db)
    if (changed.rows.length > 0)
      throw new Failure('import-undo-late', {
        what: `${peopleText(changed.rows)}的部门职务在导入之后已被修改`,
      })
    const added = rows.filter(({ before }) => before === null)
    await sql`
      delete from "departmentUser" using ${recordset(added, { sdId: 'uuid', suId: 'uuid' })}
      where "departmentUser"."schoolId" = ${actor.schoolId}
        and "departmentUser"."sdId" = r."sdId"
        and "departmentUser"."suId" = r."suId"`.execute(db)
    const altered = rows.flatMap(({ sdId, suId, before }) => (before ? [{ sdId, suId, post: before.post }] : []))
    await sql`
      update "departmentUser"
      set "post" = r."post"
      from ${recordset(altered, { sdId: 'uuid', suId: 'uuid', post: 'text' })}
      where "departmentUser"."schoolId" = ${actor.schoolId}
        and "departmentUser"."sdId" = r."sdId"
        and "departmentUser"."suId" = r."suId"`.execute(db)
  },
})
