import { describe, expect, test } from 'vitest'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { publictyStatus, supSource, supplementStatus } from '../../../contract/core/codes/programme.ts'
import { importApi } from '../../../contract/platform/imports/imports.calls.ts'
import { supplementApi } from '../../../contract/programme/supplements/supplements.calls.ts'
import { addDays, dayOf } from '../../core/base/clock.ts'
import { newId } from '../../core/base/ids.ts'
import { sheetIn } from '../../testing/sheet-in.ts'
import { supplementWorldOfTests, type SupplementWorldOfTests } from '../../testing/supplements.ts'

const headers = {
  supplement:
    '学号,姓名,名称,模块,类型,级别,参与方式,奖项,主办单位,获得日期,证书编号,团队排位/人数,申请学时,公示开始,公示结束,说明',
  supplementAward:
    '学号,姓名,名称,模块,类型,级别,参与方式,奖励模板,奖项,主办单位,获得日期,证书编号,团队排位/人数,申请学时,公示开始,公示结束,说明',
} as const
type Kind = keyof typeof headers

const upload = async ({ secretary }: SupplementWorldOfTests, kind: Kind, rows: string[]) => {
  const reply = await secretary.client.upload(
    importApi.upload,
    { name: '补录.csv', bytes: Buffer.from([headers[kind], ...rows].join('\n')) },
    { kind },
  )
  expect(reply.msg).toBe('操作成功')
  return reply.data
}
const rowFaults = async ({ secretary }: SupplementWorldOfTests, kind: Kind, ibId: string) =>
  (await secretary.client.send(importApi.preview, { kind, ibId, pageSize: 200 })).records.map(
    ({ verdict, faults, hints }) => [verdict, ...[...faults, ...hints].map(({ msg }) => msg)],
  )

