import { sql } from 'kysely'
import { enableStatus } from '../../contract/core/codes/platform.ts'
import { creditType } from '../../contract/core/codes/programme.ts'
import { convertFrom, convertTo, rounding } from '../../contract/core/codes/rules.ts'
import { personType } from '../../contract/core/codes/school.ts'
import { ownSettings } from '../../contract/school/school/setting-values.ts'
import type { Context } from '../core/request/context.ts'
import { systemContext } from '../core/request/system.ts'
import { saveModel } from '../rules/labels/model.service.ts'
import { addTransformation } from '../rules/transformation/transformation-write.service.ts'
import type { DemoSchool } from './demo-school.ts'

/**
 * Least hours of each module until graduation, in hundredths: with others at choice they make up the 16 hours of the
 * school.
 */
const minimums: Record<string, number> = {
  SXCL: 200,
  SJSX: 0,
  ZYGY: 400,
  CXCY: 200,
  WTHD: 200,
  GZLL: 0,
  JNTC: 0,
  LDJY: 200,
}
const totalHours = '16'

/** Sets what the school asks for, in its curriculum and its rules. */
export async function askForHours({ db, schoolId, start }: DemoSchool): Promise<void> {
  for (const [code, minHours] of Object.entries(minimums))
    await db
      .updateTable('curriculum')
      .set({ minHours })
      .where('schoolId', '=', schoolId)
      .where('lsId', '=', start.curriculum[code]!)
      .execute()
}

/** The labels of the radar, clockwise. */
const radar = ['理想信念', '学习研究', '创新创造', '职业技能', '劳动实践', '志愿奉献', '身心健康', '审美表达']
const colors = ['#D9576B', '#2458C5', '#5AA2E0', '#1C9C8C', '#7C8A3C', '#E39A2D', '#8A5CC9', '#6B7A90']

/**
 * The quality model of the school, each rim such that nine of ten students stay within it; its conversion rules; and
 * its own settings. Needs the ledger.
 */
export async function makeRules(school: DemoSchool): Promise<void> {
  const { ctx, db, schoolId, start, now } = school
  const system = systemContext({ ...ctx, db }, schoolId)
  const admin: Context = { ...system, actor: { ...system.actor, suId: start.adminId, suNickname: '系统管理员' } }
  const { rows } = await sql<{ sqlId: string; high: number }>`
      select "sqlId", (percentile_disc(0.9) within group (order by "sum"))::int as "high"
      from (
        select "sqlId", "suId", sum("clValue") as "sum"
        from "creditLedger"
        where "schoolId" = ${schoolId} and "clType" = ${sql.lit(creditType.ability)} and "sqlId" is not null
        group by 1, 2
      ) s
      group by 1`.execute(db)
  const highOf = new Map(rows.map(({ sqlId, high }) => [sqlId, high]))
  await saveModel(admin, {
    version: 0,
    list: radar.map((name, at) => {
      const sqlId = start.labels[name]!
      return { sqlId, name, max: Math.max(100, Math.ceil((highOf.get(sqlId) ?? 0) / 100) * 100), color: colors[at]! }
    }),
  })
  const rule = {
    scopeLsIds: [],
    scopeGrades: [],
    rounding: rounding.nearest,
    enable: enableStatus.enabled,
    segments: [],
  }
  await addTransformation(admin, {
    ...rule,
    trName: '学时折算学分',
    trDesc: '每 16 学时折算 1 学分，记入培养方案，至多 1 学分',
    fromType: convertFrom.hours,
    toType: convertTo.credit,
    mode: '3',
    segments: [4, 8, 12, 16].map((hours) => ({ min: hours * 100, value: Math.round(hours * 6.25) })),
    decimals: 2,
    cap: 100,
  })
  await addTransformation(admin, {
    ...rule,
    trName: '第二课堂成绩',
    trDesc: '按累计学时评定百分制成绩，用于评奖评优',
    fromType: convertFrom.hours,
    toType: convertTo.mark,
    mode: '3',
    segments: [
      [0, 50],
      [4, 60],
      [8, 70],
      [12, 80],
      [16, 90],
      [24, 100],
    ].map(([hours, mark]) => ({ min: hours! * 100, value: mark! * 100 })),
    decimals: 0,
    cap: 10_000,
  })
  await addTransformation(admin, {
    ...rule,
    trName: '志愿服务星级',
    trDesc: '按志愿时长评定星级，参照注册志愿者星级办法折减',
    fromType: convertFrom.volunteerHours,
    toType: convertTo.stars,
    mode: '3',
    segments: [
      [2, 1],
      [5, 2],
      [10, 3],
      [15, 4],
      [20, 5],
    ].map(([hours, stars]) => ({ min: hours! * 100, value: stars! * 100 })),
    decimals: 0,
    cap: 500,
  })
  await db
    .updateTable('school')
    .set({
      features: sql`"features" || '{"isGydx": true}'`,
      settings: sql`"settings" || ${JSON.stringify(ownSettings({ warnZeroTerm: '0', totalHours, transcriptApply: 'area', activationWay: 'slip' }))}::jsonb`,
      updateTime: now,
    })
    .where('schoolId', '=', schoolId)
    .execute()
}

type Line = readonly [required: number, first: number, second: number, third: number]

/**
 * The share of students under each line of a year: those warned gravely, warned, told, and those not yet where they
 * should be.
 */
const shares = [0.03, 0.09, 0.16, 0.35]

/**
 * What each year is expected to have at the end of its second, fourth, sixth and eighth term, in whole and half hours:
 * such that most of them are on their way and some are warned. Needs the ledger.
 * @param dueTerm the last of these terms that a year has behind it
 */
export async function linesOf(
  { db, schoolId }: DemoSchool,
  grade: string,
  dueTerm: number,
): Promise<(checkpointTerm: number) => Line> {
  const { rows } = await sql<{ at: number[] | null }>`
        select percentile_disc(${`{${shares.join(',')}}`}::float8[]) within group (order by coalesce(c."sum", 0)::int)
        as "at"
        from "person" p
        left join (
          select "suId", sum("clValue") as "sum"
          from "creditLedger"
          where "schoolId" = ${schoolId} and "clType" = ${sql.lit(creditType.hours)}
          group by 1
        ) c on c."suId" = p."suId"
        where p."schoolId" = ${schoolId} and p."suiType" = ${sql.lit(personType.student)} and p."suiGrade" = ${grade}`.execute(
    db,
  )
  const [low = 0, mid = 0, high = 0, most = 0] = rows[0]?.at ?? []
  const half = (hundredths: number) => Math.round(hundredths / 50) * 50
  const third = Math.max(50, half(low))
  const second = Math.max(third + 50, half(mid))
  const first = Math.max(second + 50, half(high))
  const required = Math.max(first + 50, half(most))
  return (term) => {
    if (dueTerm < 2) return [term * 200, term * 100, term * 50, term * 25]
    const by = (hundredths: number) => (term === dueTerm ? hundredths : half((hundredths * term) / dueTerm))
    return [by(required), by(first), by(second), by(third)]
  }
}
