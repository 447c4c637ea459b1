import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { Failure, invalidInput } from '../../../contract/core/failure.ts'
import type { evaluationApi } from '../../../contract/rules/evaluation/evaluation.calls.ts'
import { assertVersion } from '../../core/request/scope-check.ts'
import { audit, auditMany, changedFields } from '../../core/audit/audit.ts'
import { addDays, dayOf } from '../../core/base/clock.ts'
import type { Context } from '../../core/request/context.ts'
import { newId } from '../../core/base/ids.ts'
import { inScope } from '../../core/request/scope-sql.ts'
import { from } from '../../core/database/tenant.ts'
import { inLockedTransaction } from '../../core/request/advisory-lock.ts'
import { evaluationRows, rulesOf, usesOf, type EvaluationRow } from './evaluation.queries.ts'
import { lockRows } from '../../core/database/lock-rows.ts'

type CallInput<K extends keyof typeof evaluationApi> = Checked<(typeof evaluationApi)[K]>

/** Adds one rule for every level named; refused as a whole where one of them already has a rule. */
export const addEvaluations = (
  ctx: Context,
  { lsId, levels: listed, esLessonLevel: alone, baseHours, hourCap, credit, points, ...rules }: CallInput<'add'>,
) =>
  inLockedTransaction(ctx, 'evaluation', async (tx) => {
    const { schoolId, suId, suNickname } = tx.actor
    const levels =
      alone === undefined || baseHours === undefined
        ? listed
        : [{ esLessonLevel: alone, baseHours, hourCap, credit, points }]
    await checkPlace(
      tx,
      lsId,
      levels.map(({ esLessonLevel }) => esLessonLevel),
    )
    await checkAbilities(tx, rules.abilityRules)
    const existing = await from(tx, 'evaluation')
      .select(['esLessonLevel', 'versionNo', 'current'])
      .where('lsId', '=', lsId)
      .execute()
    const wanted = existing.filter(({ esLessonLevel }) => levels.some((level) => level.esLessonLevel === esLessonLevel))
    if (wanted.some(({ current }) => current)) throw new Failure('evaluation-exists')
    const now = tx.clock.now()
    const stamp = {
      schoolId,
      lsId,
      createBy: suId,
      createName: suNickname,
      createTime: now,
      updateBy: suId,
      updateTime: now,
    }
    const rows = levels.map(({ esLessonLevel, ...amounts }) => ({
      ...stamp,
      esId: newId(),
      esLessonLevel,
      versionNo:
        Math.max(0, ...wanted.filter((row) => row.esLessonLevel === esLessonLevel).map((row) => row.versionNo)) + 1,
      ...columns({ ...amounts, ...rules }, dayOf(now)),
    }))
    await tx.db.insertInto('evaluation').values(rows).execute()
    await auditMany(
      tx,
      rows.map((row) => ({
        action: '新增评价规则',
        bizType: 'evaluation',
        bizId: row.esId,
        bizName: row.esName,
        after: shown(row),
      })),
    )
    return { esIds: rows.map(({ esId }) => esId) }
  })

/**
 * Changes a rule. Where courses score by it and what it gives would change, they keep the old version and a new one
 * takes its place for courses to come; otherwise it is changed where it stands.
 */
