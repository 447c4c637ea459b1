import { describe, expect, test } from 'vitest'
import { applyWay, signType } from '../../../../contract/core/codes/programme.ts'
import type { LessonValues } from './lesson-form.ts'
import { changedFields, movesPlan } from './material-change.ts'
import { moved, nameOf, partsOf } from '../planning/series.ts'
import { isLow } from '../registration/turnout.service.ts'

describe('what is approved again', () => {
  const values = {
    liName: '讲座',
    quota: 50,
    liIntro: '旧',
    startTime: '2026-11-20 08:00:00',
    endTime: '2026-11-20 10:00:00',
    sessions: [],
    rangeGrades: ['2023', '2024'],
    rangeColleges: [],
    liHours: 200,
    liPrincipalId: 'p1',
    publictyDays: 3,
    applyWay: applyWay.firstCome,
    lsId: 'node-1',
    liLevel: '6',
    atId: undefined,
    isQuestionedAudit: true,
    liScheme: 'standard',
    signOutOn: true,
    lateMinutes: 15,
    placeText: '礼堂',
  } as unknown as LessonValues
  const names = new Map([
    ['node-1', '思想成长 / 主题教育'],
    ['node-2', '文体活动'],
    ['6', '院级'],
    ['5', '校级'],
    ['c1', '文学院'],
    ['at-1', '等级奖'],
  ])
  const words = (more: object) =>
    changedFields(values, { ...values, ...more }, names).map(
      ({ label, before, after }) => `${label}：${before} → ${after}`,
    )
  test.each([
    [
      {
        liIntro: '新',
        liPrincipalId: 'p2',
        placeText: '操场',
        teacherIds: ['t'],
        signType: [signType.activityCode],
        liExt: { baseName: 'x' },
        liPoster: 'f',
      },
      [],
    ],
    [{ quota: 60 }, []],
    [{ quota: 40 }, ['名额：50 人 → 40 人']],
    [{ rangeGrades: ['2024', '2023'] }, []],
    [{ rangeGrades: ['2024'] }, ['可报名年级：2023、2024 → 2024']],
    [{ rangeColleges: ['c1'] }, ['可报名学院：不限 → 文学院']],
    [{ sessions: [{ startTime: values.startTime, endTime: values.endTime, placeText: '别处' }] }, []],
    [
      { sessions: [{ startTime: values.startTime, endTime: '2026-11-20 09:00:00' }] },
      ['场次：2026-11-20 08:00 至 10:00 → 2026-11-20 08:00 至 09:00'],
    ],
    [{ liName: '新讲座', liHours: 350 }, ['课程名称：讲座 → 新讲座', '认定学时：2 学时 → 3.5 学时']],
    [{ lsId: 'node-2', liLevel: '5' }, ['课程体系：思想成长 / 主题教育 → 文体活动', '课程级别：院级 → 校级']],
    [
      { atId: 'at-1', applyWay: applyWay.review, isQuestionedAudit: false },
      ['报名方式：先到先得 → 审核录取', '质疑须审批：是 → 否', 'atId：不设奖项 → 等级奖'],
    ],
    [{ signOutOn: false, lateMinutes: 30 }, ['迟到界限（分钟）：15 → 30', '需要签退：是 → 否']],
    [{ liScheme: 'industry' }, ['课程表单：标准表单 → 行业课程表单']],
    [{ applyEnd: '2026-11-19 18:00:00' }, ['报名截止时间：未填写 → 2026-11-19 18:00']],
  ])('%o: %o', (more, wanted) =>
    expect(
      words(more)
        .map((one) => one.replace('奖励模板', 'atId'))
        .toSorted(),
    ).toEqual(wanted.toSorted()),
  )
  test('another time moves sessions along where a course has none of its own', () =>
    expect(
      changedFields(values, { ...values, startTime: '2026-11-20 09:00:00' }, names).map(({ field }) => field),
    ).toEqual(['startTime', 'sessions']))
  test.each([
    [{ placeText: '操场' }, true],
    [{ endTime: '2026-11-20 11:00:00' }, true],
    [{ liIntro: '新' }, false],
  ])('%o concerns whoever has registered: %s', (more, wanted) =>
    expect(movesPlan(values, { ...values, ...more })).toBe(wanted),
  )
})

describe('a series', () => {
  test.each([
    ['训练营', '训练营', 0],
    ['训练营（第 3 期）', '训练营', 3],
    ['训练营（第12期）', '训练营', 12],
    ['训练营(第 3 期)', '训练营(第 3 期)', 0],
  ])('%s is %s number %i', (name, base, number) => expect(partsOf(name)).toEqual({ base, number }))
  test('names keep within their length', () => {
    expect(nameOf('训练营', 2)).toBe('训练营（第 2 期）')
    expect(nameOf('训'.repeat(300), 10)).toHaveLength(200)
    expect(nameOf('训'.repeat(300), 10).endsWith('（第 10 期）')).toBe(true)
  })
  test.each([
    ['2026-11-19 18:00:00', '2026-11-20 08:00:00', '2026-11-27 08:00:00', '2026-11-26 18:00:00'],
    ['2026-12-31 23:30:00', '2026-12-31 20:00:00', '2026-12-31 21:00:00', '2027-01-01 00:30:00'],
  ])('%s moves along from %s to %s', (moment, from, to, wanted) => expect(moved(moment, from, to)).toBe(wanted))
})

test.each([
  [100, 74, 0, true],
  [100, 75, 0, false],
  [100, 70, 5, false],
  [3, 2, 0, true],
  [1, 0, 0, true],
])('%i places, %i admitted, %i waiting: low %s', (quota, passCount, pendingCount, low) =>
  expect(isLow({ quota, passCount, pendingCount }, 75)).toBe(low),
)
test('a school that wants nothing is never told', () =>
  expect(isLow({ quota: 10, passCount: 0, pendingCount: 0 }, 0)).toBe(false))
