import { sql } from 'kysely'
import type { Checked, Output } from '../../../contract/core/call.ts'
import { Failure, invalidInput } from '../../../contract/core/failure.ts'
import { fromHundredths } from '../../../contract/core/fields.ts'
import {
  thresholdTargets,
  type BaseValue,
  type thresholdApi,
  type ThresholdTarget,
} from '../../../contract/outcomes/thresholds/thresholds.calls.ts'
import { assertVersion } from '../../core/request/scope-check.ts'
import { audit } from '../../core/audit/audit.ts'
import { recordset } from '../../core/database/bulk.ts'
import type { Context } from '../../core/request/context.ts'
import { enqueue } from '../../core/jobs/jobs.ts'
import { newId } from '../../core/base/ids.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { lockSchool } from '../../core/request/advisory-lock.ts'
import { modulesOf } from '../../rules/curriculum/modules.service.ts'
import { visibleStudents } from '../../school/people/students.service.ts'
import { inSchool } from '../../school/people/warn-level.service.ts'
import { baseColumns, rulesNow, storedBases, type StoredBase } from './expectations.service.ts'
import { evaluateStudents } from './recalculate.service.ts'
import type { Expectation } from './threshold-rules.ts'

export const calcJob = 'threshold:calc'

/** Asks for the school to be checked anew. */
export const askForCalc = ({ db, clock, actor }: Pick<Context, 'db' | 'clock' | 'actor'>) =>
  enqueue({ db, clock }, { schoolId: actor.schoolId, kind: calcJob, key: 'calc', createBy: actor.suId })

/** The years that have students in school or base values, the latest first. */
async function grades(ctx: Context): Promise<string[]> {
  const [people, bases] = await Promise.all([
    visibleStudents(ctx)
      .select('person.suiGrade as grade')
      .distinct()
      .where(inSchool)
      .where('person.suiGrade', 'is not', null)
      .execute(),
    storedBases(ctx).select('b.grade').distinct().execute(),
  ])
  return [...new Set([...people, ...bases].map(({ grade }) => grade!))].toSorted().toReversed()
}

/**
 * What is expected of a year; of the latest one unless given. Where the school has set nothing, what its rules amount
 * to.
 */
export async function baseValues(
  ctx: Context,
  { grade: asked }: Checked<typeof thresholdApi.all>,
): Promise<Output<typeof thresholdApi.all>> {
  const known = await grades(ctx)
  const grade = asked ?? known[0] ?? ctx.clock.now().slice(0, 4)
  const [rules, rows] = await Promise.all([
    rulesNow(ctx),
    storedBases(ctx).select(['b.version', 'b.updateTime']).where('b.grade', '=', grade).execute(),
  ])
  const { expected, position, isOwn } = rules.of(grade, null)
  return {
    grade,
    grades: known.includes(grade) ? known : [grade, ...known],
    termNo: position.termNo,
    isDefault: !isOwn,
    version: Math.max(0, ...rows.map(({ version }) => version)),
    updateTime:
      rows
        .map(({ updateTime }) => updateTime)
        .toSorted()
        .at(-1) ?? null,
    modules: rules.modules,
    rows: expected.map(asBase),
  }
}

const asBase = ({ key, name, checkpointTerm, required, warn: [warn1, warn2, warn3] }: Expectation): BaseValue => {
  const isTarget = Object.hasOwn(thresholdTargets, key)
  return {
    tbTarget: isTarget ? (key as ThresholdTarget) : 'module',
    lsId: isTarget ? null : key,
    name,
    checkpointTerm,
    required: fromHundredths(required),
    warn1: fromHundredths(warn1),
    warn2: fromHundredths(warn2),
    warn3: fromHundredths(warn3),
  }
}

const columns = {
  tbId: 'uuid',
  grade: 'text',
  tbTarget: 'text',
  lsId: 'uuid',
  checkpointTerm: 'int',
  required: 'int',
  warn1: 'int',
  warn2: 'int',
  warn3: 'int',
  version: 'int',
}