describe('records by sheet', () => {
  test('every check is told per row; what fits becomes drafts, once, and is taken back by undo', async () => {
    const lookups = await supplementWorldOfTests()
    const { secretary, school } = lookups
    const [a, b, c] = await lookups.students(3)
    const today = dayOf(school.clock.now())
    const day = addDays(today, -20)
    await secretary.client.send(
      supplementApi.save,
      lookups.form(a!.suId, { lisName: '大学英语六级', lisObtainDate: day, certNo: 'X-1' }),
    )
    const line = (
      { suiNumber, suiName }: { suiNumber: string; suiName: string },
      more: Partial<
        Record<
          'name' | 'ls' | 'type' | 'level' | 'mode' | 'award' | 'day' | 'cert' | 'team' | 'hours' | 'from' | 'to',
          string
        >
      > = {},
    ) =>
      [
        suiNumber,
        suiName,
        more.name ?? '普通话二甲',
        more.ls ?? '技能特长 / 语言证书',
        more.type ?? '证书认证',
        more.level ?? '国家级',
        more.mode ?? '参与者',
        more.award ?? '',
        '语委',
        more.day ?? day,
        more.cert ?? '',
        more.team ?? '',
        more.hours ?? '',
        more.from ?? '',
        more.to ?? '',
        '',
      ].join(',')
    const rows = [
      line(a!),
      line(b!, { award: '一等奖', team: '1/3', cert: 'X-1' }),
      line(c!, { ls: '语言证书', from: today, to: addDays(today, 6) }),
      line(a!, { name: '大学英语六级' }),
      line({ suiNumber: 'X999', suiName: '无此人' }),
      line({ suiNumber: c!.suiNumber, suiName: '某人' }, { name: '二' }),
      line(c!, { name: '三', ls: '不存在的模块' }),
      line(c!, { name: '四', level: '宇宙级' }),
      line(c!, { name: '五', level: '校级' }),
      line(c!, { name: '六', award: '特别大奖' }),
      line(c!, { name: '七', day: addDays(today, 2) }),
      line(c!, { name: '八', team: '4/3' }),
      line(c!, { name: '九', hours: '9' }),
      line(c!, { name: '十', from: today }),
      line(b!, { award: '一等奖', team: '1/3' }),
    ]
    const batch = await upload(lookups, 'supplement', rows)
    expect(await rowFaults(lookups, 'supplement', batch.ibId)).toEqual([
      ['new'],
      ['conflict', expect.stringContaining('与第 16 行重复')],
      ['new'],
      ['conflict', '该学生已有同名、同日期的补录'],
      ['fault', '学号 X999 不存在或不在您的管理范围内'],
      ['fault', '姓名与学号不符'],
      ['fault', '模块“不存在的模块”不存在或不接受补录'],
      ['fault', expect.stringContaining('宇宙级')],
      ['fault', '模块“语言证书”没有校级的评价规则，请选择其他级别'],
      ['fault', '国家级没有奖项“特别大奖”，可填：一等奖'],
      ['fault', '获得日期不能晚于今天'],
      ['fault', '团队排位/人数须写作 2/5，排位不大于人数'],
      ['fault', '申请学时不能超过评价规则的上限 6 学时'],
      ['fault', '公示开始与结束须同时填写'],
      ['conflict', expect.stringContaining('与第 3 行重复')],
    ])
    await secretary.client.send(importApi.commit, { kind: 'supplement', ibId: batch.ibId, skipFaults: yesNo.yes })
    const drafts = (await secretary.client.send(supplementApi.list, { source: supSource.imported, pageSize: 50 }))
      .records
    expect(drafts.map(({ suiNumber, lisStatus, lisHours }) => [suiNumber, lisStatus, lisHours]).toSorted()).toEqual(
      [
        [a!.suiNumber, supplementStatus.draft, supplementStatus.refused],
        [c!.suiNumber, supplementStatus.draft, supplementStatus.refused],
      ].toSorted(),
    )
    expect(drafts.find(({ suId }) => suId === c!.suId)).toMatchObject({
      lisPublictySdate: `${today} 00:00:00`,
      lisPublictyStatus: publictyStatus.none,
    })
    const errors = await secretary.client.download(supplementApi.errorExcel, { errorId: batch.errorId })
    expect((await sheetIn(errors.bytes)).lines).toHaveLength(14)
    expect(await lookups.leader.client.ask(supplementApi.errorExcel, { errorId: batch.errorId })).toMatchObject({
      status: 404,
    })
    await secretary.client.send(importApi.undo, { kind: 'supplement', ibId: batch.ibId })
    expect((await secretary.client.send(supplementApi.list, { source: supSource.imported })).total).toBe(0)
    const again = await upload(lookups, 'supplement', rows.slice(0, 1))
    await secretary.client.send(importApi.commit, { kind: 'supplement', ibId: again.ibId })
    await secretary.client.send(supplementApi.submit, {
      lisId: (await secretary.client.send(supplementApi.list, { source: supSource.imported })).records[0]!.lisId,
    })
    expect(await secretary.client.ask(importApi.undo, { kind: 'supplement', ibId: again.ibId })).toMatchObject({
      code: 300,
      reason: 'import-undo-late',
      msg: expect.stringMatching(/（\w+）的“.+”在导入之后已被修改或提交$/) as string,
    })
  })

  test('awards by their template', async () => {
    const lookups = await supplementWorldOfTests()
    const { school, secretary } = lookups
    const { db } = school.ctx
    const atId = newId()
    await db.insertInto('awardTemplate').values({ schoolId: school.schoolId, atId, atName: '等级奖' }).execute()
    await db
      .insertInto('awardDetail')
      .values([
        { schoolId: school.schoolId, adId: newId(), atId, adName: '一等奖', hours: 50 },
        { schoolId: school.schoolId, adId: newId(), atId, adName: '二等奖', hours: 30 },
      ])
      .execute()
    const [a, b] = await lookups.students(2)
    const day = addDays(dayOf(school.clock.now()), -5)
    const line = ({ suiNumber, suiName }: { suiNumber: string; suiName: string }, award: string, template = '等级奖') =>
      `${suiNumber},${suiName},数学竞赛,语言证书,竞赛获奖,国家级,参赛者,${template},${award},学会,${day},,,,,,`
    const batch = await upload(lookups, 'supplementAward', [line(a!, '一等奖'), line(b!, '二等奖'), line(b!, '金奖')])
    expect(await rowFaults(lookups, 'supplementAward', batch.ibId)).toEqual([
      ['new'],
      ['fault', '国家级没有奖项“二等奖”，可填：一等奖', expect.stringContaining('重复')],
      [
        'fault',
        '奖励模板“等级奖”没有奖项“金奖”',
        expect.stringContaining('国家级没有奖项“金奖”'),
        expect.stringContaining('重复'),
      ],
    ])
    await secretary.client.send(importApi.commit, { kind: 'supplementAward', ibId: batch.ibId, skipFaults: yesNo.yes })
    expect((await secretary.client.send(supplementApi.list, {})).records).toMatchObject([
      { lisAward: '一等奖', lisHours: '4', source: supSource.imported },
    ])
    for (const [call, kind] of [
      [supplementApi.exportTemplate, 'supplement'],
      [supplementApi.exportATemplate, 'supplementAward'],
    ] as const) {
      expect((await sheetIn((await secretary.client.download(call, {})).bytes)).template).toEqual({
        kind,
        version: 1,
      })
    }
  })
})
