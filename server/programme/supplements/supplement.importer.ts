import { sql } from 'kysely'
import { enableStatus } from '../../../contract/core/codes/platform.ts'
import { supplementStatus, supSource } from '../../../contract/core/codes/programme.ts'
import { isInSchool } from '../../../contract/core/codes/in-school.ts'
import { dictionary, type DictionaryType } from '../../../contract/core/dictionary.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { peopleText, type NamedPerson } from '../../core/base/people-text.ts'
import type { SheetRow } from '../../../contract/core/sheets.ts'
import { supplementApi } from '../../../contract/programme/supplements/supplements.calls.ts'
import { supplementAwardSheet, supplementSheet } from '../../../contract/programme/supplements/supplements.sheets.ts'
import { auditMany } from '../../core/audit/audit.ts'
import { chunksOf, recordset } from '../../core/database/bulk.ts'
import { dayEnd, dayStart } from '../../core/base/clock.ts'
import type { Context } from '../../core/request/context.ts'
import { newId } from '../../core/base/ids.ts'
import { importer, type CommitRow } from '../../platform/imports/importer.ts'
import { visibleStudents } from '../../school/people/students.service.ts'
import { obtainFault, teamOf, windowFailure } from './supplement-checks.ts'
import { rateFacts, type SupplementFacts } from './supplement-rating.ts'
import { supplementWorld } from './supplement-lookups.queries.ts'

type Row = Omit<SheetRow<typeof supplementAwardSheet>, 'atName'> & { atName?: string }
type Key = Exclude<keyof SheetRow<typeof supplementAwardSheet>, 'atName'>
type RowFault = { key?: Key; msg: string }

/** Columns under which the sheet shows the faults of the form's fields. */
const columnOf: Record<string, Key> = {
  lsId: 'lsName',
  lisLevel: 'lisLevel',
  lisAward: 'lisAward',
  lisHoursDeclared: 'lisHoursDeclared',
  lisObtainDate: 'lisObtainDate',
}
const valueOf = (type: DictionaryType, label: string): string =>
  dictionary[type].find(([, word]) => word === label)?.[0] ?? ''

interface Found extends SupplementFacts {
  suId: string
  lsPath: string[]
  esId: string | null
  lisAwardDetailId: string | null
  lisHours: number
  lisCredit: number
  lisPoints: number
}

/** What taking a row back needs: the record and the version the import left it in. */
interface Undo {
  id: string
  version: number
}

const choices = async (ctx: Context) => {
  const { places, levels, awards } = await supplementWorld(ctx)
  return {
    lsName: [...places.values()].filter(({ recording }) => recording).map(({ fullName }) => fullName),
    lisLevel: [...levels.values()].filter(({ enable }) => enable === enableStatus.enabled).map(({ llName }) => llName),
    lisAward: [...new Set(awards.map(({ adName }) => adName))],
    atName: [...new Set(awards.map(({ atName }) => atName))],
  }
}

async function load(ctx: Context, _target: object, rows: readonly Row[]) {
  const lookups = await supplementWorld(ctx)
  const { schoolId } = ctx.actor
  const students = await visibleStudents(ctx)
    .select(['person.suId', 'suiNumber', 'suiName', 'suiStatus', 'suiGrade'])
    .where(sql<boolean>`"suiNumber" = any(${[...new Set(rows.map(({ suiNumber }) => suiNumber))]}::text[])`)
    .execute()
  const certificates = [...new Set(rows.map(({ certNo }) => certNo).filter(Boolean))]
  const { rows: known } = await sql<{ suId: string; lisName: string; lisObtainDate: string; certNo: string }>`
        select "suId", "lisName", "lisObtainDate", "certNo"
        from "supplement"
        where "schoolId" = ${schoolId}
          and "delFlag" = '0'
          and ("suId" = any(${students.map(({ suId }) => suId)}::uuid[]) or "certNo" = any(${certificates}::text[]))`.execute(
    ctx.db,
  )
  const byName = new Map<string, string[]>()
  for (const { lsId, lsName, fullName, recording } of lookups.places.values())
    for (const name of recording ? new Set([fullName, lsName]) : [])
      byName.set(name, [...(byName.get(name) ?? []), lsId])
  return {
    world: lookups,
    byName,
    students: new Map(students.map((student) => [student.suiNumber, student])),
    levels: new Map([...lookups.levels.values()].map(({ llId, llName }) => [llName, llId])),
    same: new Set(known.map(({ suId, lisName, lisObtainDate }) => `${suId}/${lisName}/${lisObtainDate}`)),
    certificates: new Map(known.filter(({ certNo }) => certNo).map(({ certNo, suId }) => [certNo, suId])),
  }
}