/** Writes the base values of a year, and of years they are copied to, and has the students checked anew. */
export const saveBases = (ctx: Context, { grade, version, rows, copyTo }: Checked<typeof thresholdApi.save>) =>
  inTransaction(ctx, async (tx) => {
    await assertModulesExist(tx, rows)
    if (rows.length === 0) throw invalidInput([{ field: 'rows', msg: '请至少设置一行，或恢复默认基准值' }])
    await lockSchool(tx, 'threshold-base')
    const before = await storedBases(tx).select(baseColumns).execute()
    const versionOf = (of: string) => Math.max(0, ...before.filter((row) => row.grade === of).map((row) => row.version))
    assertVersion(tx, { version: versionOf(grade) }, version)
    const years = [...new Set([grade, ...copyTo])]
    const { schoolId, suId, suNickname } = tx.actor
    const now = tx.clock.now()
    await tx.db.deleteFrom('thresholdBase').where('schoolId', '=', schoolId).where('grade', 'in', years).execute()
    const written = years.flatMap((year) =>
      rows.map((row) => ({ lsId: null, ...row, tbId: newId(), grade: year, version: versionOf(year) + 1 })),
    )
    const names = sql.join(Object.keys(columns).map((name) => sql.ref(name)))
    await sql`
      insert into "thresholdBase" (
        "schoolId", "createBy", "createName", "createTime", "updateBy", "updateTime", ${names}
      )
      select ${schoolId}, ${suId}::uuid, ${suNickname}, ${now}::timestamptz, ${suId}::uuid, ${now}::timestamptz,
        ${names}
      from ${recordset(written, columns)}`.execute(tx.db)
    for (const year of years)
      await audit(tx, {
        action: '保存预警基准值',
        bizType: 'threshold',
        bizId: year,
        bizName: `${year} 级`,
        before: { rows: before.filter((row) => row.grade === year).length },
        after: { rows: rows.length },
      })
    await askForCalc(tx)
    return { version: versionOf(grade) + 1 }
  })

async function assertModulesExist(tx: Context, rows: readonly { lsId?: string | undefined }[]): Promise<void> {
  const known = new Set((await modulesOf(tx)).map(({ lsId }) => lsId))
  const at = rows.findIndex(({ lsId }) => lsId && !known.has(lsId))
  if (at >= 0) throw invalidInput([{ field: `rows.${at}.lsId`, msg: '模块不存在或已停用，请重新选择' }])
}

/** Removes the base values of a year: the rules of the school hold for it again. */
export const deleteBases = (ctx: Context, { grade, version }: Checked<typeof thresholdApi.del>) =>
  inTransaction(ctx, async (tx) => {
    await lockSchool(tx, 'threshold-base')
    const rows = await storedBases(tx).select('b.version').where('b.grade', '=', grade).execute()
    if (rows.length === 0) throw new Failure('not-found')
    assertVersion(tx, { version: Math.max(...rows.map((row) => row.version)) }, version)
    await tx.db
      .deleteFrom('thresholdBase')
      .where('schoolId', '=', tx.actor.schoolId)
      .where('grade', '=', grade)
      .execute()
    await audit(tx, {
      action: '恢复默认基准值',
      bizType: 'threshold',
      bizId: grade,
      bizName: `${grade} 级`,
      before: { rows: rows.length },
    })
    await askForCalc(tx)
    return { affected: rows.length }
  })

/** Examples of a trial. */
const maxExamples = 20

/**
 * What would come of base values if they were saved: every student of the year that the person may see is checked by
 * both. Nothing is written.
 */
export async function tryBases(
  ctx: Context,
  { grade, rows }: Checked<typeof thresholdApi.preview>,
): Promise<Output<typeof thresholdApi.preview>> {
  await assertModulesExist(ctx, rows)
  const proposed = { grade, rows: rows.map((row): Omit<StoredBase, 'grade'> => ({ lsId: null, ...row })) }
  const [present, wanted, students] = await Promise.all([
    rulesNow(ctx),
    rulesNow(ctx, proposed),
    visibleStudents(ctx)
      .select([
        'person.suId',
        'person.suiName',
        'person.suiNumber',
        'person.suiGrade',
        'person.suiStudyYears',
        'person.suiCredibility',
      ])
      .where('person.suiGrade', '=', grade)
      .where(inSchool)
      .orderBy('person.suiNumber')
      .execute(),
  ])
  const [now, planned] = [
    [0, 0, 0, 0],
    [0, 0, 0, 0],
  ]
  const answer: Output<typeof thresholdApi.preview> = {
    total: students.length,
    now,
    planned,
    worse: 0,
    better: 0,
    examples: [],
  }
  for (let at = 0; at < students.length; at += 2000) {
    const chunk = students.slice(at, at + 2000)
    const [before, after] = [await evaluateStudents(ctx, present, chunk), await evaluateStudents(ctx, wanted, chunk)]
    for (const { suId, suiName, suiNumber } of chunk) {
      const [old, next] = [before.get(suId)!.level, after.get(suId)!.level]
      now[old]!++
      planned[next]!++
      if (next > old && ++answer.worse && answer.examples.length < maxExamples)
        answer.examples.push({ suiName, suiNumber, now: String(old), planned: String(next) })
      if (next < old) answer.better++
    }
  }
  return answer
}
