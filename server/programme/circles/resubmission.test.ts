import { beforeAll, expect, test } from 'vitest'
import { circleApplyType, circleReview } from '../../../contract/core/codes/programme.ts'
import { circleApplyApi } from '../../../contract/programme/circles/applications.calls.ts'
import { circleApi } from '../../../contract/programme/circles/circles.calls.ts'
import { circleWorld, type CircleWorld } from '../../testing/circles.ts'
import { unique } from '../../testing/school.ts'

let w: CircleWorld
beforeAll(async () => void (w = await circleWorld()))

const shown = async (ciId: string) => {
  const { records } = await w.leader.client.send(circleApplyApi.list, { ciId, current: 1, pageSize: 50 })
  return records[0]!.differences.map(({ label, before, after }) => [label, before, after])
}
const named = (at: number) => `${w.students[at]!.suiName}（${w.students[at]!.suiNumber}）`
const refuse = (ciId: string) =>
  w.leader.client.send(circleApplyApi.refuse, {
    ciIds: [ciId],
    cpiPersonIds: [w.students[0]!.suId],
    reason: '请补充后重新提交',
  })

test('a circle that was refused comes back with what is different about it', async () => {
  const { teacher, students, form } = w
  const given = form({ ciName: `围棋社${unique()}`, personIds: [students[0]!.suId] })
  const { ciId } = await teacher.client.send(circleApi.add, given)
  expect(await shown(ciId)).toEqual([])
  await refuse(ciId)
  const { version } = await teacher.client.send(circleApi.detail, { ciId })
  await teacher.client.send(circleApi.update, {
    ...given,
    ciId,
    version,
    ciDesc: '每周一次对局',
    personIds: [students[0]!.suId, students[1]!.suId],
    teacherIds: [],
    memberMax: 40,
  })
  const differences = await shown(ciId)
  expect(differences.map(([label]) => label)).toEqual(['圈子简介', '指导老师', '成员', '人数上限'])
  expect(differences[0]).toEqual(['圈子简介', '未填写', '每周一次对局'])
  expect(differences[1]![2]).toBe('未填写')
  expect(differences[2]![1]).toBe(named(0))
  expect(differences[2]![2]!.split('、').toSorted()).toEqual([named(0), named(1)].toSorted())
  expect(differences[3]).toEqual(['人数上限', '未填写', '40'])
})

test('a yearly review that was refused or withdrawn comes back with what is different; what was granted is not compared', async () => {
  const ciId = await w.founded()
  const ask = (more: object) =>
    w.school.admin.send(circleApplyApi.apply, {
      ciId,
      caType: circleApplyType.yearlyReview,
      applyReason: '本年度活动正常开展',
      crYear: 2025,
      crResult: circleReview.passed,
      ...more,
    } as never)
  await ask({})
  expect(await shown(ciId)).toEqual([])
  await refuse(ciId)
  const { caId } = (await ask({ applyReason: '补充了经费明细', crYear: 2024 })) as { caId: string }
  expect(await shown(ciId)).toEqual([
    ['申请说明', '本年度活动正常开展', '补充了经费明细'],
    ['年审年度', '2025', '2024'],
  ])
  await w.school.admin.send(circleApplyApi.withdraw, { caId })
  await ask({ crYear: 2023 })
  // the reviewer's last word was about the first one
  expect(await shown(ciId)).toEqual([['年审年度', '2025', '2023']])
  await w.leader.client.send(circleApplyApi.pass, { ciIds: [ciId], cpiPersonIds: [w.students[0]!.suId] })
  await ask({ crYear: 2022 })
  expect(await shown(ciId)).toEqual([])
})
