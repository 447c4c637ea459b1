import { sql } from 'kysely'
import { dictionary, labelOf } from '../../contract/core/dictionary.ts'
import { Failure } from '../../contract/core/failure.ts'
import type { SheetRow } from '../../contract/core/sheets.ts'
import { registrationApi } from '../../contract/lessons/registration.calls.ts'
import { applySheet } from '../../contract/lessons/registration.sheets.ts'
import { recordset } from '../core/bulk.ts'
import type { Context } from '../core/context.ts'
import { importer, type CommitRow } from '../imports/importer.ts'
import { admissionFault, candidatesFor, standingStatuses, type Candidate } from './admission.ts'
import { lessonFor } from './lessons.queries.ts'
import type { Countable } from './registration-counts.ts'
import { directWays, enrol, moveCounters, promoteWaiting } from './registration-write.ts'
import { auditPeople } from './registration.service.ts'

type Row = SheetRow<typeof applySheet>
type Line = CommitRow<typeof applySheet, Candidate | undefined>

/** What taking a row back needs: the registration as the import left it, and what it was before. */
interface Undo {
  laId: string
  version: number
  /** Null: there was none. */
  before: (Countable & { partakeMode: string; remark: string }) | null
}

const modeOf = (label: string): string => dictionary.partake_mode.find(([, word]) => word === label)?.[0] ?? '1'
const isStanding = ({ laStatus }: Candidate) => laStatus !== null && standingStatuses.includes(laStatus)

