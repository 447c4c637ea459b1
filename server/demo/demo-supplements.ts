import { yesNo } from '../../contract/core/codes/platform.ts'
import {
  creditType,
  partakeMode,
  publictyStatus,
  supplementStatus,
  supplementType,
} from '../../contract/core/codes/programme.ts'
import { addDays, dayEnd, dayOf, dayStart } from '../core/base/clock.ts'
import { together } from '../core/base/together.ts'
import { curriculumSeed, levelSeed } from '../setup/seeds.ts'
import { bulkInsert, writeBehind } from './bulk.ts'
import type { DemoConfiguration } from './demo-configuration.ts'
import type { DemoStudent } from './demo-people.ts'
import type { DemoSchool } from './demo-school.ts'

export type SupplementKind = readonly [lisType: string, code: string, child: string, names: readonly string[]]

export const supplementKinds: readonly SupplementKind[] = [
  [
    '1',
    'CXCY',
    '学科竞赛',
    ['全国大学生数学建模竞赛', '“互联网+”创新创业大赛', '全国大学生英语竞赛', '蓝桥杯程序设计大赛'],
  ],
  ['2', 'JNTC', '语言证书', ['大学英语六级证书', '普通话水平测试二级甲等', '计算机二级证书', '红十字急救员证书']],
  ['6', 'ZYGY', '社区服务', ['社区防疫志愿服务', '春运暖冬行动', '博物馆讲解志愿者']],
  ['8', 'GZLL', '校级组织', ['校学生会部门负责人任职', '班级团支书任职', '社团负责人任职']],
  ['9', 'SXCL', '主题教育', ['校级优秀共青团员', '校级三好学生', '优秀学生干部']],
]
const levels = [
  ['2', 5],
  ['3', 15],
  ['4', 15],
  ['5', 45],
  ['6', 20],
] as const
const states = [
  [supplementStatus.credited, 82],
  [supplementStatus.passed, 5],
  [supplementStatus.inNotice, 4],
  [supplementStatus.refused, 4],
  [supplementStatus.draft, 2],
  [supplementStatus.withdrawn, 1],
  [supplementStatus.deleted, 2],
] as const
const factors = new Map<string, number>(levelSeed.map(([llId, , factor]) => [llId, factor]))

/** Records that are written while the next ones are made. */
const atOnce = 10_000

/**
 * Supplement records of experiences outside the system, in every state but under approval; credited ones stand in the
 * ledger.
 */
export async function makeSupplements(
  { db, schoolId, stamp, random, size, now, start }: DemoSchool,
  students: DemoStudent[],
  { rules, awards }: DemoConfiguration,
): Promise<void> {
  // whoever came a few weeks ago has nothing to record yet
  const able = students.filter(({ grade }) => `${grade}-09-01` <= dayOf(addDays(now, -20)))
  if (able.length === 0) return
  const modules = new Map<string, string>(curriculumSeed.map(([code]) => [code, start.curriculum[code]!]))
  const ranks = awards.find(({ details }) => details.some(({ adName }) => adName === '一等奖'))!.details
  const lastNotice = { begins: dayOf(addDays(now, -9)), ends: dayOf(addDays(now, -3)) }
  const writer = writeBehind()
  for (let made = 0; made < size.supplements; made += atOnce) {
    const rows = Array.from({ length: Math.min(atOnce, size.supplements - made) }, () => {
      const [lisType, code, child, names] = random.one(supplementKinds)
      const student = random.one(able)
      const lsId = start.curriculum[`${code}/${child}`]!
      const lisLevel = random.weighted(levels)
      const rule = rules[`${code}/${lisLevel}`]!
      const award = lisType === supplementType.competitionAward ? random.one(ranks) : undefined
      const lisStatus = random.weighted(states)
      const obtained = latest(dayOf(addDays(now, -random.whole(20, 900))), `${student.grade}-09-01`)
      const notice =
        lisStatus === supplementStatus.inNotice
          ? [addDays(now, -random.whole(0, 2)), addDays(now, random.whole(2, 5))]
          : lisStatus === supplementStatus.credited
            ? [earliest(addDays(obtained, 20), lastNotice.begins), earliest(addDays(obtained, 26), lastNotice.ends)]
            : undefined
      return {
        ...stamp,
        createTime: addDays(`${obtained} 10:00:00`, random.whole(1, 18)),
        lisId: random.id(),
        lisName: random.one(names),
        suId: student.suId,
        lsId,
        lsPath: `{${modules.get(code)!},${lsId}}`,
        lisType,
        lisLevel,
        lisPartakeMode: lisType === supplementType.competitionAward ? partakeMode.competitor : partakeMode.participant,
        lisAward: award?.adName ?? '',
        lisAwardDetailId: award?.adId ?? null,
        lisOrg: random.one(['教育部', '省教育厅', '市团委', '校团委', '行业协会']),
        lisObtainDate: obtained,
        certNo: `ZS${random.whole(10_000_000, 99_999_999)}`,
        esId: rule.esId,
        lisHours: rule.baseHours + (award?.hours ?? 0),
        lisCredit: rule.credit + (award?.credit ?? 0),
        lisPoints: Math.round((rule.baseHours * factors.get(lisLevel)!) / 100) + (award?.points ?? 0),
        lisStatus,
        delFlag: lisStatus === supplementStatus.deleted ? yesNo.yes : yesNo.no,
        statusBefore: lisStatus === supplementStatus.deleted ? supplementStatus.draft : '',
        lisPublictyStatus:
          lisStatus === supplementStatus.credited
            ? publictyStatus.ended
            : lisStatus === supplementStatus.inNotice
              ? publictyStatus.running
              : publictyStatus.none,
        lisPublictySdate: notice ? dayStart(notice[0]!) : null,
        lisPublictyEdate: notice ? dayEnd(notice[1]!) : null,
        passTime: notice ? `${dayOf(addDays(notice[0]!, -2))} 15:00:00` : null,
        completeTime: lisStatus === supplementStatus.credited ? `${dayOf(addDays(notice![1]!, 1))} 00:01:00` : null,
        refuseReason: lisStatus === supplementStatus.refused ? '证明材料不清晰，请重新上传' : '',
      }
    })
    const ledger = rows
      .filter(({ lisStatus }) => lisStatus === supplementStatus.credited)
      .flatMap((row) => {
        const granted = earliest(addDays(row.createTime, 12), now)
        return ([creditType.hours, creditType.credit] as const).map((clType) => ({
          schoolId,
          clId: random.id(),
          suId: row.suId,
          clType,
          lsId: row.lsId,
          moduleId: row.lsPath.slice(1, 37),
          sqlId: null,
          clValue: clType === creditType.hours ? row.lisHours : row.lisCredit,
          source: 'SUP',
          bizId: row.lisId,
          bizName: row.lisName,
          ruleVersion: 1,
          explain: {
            base: row.lisHours,
            factor: 100,
            award: 0,
            partakeMode: row.lisPartakeMode,
            ruleVersion: 1,
            text: `补录认定 ${row.lisHours / 100} 学时`,
          },
          occurTime: `${row.lisObtainDate} 00:00:00`,
          grantedAt: granted,
        }))
      })
    await writer.write(() => together(bulkInsert(db, 'supplement', rows), bulkInsert(db, 'creditLedger', ledger)))
  }
  await writer.end()
}

const earliest = (a: string, b: string): string => (a < b ? a : b)
const latest = (a: string, b: string): string => (a > b ? a : b)