type Lookups = Awaited<ReturnType<typeof load>>

function check(
  row: Row,
  { world: lookups, byName, students, levels, same, certificates }: Lookups,
): { faults: RowFault[]; conflicts: RowFault[]; hints: RowFault[]; found?: Found } {
  const [faults, conflicts, hints]: [RowFault[], RowFault[], RowFault[]] = [[], [], []]
  const student = students.get(row.suiNumber)
  if (!student) faults.push({ key: 'suiNumber', msg: `学号 ${row.suiNumber} 不存在或不在您的管理范围内` })
  else if (student.suiName !== row.suiName) faults.push({ key: 'suiName', msg: '姓名与学号不符' })
  else if (!isInSchool(student.suiStatus))
    faults.push({ key: 'suiNumber', msg: `${student.suiName} 已不在校，不能补录` })
  const named = byName.get(row.lsName) ?? []
  if (named.length === 0) faults.push({ key: 'lsName', msg: `模块“${row.lsName}”不存在或不接受补录` })
  if (named.length > 1)
    faults.push({ key: 'lsName', msg: `有多个名为“${row.lsName}”的模块，请填写全名，如“思想成长 / 主题教育”` })
  const lisLevel = levels.get(row.lisLevel)
  if (!lisLevel) faults.push({ key: 'lisLevel', msg: `级别“${row.lisLevel}”不存在` })
  const team = teamOf(row.lisTeam)
  if (team === null) faults.push({ key: 'lisTeam', msg: '团队排位/人数须写作 2/5，排位不大于人数' })
  const late = obtainFault(row.lisObtainDate, student?.suiGrade ?? null, lookups)
  if (row.lisObtainDate && late) faults.push({ key: 'lisObtainDate', msg: late.msg })
  if (!row.lisPublictySdate !== !row.lisPublictyEdate)
    faults.push({
      key: row.lisPublictySdate ? 'lisPublictyEdate' : 'lisPublictySdate',
      msg: '公示开始与结束须同时填写',
    })
  if (row.lisPublictySdate && row.lisPublictyEdate && row.lisPublictyEdate < row.lisPublictySdate)
    faults.push({ key: 'lisPublictyEdate', msg: '公示结束不能早于开始' })
  if (
    row.atName &&
    row.lisAward &&
    !lookups.awards.some(({ atName, adName }) => atName === row.atName && adName === row.lisAward)
  )
    faults.push({ key: 'lisAward', msg: `奖励模板“${row.atName}”没有奖项“${row.lisAward}”` })
  if (named.length !== 1 || !lisLevel) return { faults, conflicts, hints }

  const facts: SupplementFacts = {
    lsId: named[0]!,
    lisLevel,
    lisType: valueOf('sup_type', row.lisType),
    lisPartakeMode: valueOf('partake_mode', row.lisPartakeMode),
    lisAward: row.lisAward,
    lisTeamSize: team?.lisTeamSize ?? null,
    lisRank: team?.lisRank ?? null,
    lisHoursDeclared: row.lisHoursDeclared,
  }
  const { faults: wrong, lsPath, esId, award, worth } = rateFacts(lookups, facts)
  for (const { field, msg } of wrong) faults.push({ key: columnOf[field] ?? 'lsName', msg })
  const closed = windowFailure(lookups.places.get(facts.lsId), lookups)
  if (closed) faults.push({ key: 'lsName', msg: closed.msg })
  if (!student) return { faults, conflicts, hints }
  if (same.has(`${student.suId}/${row.lisName}/${row.lisObtainDate}`))
    conflicts.push({ key: 'lisName', msg: '该学生已有同名、同日期的补录' })
  const holder = row.certNo ? certificates.get(row.certNo) : undefined
  if (holder === student.suId) conflicts.push({ key: 'certNo', msg: '该学生已用此证书编号补录' })
  else if (holder) hints.push({ key: 'certNo', msg: '该证书编号已用于另一学生的补录，请核对' })
  return {
    faults,
    conflicts,
    hints,
    found: {
      ...facts,
      suId: student.suId,
      lsPath,
      esId,
      lisAwardDetailId: award?.adId || null,
      lisHours: worth.hours,
      lisCredit: worth.credit,
      lisPoints: worth.points,
    },
  }
}

