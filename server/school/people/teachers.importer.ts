import { sql } from 'kysely'
import { personSex, personType } from '../../../contract/core/codes/school.ts'
import { labelOf } from '../../../contract/core/dictionary.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { peopleText } from '../../core/base/people-text.ts'
import { teacherSheet } from '../../../contract/school/people/people.sheets.ts'
import type { SheetRow } from '../../../contract/core/sheets.ts'
import { anyOf } from '../../core/database/any-of.ts'
import { recordset } from '../../core/database/bulk.ts'
import type { BulkTable } from '../../core/request/bulk-edit.ts'
import { dayOf } from '../../core/base/clock.ts'
import { roomLeft } from '../../core/request/quotas.ts'
import type { Context } from '../../core/request/context.ts'
import { from } from '../../core/database/tenant.ts'
import { scopeIncludes } from '../../core/request/scope-check.ts'
import { importer } from '../../platform/imports/importer.ts'
import { maySetDepartment } from '../organisation/department-users.service.ts'
import { placeIndex } from '../organisation/place-index.service.ts'
import {
  peopleByNumber,
  sealedCells,
  sealedTypes,
  takeBackPeople,
  writePeople,
  type PersonUndo,
} from './import-people.ts'
import { birthFault, contactFaults, numberFault, valueOf } from './import-words.ts'

type Fault = { key: keyof SheetRow<typeof teacherSheet>; msg: string }

const table = {
  table: 'person',
  id: 'suId',
  columns: {
    suiNumber: 'text',
    suiName: 'text',
    suiSex: 'text',
    suiCollegeId: 'uuid',
    title: 'text',
    teacherType: 'text',
    suiEmail: 'text',
    birth: 'date',
    ...sealedTypes,
  },
} as const satisfies BulkTable<string>

/** The departments before, and those that the import left. */
type Undo = PersonUndo & { departments: Membership[]; left: string[] }
/** Somebody in a department; without `memberSort` they come last in it. */
type Membership = { sdId: string; post: string; sdSort: number; memberSort?: number }
const listed = (words: string) => [
  ...new Set(
    words
      .split(/[、,，;；]/)
      .map((word) => word.trim())
      .filter(Boolean),
  ),
]

/**
 * Teachers from a sheet, told apart by their number. Departments named in a row replace the ones before; an empty cell
 * leaves them.
 */
