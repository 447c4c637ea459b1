import { expect, test } from 'vitest'
import { supplementType } from '../../../contract/core/codes/programme.ts'
import { supplementApi, supplementCaseApi } from '../../../contract/programme/supplements/supplements.calls.ts'
import { refuseSupplement, supplementWorldOfTests, taskOf } from '../../testing/supplements.ts'

test('a record that was withdrawn or refused comes back with what is different, field by field in words', async () => {
  const world = await supplementWorldOfTests()
  const { secretary, leader, school } = world
  const [student, other] = await world.students(2)
  const given = world.form(student!.suId, { lisName: '英语六级', lisAward: '', certNo: 'A-1' })
  const { lisId } = await secretary.client.send(supplementApi.save, { ...given, submit: '1' })
  const again = async (change: object) => {
    const { version } = await secretary.client.send(supplementApi.detail, { lisId })
    return secretary.client.send(supplementApi.save, { ...given, ...change, lisId, version, submit: '1' })
  }
  const shown = async () =>
    (await leader.client.send(supplementCaseApi.supCase, { lisId })).differences.map((one) => [
      one.since,
      one.label,
      one.before,
      one.after,
    ])
  expect(await shown()).toEqual([])

  await secretary.client.send(supplementApi.withdraw, { lisId })
  await again({ certNo: 'A-2' })
  expect(await shown()).toEqual([['returned', '证书编号', 'A-1', 'A-2']])

  expect((await refuseSupplement(leader, lisId)).code).toBe(200)
  await again({
    suId: other!.suId,
    certNo: 'A-3',
    lsId: school.curriculum['JNTC/计算机证书']!,
    lisType: supplementType.competitionAward,
    lisAward: '一等奖',
    lisTeamSize: 3,
    lisRank: 1,
  })
  expect(await shown()).toEqual([
    ['returned', '学生', `${student!.suiName}（${student!.suiNumber}）`, `${other!.suiName}（${other!.suiNumber}）`],
    ['returned', '模块', '技能特长 / 语言证书', '技能特长 / 计算机证书'],
    ['returned', '补录类型', '证书认证', '竞赛获奖'],
    ['returned', '奖项', '未填写', '一等奖'],
    ['returned', '证书编号', 'A-2', 'A-3'],
    ['returned', '团队人数', '未填写', '3'],
    ['returned', '团队排位', '未填写', '1'],
    ['returned', '认定学时', '3 学时', expect.stringMatching(/^[\d.]+ 学时$/)],
  ])
  // whoever has no task of theirs in it is shown the record, not the reviewer's comparison
  expect(await taskOf(world.auditor, lisId)).toBeUndefined()
  expect((await world.auditor.client.send(supplementCaseApi.supCase, { lisId })).differences).toEqual([])
})