const columns = {
  lisId: 'uuid',
  lisName: 'text',
  suId: 'uuid',
  lsId: 'uuid',
  lsPath: 'uuid[]',
  lisType: 'text',
  lisLevel: 'text',
  lisPartakeMode: 'text',
  lisAward: 'text',
  lisAwardDetailId: 'uuid',
  lisOrg: 'text',
  lisObtainDate: 'date',
  certNo: 'text',
  lisTeamSize: 'int',
  lisRank: 'int',
  lisHoursDeclared: 'int',
  lisDesc: 'text',
  lisHours: 'int',
  lisCredit: 'int',
  lisPoints: 'int',
  esId: 'uuid',
  lisPublictySdate: 'timestamptz',
  lisPublictyEdate: 'timestamptz',
} as const

async function commit(
  ctx: Context,
  _target: object,
  lines: readonly { row: Row; found: Found | undefined }[],
  ibId: string,
): Promise<Undo[]> {
  const { schoolId, suId, suNickname } = ctx.actor
  const now = ctx.clock.now()
  const records = lines.map(({ row, found }) => ({
    ...found!,
    lisId: newId(),
    lsPath: `{${found!.lsPath.join(',')}}`,
    lisName: row.lisName,
    lisOrg: row.lisOrg,
    lisObtainDate: row.lisObtainDate,
    certNo: row.certNo,
    lisDesc: row.lisDesc,
    lisPublictySdate: row.lisPublictySdate ? dayStart(row.lisPublictySdate) : null,
    lisPublictyEdate: row.lisPublictyEdate ? dayEnd(row.lisPublictyEdate) : null,
  }))
  const names = sql.raw(
    Object.keys(columns)
      .map((name) => `"${name}"`)
      .join(', '),
  )
  for await (const some of chunksOf(records, 1000)) {
    await sql`
      insert into "supplement" (
        "schoolId", "source", "importBatchId", "lisStatus", "createBy", "createName", "createTime", "updateBy",
        "updateTime", ${names}
      )
      select ${schoolId}, ${sql.lit(supSource.imported)}, ${ibId}::uuid, ${sql.lit(supplementStatus.draft)},
        ${suId}::uuid, ${suNickname}, ${now}::timestamptz, ${suId}::uuid, ${now}::timestamptz, ${names}
      from ${recordset(some, columns)}`.execute(ctx.db)
    await auditMany(
      ctx,
      some.map(({ lisId, lisName, suId: student }) => ({
        action: '导入补录',
        bizType: 'supplement',
        bizId: lisId,
        bizName: lisName,
        after: { suId: student },
      })),
    )
  }
  return records.map(({ lisId }) => ({ id: lisId, version: 0 }))
}

/** Takes imported records back as long as they are the drafts that the import left. */
async function undo(ctx: Context, _target: object, rows: readonly Undo[]): Promise<void> {
  const { schoolId } = ctx.actor
  const ids = rows.map(({ id }) => id)
  const { rows: current } = await sql<NamedPerson & { lisName: string; isUsed: boolean }>`
    select s."lisName", p."suiName", p."suiNumber",
      (
        s."version" <> 0 or s."lisStatus" <> ${sql.lit(supplementStatus.draft)} or s."delFlag" <> '0'
      ) as "isUsed"
    from "supplement" s
    join "person" p on p."schoolId" = s."schoolId" and p."suId" = s."suId"
    where s."schoolId" = ${schoolId} and s."lisId" = any(${ids}::uuid[])
    order by s."lisId"
    for update of s`.execute(ctx.db)
  const used = current.find(({ isUsed }) => isUsed)
  if (used || current.length < rows.length)
    throw new Failure('import-undo-late', {
      what: used ? `${peopleText([used])}的“${used.lisName}”在导入之后已被修改或提交` : '部分记录已删除',
    })
  await sql`
    update "supplement"
    set "lisStatus" = ${sql.lit(supplementStatus.deleted)},
      "delFlag" = '1',
      "statusBefore" = ${sql.lit(supplementStatus.draft)},
      "updateTime" = ${ctx.clock.now()}::timestamptz,
      "version" = "version" + 1
    where "schoolId" = ${schoolId} and "lisId" = any(${ids}::uuid[])`.execute(ctx.db)
}

const kind = {
  permit: supplementApi.save.permit,
  unique: [['suiNumber', 'lisName', 'lisObtainDate']],
  similar: [['certNo']],
  load,
  check,
  commit: (ctx: Context, target: object, rows: readonly CommitRow<never, Found | undefined>[], ibId: string) =>
    commit(ctx, target, rows as never, ibId),
  undo,
} as const

/** Records of any kind; they begin as drafts, to be submitted from the list. */
export const supplementImporter = importer({
  sheet: supplementSheet,
  ...kind,
  choices: async (ctx) => {
    const { atName: _, ...words } = await choices(ctx)
    return words
  },
})

/** Records with awards, each one of a template's. */
export const supplementAwardImporter = importer({ sheet: supplementAwardSheet, ...kind, choices })