export const editEvaluation = (ctx: Context, { esId, version, lsId, esLessonLevel, ...input }: CallInput<'edit'>) =>
  inLockedTransaction(ctx, 'evaluation', async (tx) => {
    const { schoolId, suId, suNickname } = tx.actor
    const row = await evaluationRows(tx)
      .where('e.esId', '=', esId)
      .where('e.current', '=', true)
      .forUpdate('e')
      .executeTakeFirst()
    if (!row?.mine) throw new Failure('not-found')
    assertVersion(tx, row, version)
    if ((lsId ?? row.lsId) !== row.lsId)
      throw invalidInput([{ field: 'lsId', msg: '课程体系不能修改，请为另一课程体系新增评价规则' }])
    if ((esLessonLevel ?? row.esLessonLevel) !== row.esLessonLevel)
      throw invalidInput([{ field: 'esLessonLevel', msg: '级别不能修改，请为另一级别新增评价规则' }])
    await checkAbilities(tx, input.abilityRules)
    const now = tx.clock.now()
    const before = columns({ ...row, ...rulesOf(row) }, row.effectFrom)
    const after = columns(input, row.effectFrom)
    const used = (await usesOf(tx, [esId])).has(esId)
    const change = changedFields(shown(before), shown(after))
    const entry = {
      action: '编辑评价规则',
      bizType: 'evaluation' as const,
      bizName: after.esName || row.lsFullName,
      ...change,
    }
    if (!used || !Object.keys(change.after).some((field) => scoringFields.has(field))) {
      await tx.db
        .updateTable('evaluation')
        .set({ ...after, updateBy: suId, updateTime: now, version: row.version + 1 })
        .where('schoolId', '=', schoolId)
        .where('esId', '=', esId)
        .execute()
      await lockUntil(tx, row, after.effectFrom)
      await audit(tx, { ...entry, bizId: esId })
      return { esId, versionNo: row.versionNo, newVersion: false }
    }
    const today = dayOf(now)
    // the old version holds until the day before the new one does, so that no day is without a rule
    const effectFrom =
      input.effectFrom && input.effectFrom > row.effectFrom && input.effectFrom > today ? input.effectFrom : today
    const last = [addDays(effectFrom, -1), row.effectTo].flatMap((day) => day ?? []).toSorted()[0]!
    await tx.db
      .updateTable('evaluation')
      .set({
        current: false,
        effectTo: last < row.effectFrom ? row.effectFrom : last,
        updateBy: suId,
        updateTime: now,
        version: row.version + 1,
      })
      .where('schoolId', '=', schoolId)
      .where('esId', '=', esId)
      .execute()
    const next = newId()
    const place = { schoolId, lsId: row.lsId, esLessonLevel: row.esLessonLevel, versionNo: row.versionNo + 1 }
    await tx.db
      .insertInto('evaluation')
      .values({
        ...after,
        ...place,
        effectFrom,
        esId: next,
        createBy: suId,
        createName: suNickname,
        createTime: now,
        updateBy: suId,
        updateTime: now,
      })
      .execute()
    await audit(tx, {
      ...entry,
      bizId: next,
      reason: `已有课程采用第 ${row.versionNo} 版，另存为第 ${place.versionNo} 版`,
    })
    return { esId: next, versionNo: place.versionNo, newVersion: true }
  })

/**
 * The version before one that now begins on another day holds until then, where it ended because of it: no day is left
 * without a rule.
 */
async function lockUntil(
  { db, actor: { schoolId } }: Context,
  { lsId, esLessonLevel, versionNo, effectFrom }: EvaluationRow,
  from: string,
): Promise<void> {
  if (from === effectFrom) return
  await sql`
    update "evaluation"
    set "effectTo" = greatest("effectFrom", ${from}::date - 1)
    where "schoolId" = ${schoolId}
      and "lsId" = ${lsId}
      and "esLessonLevel" = ${esLessonLevel}
      and "versionNo" = ${versionNo - 1}
      and "effectTo" = ${effectFrom}::date - 1`.execute(db)
}

/** Deletes rules no course scores by, with their unused older versions. */
export const deleteEvaluations = (ctx: Context, { ids }: CallInput<'remove'>) =>
  inLockedTransaction(ctx, 'evaluation', async (tx) => {
    const { schoolId } = tx.actor
    const rows = await evaluationRows(tx)
      .where(sql<boolean>`e."esId" = any(${ids}::uuid[])`)
      .where('e.current', '=', true)
      .forUpdate('e')
      .execute()
    if (rows.length !== ids.length || rows.some(({ mine }) => !mine)) throw new Failure('not-found')
    const uses = [...(await usesOf(tx, ids)).values()].reduce((sum, { all }) => sum + all, 0)
    if (uses > 0) throw new Failure('evaluation-in-use', { n: uses })
    await sql`
      delete from "evaluation" e using "evaluation" gone
      where gone."schoolId" = ${schoolId}
        and gone."esId" = any(${ids}::uuid[])
        and e."schoolId" = gone."schoolId"
        and e."lsId" = gone."lsId"
        and e."esLessonLevel" = gone."esLessonLevel"
        and not exists (select 1 from "lesson" l where l."schoolId" = e."schoolId" and l."esId" = e."esId")`.execute(
      tx.db,
    )
    await auditMany(
      tx,
      rows.map((row) => ({
        action: '删除评价规则',
        bizType: 'evaluation',
        bizId: row.esId,
        bizName: row.esName || row.lsFullName,
        before: shown(columns({ ...row, ...rulesOf(row) }, row.effectFrom)),
      })),
    )
    return { affected: rows.length }
  })