export const teacherImporter = importer({
  sheet: teacherSheet,
  permit: 'teacher:edit',
  unique: [['suiNumber']],
  rowsAtOnce: 1000,
  room: (ctx) => roomLeft(ctx, ctx.actor.schoolId, 'people'),
  async choices(ctx) {
    const [{ colleges }, departments] = await Promise.all([placeIndex(ctx), departmentsOf(ctx)])
    return {
      collegeName: colleges
        .filter(({ scId }) => scopeIncludes(ctx.scope, { college: scId }))
        .map(({ scName }) => scName),
      departmentNames: departments.filter(({ sdId }) => maySetDepartment(ctx, sdId)).map(({ sdName }) => sdName),
    }
  },
  async load(ctx, _target, rows) {
    const [places, people, departments] = await Promise.all([
      placeIndex(ctx),
      peopleByNumber(ctx, rows),
      departmentsOf(ctx),
    ])
    const ids = [...people.byNumber.values()].map(({ suId }) => suId)
    const rowsOf = await from(ctx, 'departmentUser')
      .select(['suId', 'sdId', 'post', 'sdSort', 'memberSort'])
      .where(anyOf('suId', ids))
      .orderBy('sdSort')
      .execute()
    const relations = new Map<string, typeof rowsOf>()
    for (const one of rowsOf) relations.set(one.suId, [...(relations.get(one.suId) ?? []), one])
    const named = new Map<string, string[]>()
    for (const { sdId, sdName, sdCode } of departments)
      for (const word of new Set([sdName, sdCode])) named.set(word, [...(named.get(word) ?? []), sdId])
    return {
      scope: ctx.scope,
      maySet: (sdId: string) => maySetDepartment(ctx, sdId),
      today: dayOf(ctx.clock.now()),
      places,
      people,
      relations,
      named,
      nameOf: new Map(departments.map(({ sdId, sdName }) => [sdId, sdName])),
    }
  },
  check(row, { scope, maySet, today, places, people, relations, named, nameOf }) {
    const known = people.byNumber.get(row.suiNumber)
    const college = places.college(row.collegeName)
    const faults: Fault[] = contactFaults(row)
    const add = (key: Fault['key'], msg: string | null | false | undefined) => msg && faults.push({ key, msg })
    add('suiNumber', numberFault('工号', row.suiNumber))
    add('birth', birthFault(row.birth, today))
    add('collegeName', row.collegeName && !college && `没有名为“${row.collegeName}”的学院`)
    const words = listed(row.departmentNames)
    for (const word of words) {
      const found = named.get(word)
      add(
        'departmentNames',
        !found ? `没有名为“${word}”的部门` : found.length > 1 && `有多个名为“${word}”的部门，请填写部门编码`,
      )
    }
    const had = (known && relations.get(known.suId)) ?? []
    const collegeId = college?.scId ?? known?.suiCollegeId ?? null
    if (!collegeId && words.length === 0 && had.length === 0) add('collegeName', '学院与部门至少填写一项')
    if (!scopeIncludes(scope, { college: collegeId })) add('collegeName', '该学院不在您的管理范围内')
    if (known && known.suiType !== personType.student && !scopeIncludes(scope, { college: known.suiCollegeId }))
      add('suiNumber', '该教师不在您的管理范围内')

    const conflicts: Fault[] = []
    if (known?.suiType === personType.student) conflicts.push({ key: 'suiNumber', msg: '该号码属于学生' })
    else if (known && known.suiName !== row.suiName)
      conflicts.push({ key: 'suiName', msg: '工号已属于另一姓名的教师，如确需改名请在教师管理中修改' })
    if (people.isLoginTaken(row.suiNumber, known?.suId))
      conflicts.push({ key: 'suiNumber', msg: '该号码与其他人员的登录名相同' })

    const sdIds = words.length > 0 ? words.flatMap((word) => named.get(word) ?? []) : had.map(({ sdId }) => sdId)
    const moved = [
      ...sdIds.filter((sdId) => !had.some((one) => one.sdId === sdId)),
      ...had.map(({ sdId }) => sdId).filter((sdId) => !sdIds.includes(sdId)),
    ]
    for (const sdId of moved.filter((one) => !maySet(one)))
      add('departmentNames', `部门“${nameOf.get(sdId) ?? ''}”不在您的管理范围内`)
    const sameDepartments =
      sdIds.toSorted().join() ===
      had
        .map(({ sdId }) => sdId)
        .toSorted()
        .join()
    const existing = known && {
      suiNumber: known.suiNumber,
      suiName: known.suiName,
      suiSex: labelOf('sex', known.suiSex),
      departmentNames:
        sameDepartments && row.departmentNames
          ? row.departmentNames
          : had.map(({ sdId }) => nameOf.get(sdId) ?? '').join('、'),
      collegeName:
        college?.scId === known.suiCollegeId && row.collegeName
          ? row.collegeName
          : (places.colleges.find(({ scId }) => scId === known.suiCollegeId)?.scName ?? ''),
      title: known.title ? labelOf('teacher_title', known.title) : '',
      teacherType: known.teacherType ? labelOf('teacher_type', known.teacherType) : '',
      suiEmail: known.suiEmail ?? '',
      birth: known.birth ?? '',
      ...(row.suiPhone ? { suiPhone: people.plain(known.suiPhone) } : {}),
    }
    return {
      faults,
      conflicts,
      existing,
      found: {
        known,
        collegeId,
        sdIds: sameDepartments ? null : sdIds,
        had: had.map(({ sdId, post, sdSort, memberSort }) => ({ sdId, post, sdSort, memberSort })),
      },
    }
  },
  async commit(ctx, _target, rows, ibId) {
    const undo = await writePeople(
      ctx,
      table,
      personType.teacher,
      rows.map(({ row, found: { known, collegeId } }) => ({
        known,
        values: {
          suiNumber: row.suiNumber,
          suiName: row.suiName,
          suiSex: valueOf('sex', row.suiSex) ?? personSex.unknown,
          suiCollegeId: collegeId,
          title: valueOf('teacher_title', row.title) ?? null,
          teacherType: valueOf('teacher_type', row.teacherType) ?? null,
          suiEmail: row.suiEmail || null,
          birth: row.birth || null,
          ...sealedCells(ctx, row, known),
        },
      })),
      ibId,
    )
    const posts = new Map(
      rows.flatMap(({ found: { had } }, at) => had.map((one) => [`${undo[at]!.id} ${one.sdId}`, one.post] as const)),
    )
    const changed = rows.flatMap(({ found: { sdIds } }, at) =>
      sdIds
        ? [
            {
              suId: undo[at]!.id,
              departments: sdIds.map((sdId, sdSort) => ({
                sdId,
                sdSort,
                post: posts.get(`${undo[at]!.id} ${sdId}`) ?? '',
              })),
            },
          ]
        : [],
    )
    await replaceDepartments(ctx, changed)
    return undo.map((one, at): Undo => {
      const { had, sdIds } = rows[at]!.found
      return { ...one, departments: had, left: sdIds ?? had.map(({ sdId }) => sdId) }
    })
  },
  async undo(ctx, _target, rows) {
    const now = new Map<string, string[]>()
    const ids = rows.map(({ id }) => id)
    for (const { suId, sdId } of await from(ctx, 'departmentUser')
      .select(['suId', 'sdId'])
      .where(anyOf('suId', ids))
      .execute())
      now.set(suId, [...(now.get(suId) ?? []), sdId])
    const moved = rows.filter(({ id, left }) => (now.get(id) ?? []).toSorted().join() !== left.toSorted().join())
    if (moved.length > 0) {
      const people = await from(ctx, 'person', { withDeleted: true })
        .select(['suiName', 'suiNumber'])
        .where(
          anyOf(
            'suId',
            moved.map(({ id }) => id),
          ),
        )
        .orderBy('suiNumber')
        .execute()
      throw new Failure('import-undo-late', { what: `${peopleText(people)}所在的部门在导入之后已变动` })
    }
    await replaceDepartments(
      ctx,
      rows.map(({ id, before, departments }) => ({ suId: id, departments: before ? departments : [] })),
    )
    await takeBackPeople(ctx, table, rows)
  },
})