/** Participants by sheet, until the result is submitted. Sees to the same rules as adding them one by one. */
export const applyImporter = importer({
  sheet: applySheet,
  permit: registrationApi.add.permit,
  unique: [['suiNumber']],
  needs: ['liId'],

  async load(ctx, { liId }, rows: readonly Row[]) {
    const lesson = await lessonFor(ctx, 'register', liId!, { lock: ctx.db.isTransaction })
    const now = ctx.clock.now()
    const byNumber = new Map((await candidatesFor(ctx, lesson, { suiNumbers: rows.map(({ suiNumber }) => suiNumber) })).map((one) => [one.suiNumber, one]))
    // the rows beyond the last free place, in the order of the sheet
    const limited = directWays.includes(lesson.applyWay) && lesson.waitlistOn !== '1'
    const fit = limited ? rows.filter(({ suiNumber }) => byNumber.has(suiNumber) && !admissionFault(byNumber.get(suiNumber)!, lesson, now)) : []
    return { lesson, now, byNumber, crowded: new Set(fit.slice(Math.max(0, lesson.quota - lesson.passCount)).map(({ suiNumber }) => suiNumber)) }
  },

  check(row, { lesson, now, byNumber, crowded }) {
    const found = byNumber.get(row.suiNumber)
    if (!found) return { faults: [{ key: 'suiNumber', msg: `学号 ${row.suiNumber} 不存在` }] }
    if (found.suiName !== row.suiName) return { faults: [{ key: 'suiName', msg: '姓名与学号不符' }] }
    if (isStanding(found)) {
      const rated = found.laResult !== '0' && row.partakeMode !== '' && modeOf(row.partakeMode) !== found.partakeMode
      const conflicts = rated ? [{ key: 'partakeMode' as const, msg: '结果已评定，参与方式请在评定时修改' }] : []
      return { conflicts, existing: { suiNumber: found.suiNumber, suiName: found.suiName, partakeMode: labelOf('partake_mode', found.partakeMode!), remark: found.remark ?? '' }, found }
    }
    const fault = admissionFault(found, lesson, now) ?? (crowded.has(row.suiNumber) ? new Failure('quota-full') : undefined)
    return { conflicts: fault ? [{ key: 'suiNumber', msg: fault.msg }] : [], found }
  },

  async commit(ctx, { liId }, rows: readonly Line[], ibId): Promise<Undo[]> {
    const lesson = await lessonFor(ctx, 'register', liId!)
    const [fresh, known] = [rows.filter(({ verdict }) => verdict === 'new'), rows.filter(({ verdict }) => verdict === 'update')]
    const enrolled = await enrol(ctx, lesson, fresh.map(({ row, found }) => ({ candidate: found!, partakeMode: modeOf(row.partakeMode), remark: row.remark })), 'import', ibId)
    if (enrolled.length < fresh.length) throw new Failure('quota-full')
    await rewrite(ctx, known.map(({ row, found }) => ({ laId: found!.laId!, partakeMode: modeOf(row.partakeMode), remark: row.remark })))
    await auditPeople(ctx, '导入参与人员', lesson, rows.map(({ row }) => row))
    const bySuId = new Map(enrolled.map((one) => [one.suId, one]))
    return rows.map(({ found, verdict }) => {
      const { laId, laStatus, laSignStatus, laResult, partakeMode, remark, version, suId } = found!
      const before = laId === null ? null : { laStatus: laStatus!, laSignStatus: laSignStatus!, laResult: laResult!, partakeMode: partakeMode!, remark: remark ?? '' }
      return verdict === 'new' ? { laId: bySuId.get(suId)!.laId, version: bySuId.get(suId)!.version, before } : { laId: laId!, version: version! + 1, before }
    })
  },

  async undo(ctx, { liId }, rows: readonly Undo[]) {
    const lesson = await lessonFor(ctx, 'register', liId!)
    const { schoolId } = ctx.actor
    const now = ctx.clock.now()
    const columns = { laId: 'uuid', version: 'int', laStatus: 'text', partakeMode: 'text', remark: 'text', delFlag: 'text' }
    const back = rows.map(({ laId, version, before }) => ({ laId, version, laStatus: before?.laStatus ?? '6', partakeMode: before?.partakeMode ?? '1', remark: before?.remark ?? '', delFlag: before ? '0' : '1' }))
    const { rows: current } = await sql<Countable & { laId: string; version: number; suiName: string; suiNumber: string }>`
      select t."laId", t."version", t."laStatus", t."laSignStatus", t."laResult", p."suiName", p."suiNumber" from "registration" t join "person" p on p."schoolId" = t."schoolId" and p."suId" = t."suId"
      where t."schoolId" = ${schoolId} and t."liId" = ${lesson.liId}::uuid and t."delFlag" = '0' and t."laId" = any(${rows.map(({ laId }) => laId)}::uuid[]) order by t."laId" for update of t`.execute(ctx.db)
    const versions = new Map(rows.map(({ laId, version }) => [laId, version]))
    const used = current.find(({ laId, version }) => versions.get(laId) !== version)
    if (used || current.length < rows.length) throw new Failure('import-undo-late', { what: used ? used.suiName : '部分记录已删除' })
    await sql`update "registration" t set "laStatus" = r."laStatus", "partakeMode" = r."partakeMode", "remark" = r."remark", "delFlag" = r."delFlag", "waitNo" = null, "updateTime" = ${now}::timestamptz, "version" = t."version" + 1
      from ${recordset(back, columns)} where t."schoolId" = ${schoolId} and t."laId" = r."laId"`.execute(ctx.db)
    await moveCounters(ctx, lesson.liId, current, rows.flatMap(({ before }) => (before ? [before] : [])))
    await auditPeople(ctx, '撤销导入参与人员', lesson, current)
    await promoteWaiting(ctx, lesson.liId)
  },
})

/** Writes what a sheet may change about somebody already in the course. */
async function rewrite(ctx: Context, rows: { laId: string; partakeMode: string; remark: string }[]): Promise<void> {
  if (rows.length === 0) return
  await sql`update "registration" t set "partakeMode" = r."partakeMode", "remark" = r."remark", "updateTime" = ${ctx.clock.now()}::timestamptz, "version" = t."version" + 1
    from ${recordset(rows, { laId: 'uuid', partakeMode: 'text', remark: 'text' })} where t."schoolId" = ${ctx.actor.schoolId} and t."laId" = r."laId"`.execute(ctx.db)
}