/** The node must be open to the person and allow every level named. */
async function checkPlace({ db, actor, scope }: Context, lsId: string, levels: string[]): Promise<void> {
  const [node, known] = [
    await from({ db, actor }, 'curriculum')
      .select(['lsName', 'allowLevels', inScope(scope, { path: 'curriculum.lsPath' }).as('mine')])
      .where('lsId', '=', lsId)
      .executeTakeFirst(),
    await from({ db, actor }, 'lessonLevel').select(['llId', 'llName']).execute(),
  ]
  if (!node?.mine) throw new Failure('not-found')
  for (const level of levels) {
    const name = known.find(({ llId }) => llId === level)?.llName
    if (name === undefined) throw invalidInput([{ field: 'levels', msg: '所选级别不存在' }])
    if (node.allowLevels.length > 0 && !node.allowLevels.includes(level))
      throw new Failure('evaluation-level-closed', { name: node.lsName, level: name })
  }
}

async function checkAbilities(ctx: Context, rules: { sqlId: string }[]): Promise<void> {
  if (rules.length === 0) return
  await lockRows(
    ctx,
    'qualityLabel',
    rules.map(({ sqlId }) => sqlId),
    'share',
  )
  const known = await from(ctx, 'qualityLabel')
    .select('sqlId')
    .where(sql<boolean>`"sqlId" = any(${rules.map(({ sqlId }) => sqlId)}::uuid[])`)
    .where('sqlPid', 'is not', null)
    .execute()
  if (known.length !== rules.length) throw invalidInput([{ field: 'abilityRules', msg: '所选能力标签不存在或已删除' }])
}

interface Fields extends ReturnType<typeof rulesOf> {
  esName?: string | undefined
  baseHours: number
  hourCap?: number | null | undefined
  credit: number
  points: number
  bestOnlyGroup?: string | undefined
  yearCap?: number | null | undefined
  effectFrom?: string | undefined
  effectTo?: string | null | undefined
  enable: string
}

/** What a change of must not reach the courses that already score by the rule. */
const scoringFields = new Set<string>([
  'baseHours',
  'hourCap',
  'credit',
  'points',
  'modeRules',
  'awardRules',
  'abilityRules',
  'teamRules',
  'bestOnlyGroup',
  'yearCap',
])

const columns = (input: Fields, from: string) => ({
  esName: input.esName ?? '',
  baseHours: input.baseHours,
  hourCap: input.hourCap ?? null,
  credit: input.credit,
  points: input.points,
  modeRules: JSON.stringify(input.modeRules),
  awardRules: JSON.stringify(input.awardRules),
  abilityRules: JSON.stringify(input.abilityRules),
  teamRules: JSON.stringify(input.teamRules),
  bestOnlyGroup: input.bestOnlyGroup ?? '',
  yearCap: input.yearCap ?? null,
  effectFrom: input.effectFrom ?? from,
  effectTo: input.effectTo ?? null,
  enable: input.enable,
})

/** The columns for the audit trail, with the rules as data. */
const shown = <C extends ReturnType<typeof columns>>(row: C): object => ({
  ...row,
  modeRules: JSON.parse(row.modeRules),
  awardRules: JSON.parse(row.awardRules),
  abilityRules: JSON.parse(row.abilityRules),
  teamRules: JSON.parse(row.teamRules),
})