const departmentsOf = (ctx: Pick<Context, 'db' | 'actor'>) =>
  from(ctx, 'department').select(['sdId', 'sdName', 'sdCode']).orderBy('sdSort').orderBy('sdName').execute()

/** Puts people into these departments and no others; who stays in one keeps their place among its members. */
async function replaceDepartments(
  { db, actor }: Context,
  people: readonly { suId: string; departments: readonly Membership[] }[],
): Promise<void> {
  const { schoolId } = actor
  const suIds = people.map(({ suId }) => suId)
  const rows = people.flatMap(({ suId, departments }) =>
    departments.map(({ memberSort = null, ...one }) => ({ suId, memberSort, ...one })),
  )
  const named = recordset(rows, { suId: 'uuid', sdId: 'uuid', post: 'text', sdSort: 'int', memberSort: 'int' })
  await sql`
    delete from "departmentUser" d
    where d."schoolId" = ${schoolId}
      and d."suId" = any(${suIds}::uuid[])
      and not exists (select from ${named} where r."suId" = d."suId" and r."sdId" = d."sdId")`.execute(db)
  await sql`
    insert into "departmentUser" ("schoolId", "suId", "sdId", "post", "sdSort", "memberSort")
    select ${schoolId}::text, r."suId", r."sdId", r."post", r."sdSort",
      coalesce(
        r."memberSort",
        row_number() over (partition by r."sdId")::int + coalesce(
          (
            select max(m."memberSort")
            from "departmentUser" m
            where m."schoolId" = ${schoolId} and m."sdId" = r."sdId"
          ), 0
        )
      )
    from ${named}
    on conflict ("schoolId", "sdId", "suId") do update
    set "post" = excluded."post", "sdSort" = excluded."sdSort"`.execute(db)
}
