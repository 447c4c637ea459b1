import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { Failure, invalidInput } from '../../../contract/core/failure.ts'
import { fromHundredths } from '../../../contract/core/fields.ts'
import type { evaluationApi } from '../../../contract/rules/evaluation/evaluation.calls.ts'
import { assertVersion } from '../../core/request/scope-check.ts'
import { audit, changedFields } from '../../core/audit/audit.ts'
import { recordset } from '../../core/database/bulk.ts'
import type { Context } from '../../core/request/context.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { from } from '../../core/database/tenant.ts'
import { lockSchool } from '../../core/request/advisory-lock.ts'

interface LevelRow {
  llId: string
  llName: string
  llFactor: number
  enable: string
  /** What uses the level: `3 门课程、1 条评价规则`; empty where nothing does. */
  usedBy: string
}

/** The school's levels in their order, closed ones too, with what keeps each from being deleted. */
export async function levelsWithUses(ctx: Context) {
  const levels = await levelRows(ctx)
  return {
    version: await dictVersion(ctx),
    levels: levels.map((level) => ({ ...level, llFactor: fromHundredths(level.llFactor) })),
  }
}

/**
 * Levels are part of the school's dictionary; its version is theirs, and tells consoles to fetch the dictionary anew.
 */
const dictVersion = async (ctx: Context) =>
  (await from(ctx, 'school').select('dictVersion').executeTakeFirstOrThrow()).dictVersion

async function levelRows({ db, actor: { schoolId } }: Context): Promise<LevelRow[]> {
  const { rows } = await sql<LevelRow>`
      select v."llId", v."llName", v."llFactor", v."enable",
        concat_ws(
          '、',
          case when l."n" > 0 then ' ' || l."n" || ' 门课程' end,
          case when s."n" > 0 then ' ' || s."n" || ' 条补录' end,
          case when e."n" > 0 then ' ' || e."n" || ' 条评价规则' end,
          case when w."n" > 0 then ' ' || w."n" || ' 个流程' end,
          case when c."n" > 0 then ' ' || c."n" || ' 个课程体系' end
        ) "usedBy"
      from "lessonLevel" v
      cross join lateral (
        select count(*) "n"
        from "lesson" x
        where x."schoolId" = v."schoolId" and x."liLevel" = v."llId"
      ) l
      cross join lateral (
        select count(*) "n"
        from "supplement" x
        where x."schoolId" = v."schoolId" and x."lisLevel" = v."llId"
      ) s
      cross join lateral (
        select count(*) "n"
        from "evaluation" x
        where x."schoolId" = v."schoolId" and x."esLessonLevel" = v."llId"
      ) e
      cross join lateral (
        select count(*) "n"
        from "workflow" x
        where x."schoolId" = v."schoolId" and v."llId" = any(x."levels")
      ) w
      cross join lateral (
        select count(*) "n"
        from "curriculum" x
        where x."schoolId" = v."schoolId" and v."llId" = any(x."allowLevels")
      ) c
      where v."schoolId" = ${schoolId}
      order by v."llSort", v."llId"`.execute(db)
  return rows
}

/**
 * Writes all levels at once: their order, names, factors and state. One that is used stays; a new factor counts for
 * results to come.
 */
export const saveLevels = (ctx: Context, { version, levels }: Checked<typeof evaluationApi.saveLevels>) =>
  inTransaction(ctx, async (tx) => {
    const { schoolId } = tx.actor
    await lockSchool(tx, 'lessonLevel')
    assertVersion(tx, { version: await dictVersion(tx) }, version)
    const kept = levels.flatMap(({ llId }) => llId ?? [])
    // what names a leaving level at this moment is waited for, so that the uses counted next are all there are
    await sql`
      select
      from "lessonLevel"
      where "schoolId" = ${schoolId} and "llId" <> all(${kept}::text[])
      order by "llId"
      for update`.execute(tx.db)
    const old = await levelRows(tx)
    levels.forEach(({ llId }, at) => {
      if (llId && !old.some((row) => row.llId === llId))
        throw invalidInput([{ field: `levels.${at}.llName`, msg: '该级别已被删除，请刷新后重试' }])
    })
    const dropped = old.filter(({ llId }) => !levels.some((level) => level.llId === llId))
    const used = dropped.find(({ usedBy }) => usedBy)
    if (used) throw new Failure('level-in-use', { name: used.llName, what: used.usedBy })
    let next = Math.max(0, ...old.map(({ llId }) => Number(llId) || 0))
    const rows = levels.map((level, llSort) => ({ ...level, llId: level.llId ?? String(++next), llSort }))
    await sql`
      delete from "lessonLevel"
      where "schoolId" = ${schoolId} and "llId" = any(${dropped.map(({ llId }) => llId)}::text[])`.execute(tx.db)
    // names leave the way first, so that two levels may swap theirs
    await sql`
      update "lessonLevel"
      set "llName" = "llId" || ' ' || "llName"
      where "schoolId" = ${schoolId}`.execute(tx.db)
    await sql`
      insert into "lessonLevel" ("schoolId", "llId", "llName", "llFactor", "llSort", "enable")
      select ${schoolId}, r."llId", r."llName", r."llFactor", r."llSort", r."enable"
      from ${recordset(rows, { llId: 'text', llName: 'text', llFactor: 'int', llSort: 'int', enable: 'text' })}
      on conflict ("schoolId", "llId") do update set "llName" = excluded."llName", "llFactor" = excluded."llFactor",
        "llSort" = excluded."llSort", "enable" = excluded."enable"`.execute(tx.db)
    await tx.db
      .updateTable('school')
      .set({ dictVersion: sql<number>`"dictVersion" + 1` })
      .where('schoolId', '=', schoolId)
      .execute()
    const shown = (list: readonly { llName: string; llFactor: number; enable: string }[]) => ({
      levels: list.map(({ llName, llFactor, enable }) => ({ llName, llFactor, enable })),
    })
    await audit(tx, {
      action: '保存级别设置',
      bizType: 'lessonLevel',
      bizId: schoolId,
      bizName: '课程级别',
      ...changedFields(shown(old), shown(rows)),
    })
    return { affected: rows.length }
  })
