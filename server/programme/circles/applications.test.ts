import { beforeAll, describe, expect, test } from 'vitest'
import { circleApplyApi } from '../../../contract/programme/circles/applications.calls.ts'
import { circleApi } from '../../../contract/programme/circles/circles.calls.ts'
import {
  circleApplyType,
  circleAuthStatus,
  circleJoinMode,
  circleReview,
  circleStar,
  circleStatus,
} from '../../../contract/core/codes/programme.ts'
import type { CodeOf } from '../../../contract/core/codes/code-list.ts'
import { circleStatApi } from '../../../contract/outcomes/statistics/circle-statistics.calls.ts'
import { messageApi } from '../../../contract/school/messages/messages.calls.ts'
import { circleWorld, type CircleWorld } from '../../testing/circles.ts'
import { sheetIn } from '../../testing/sheet-in.ts'
import { unique } from '../../testing/school.ts'

const all = { current: 1, pageSize: 50 }
const why = '按章程办理，请予审核'
let w: CircleWorld
beforeAll(async () => void (w = await circleWorld()))

const applications = async (input: object) =>
  (await w.school.admin.send(circleApplyApi.list, { ...all, ...input })).records

describe('founding', () => {
  test('by those who do not audit circles waits, is refused with a reason, put right and passed', async () => {
    const { school, teacher, leader, students, form } = w
    const ciName = `待成立${unique()}`
    const { ciId, ciAuthStatus } = await teacher.client.send(circleApi.add, form({ ciName }))
    expect(ciAuthStatus).toBe(circleAuthStatus.pending)
    const pair = { ciIds: [ciId], cpiPersonIds: [students[0]!.suId] }
    expect(await leader.client.send(circleApi.detail, { ciId })).toMatchObject({
      ciStatus: circleStatus.disabled,
      pendingCount: 1,
    })
    expect(await school.admin.ask(circleApi.enable, pair)).toMatchObject({ reason: 'wrong-state' })
    expect((await teacher.client.ask(circleApplyApi.pass, pair)).status).toBe(403)
    expect(await leader.client.ask(circleApplyApi.refuse, pair)).toMatchObject({
      code: 300,
      errors: [{ field: 'reason', msg: '请填写驳回原因' }],
    })
    expect(await leader.client.ask(circleApplyApi.refuse, { ...pair, reason: '不行' })).toMatchObject({ code: 300 })
    await leader.client.send(circleApplyApi.refuse, { ...pair, reason: '章程不完整，请补充' })
    const refused = await teacher.client.send(circleApi.detail, { ciId })
    expect(refused).toMatchObject({
      ciAuthStatus: circleAuthStatus.refused,
      reason: '章程不完整，请补充',
      can: expect.arrayContaining(['edit']),
    })
    expect((await teacher.client.send(messageApi.inbox, all)).records[0]).toMatchObject({
      iiTitle: `圈子“${ciName}”的成立申请已驳回`,
      iiContent: '章程不完整，请补充',
    })
    expect(await leader.client.ask(circleApplyApi.pass, pair)).toMatchObject({ reason: 'circle-apply-gone' })
    expect(
      await teacher.client.send(circleApi.update, {
        ...form({ ciName, ciDesc: '已补充' }),
        ciId,
        version: refused.version,
      }),
    ).toMatchObject({ ciAuthStatus: circleAuthStatus.pending })
    expect(await leader.client.send(circleApplyApi.pass, pair)).toEqual({ affected: 1 })
    expect(await teacher.client.send(circleApi.detail, { ciId })).toMatchObject({
      ciAuthStatus: circleAuthStatus.passed,
      ciStatus: circleStatus.enabled,
      foundDate: expect.any(String),
      pendingCount: 0,
    })
    const trail = await applications({ ciId })
    expect(trail.map((row) => row.ciAuthStatus)).toEqual([circleAuthStatus.passed, circleAuthStatus.refused])
  })

  test('is passed by one of two who decide at the same time', async () => {
    const { school, teacher, students, form } = w
    const { ciId } = await teacher.client.send(circleApi.add, form())
    const pair = { ciIds: [ciId], cpiPersonIds: [students[0]!.suId] }
    const replies = await Promise.all([
      school.admin.ask(circleApplyApi.pass, pair),
      school.admin.ask(circleApplyApi.refuse, { ...pair, reason: '名称不合适，请修改' }),
    ])
    expect(replies.map(({ code }) => code).toSorted()).toEqual([200, 300])
  })

  test('may be taken back by who applied, and by nobody else', async () => {
    const { school, teacher, form } = w
    const { ciId } = await teacher.client.send(circleApi.add, form())
    const { caId, can } = (await teacher.client.send(circleApplyApi.list, { ...all, ciId })).records[0]!
    expect(can).toEqual(['withdraw'])
    expect((await school.admin.ask(circleApplyApi.withdraw, { caId })).status).toBe(404)
    expect(await teacher.client.send(circleApplyApi.withdraw, { caId })).toEqual({ affected: 1 })
    expect(await teacher.client.ask(circleApplyApi.withdraw, { caId })).toMatchObject({ reason: 'circle-apply-gone' })
    expect((await teacher.client.send(circleApi.detail, { ciId })).ciAuthStatus).toBe(circleAuthStatus.withdrawn)
  })

  test('needs at the end what it needed at the start', async () => {
    const { school, teacher, students, form } = await circleWorld()
    const { ciId } = await teacher.client.send(circleApi.add, form())
    await school.rules({ clubFounders: 10 })
    expect(
      await school.admin.ask(circleApplyApi.pass, { ciIds: [ciId], cpiPersonIds: [students[0]!.suId] }),
    ).toMatchObject({ reason: 'circle-not-ready', msg: expect.stringContaining('10 名') })
  })
})

describe('what circles apply for', () => {
  test('joining is decided, free where anybody may, and never done twice', async () => {
    const { teacher, leader, students } = w
    const ciId = await w.founded({ memberMax: 4 })
    const joins = (suId: string) => ({ ciId, caType: circleApplyType.joining, cpiPersonId: suId, applyReason: why })
    await teacher.client.send(circleApplyApi.apply, joins(students[3]!.suId))
    expect(await teacher.client.ask(circleApplyApi.apply, joins(students[3]!.suId))).toMatchObject({
      reason: 'circle-apply-open',
    })
    expect(await teacher.client.ask(circleApplyApi.apply, joins(students[0]!.suId))).toMatchObject({
      reason: 'circle-already-member',
    })
    expect(await teacher.client.ask(circleApplyApi.apply, joins(teacher.suId))).toMatchObject({
      reason: 'not-a-student',
    })
    expect(
      await teacher.client.ask(circleApplyApi.apply, { ciId, caType: circleApplyType.joining, applyReason: why }),
    ).toMatchObject({
      errors: [{ field: 'cpiPersonId' }],
    })
    await teacher.client.send(circleApplyApi.apply, joins(students[4]!.suId))
    const both = { ciIds: [ciId, ciId], cpiPersonIds: [students[3]!.suId, students[4]!.suId] }
    expect(await leader.client.ask(circleApplyApi.pass, both)).toMatchObject({ reason: 'circle-full' })
    expect((await leader.client.send(circleApi.detail, { ciId })).memberCount).toBe(3)
    expect(await leader.client.send(circleApplyApi.pass, { ciIds: [ciId], cpiPersonIds: [students[3]!.suId] })).toEqual(
      { affected: 1 },
    )
    const open = await w.founded({ joinMode: circleJoinMode.open })
    await teacher.client.send(circleApplyApi.apply, {
      ciId: open,
      caType: circleApplyType.joining,
      cpiPersonId: students[5]!.suId,
      applyReason: why,
    })
    expect(
      (await teacher.client.send(circleApi.members, { ...all, ciId: open, numberOrName: students[5]!.suiNumber }))
        .total,
    ).toBe(1)
  })

  test('another person in charge takes over with the role, and the former one stays a member', async () => {
    const { school, teacher, leader, students } = w
    const [former, next] = [students[1]!, students[5]!]
    const ciId = await w.founded({ cpiPersonId: former.suId })
    expect(
      await teacher.client.ask(circleApplyApi.apply, {
        ciId,
        caType: circleApplyType.handOver,
        cpiPersonId: former.suId,
        applyReason: why,
      }),
    ).toMatchObject({ reason: 'circle-leader-same' })
    await teacher.client.send(circleApplyApi.apply, {
      ciId,
      caType: circleApplyType.handOver,
      cpiPersonId: next.suId,
      applyReason: why,
    })
    expect(await leader.client.send(circleApplyApi.pass, { ciIds: [ciId], cpiPersonIds: [next.suId] })).toEqual({
      affected: 1,
    })
    const circle = await leader.client.send(circleApi.detail, { ciId })
    expect(circle).toMatchObject({ cpiPersonId: next.suId })
    expect(Object.fromEntries(circle.persons.map(({ suId, cmRole }) => [suId, cmRole]))).toMatchObject({
      [next.suId]: '1',
      [former.suId]: '5',
    })
    const holders = await school.ctx.db
      .selectFrom('roleUser')
      .select('suId')
      .where('schoolId', '=', school.schoolId)
      .where('srId', '=', school.roles['CLUB_LEAD']!)
      .execute()
    expect(holders.map(({ suId }) => suId)).toContain(next.suId)
    expect(holders.map(({ suId }) => suId)).not.toContain(former.suId)
  })

  test('the yearly review is kept once a year; who is to put something right is told so by its status', async () => {
    const { teacher, leader, students } = w
    const ciId = await w.founded()
    const pair = { ciIds: [ciId], cpiPersonIds: [students[0]!.suId] }
    expect(
      await teacher.client.ask(circleApplyApi.apply, { ciId, caType: circleApplyType.yearlyReview, applyReason: why }),
    ).toMatchObject({
      errors: [{ field: 'crYear' }, { field: 'crResult' }],
    })
    await teacher.client.send(circleApplyApi.apply, {
      ciId,
      caType: circleApplyType.yearlyReview,
      applyReason: why,
      crYear: 2025,
      crResult: circleReview.rectify,
    })
    await leader.client.send(circleApplyApi.pass, pair)
    expect(await leader.client.send(circleApi.detail, { ciId })).toMatchObject({
      ciStatus: circleStatus.rectifying,
      reviews: [{ crYear: 2025, crResult: circleReview.rectify, activityCount: 0 }],
    })
    expect(
      await teacher.client.ask(circleApplyApi.apply, {
        ciId,
        caType: circleApplyType.yearlyReview,
        applyReason: why,
        crYear: 2025,
        crResult: circleReview.passed,
      }),
    ).toMatchObject({ reason: 'circle-reviewed' })
    await teacher.client.send(circleApplyApi.apply, {
      ciId,
      caType: circleApplyType.yearlyReview,
      applyReason: why,
      crYear: 2026,
      crResult: circleReview.passed,
      crStar: circleStar.four,
    })
    await leader.client.send(circleApplyApi.pass, pair)
    expect((await leader.client.send(circleApi.detail, { ciId })).ciStatus).toBe(circleStatus.enabled)
  })

  test('the yearly review gives stars, which the circle, its list and the statistics tell from the last one', async () => {
    const { teacher, leader, students } = w
    const ciId = await w.founded()
    const pair = { ciIds: [ciId], cpiPersonIds: [students[0]!.suId] }
    const detail = () => leader.client.send(circleApi.detail, { ciId })
    expect((await detail()).star).toBeNull()
    for (const [crYear, crStar] of [
      [2025, circleStar.four],
      [2024, circleStar.five],
    ] as const) {
      const asked = { caType: circleApplyType.yearlyReview, applyReason: why, crYear, crStar }
      await teacher.client.send(circleApplyApi.apply, { ciId, crResult: circleReview.passed, ...asked })
      expect(await applications({ ciId, ciAuthStatus: circleAuthStatus.pending })).toMatchObject([{ crYear, crStar }])
      await leader.client.send(circleApplyApi.pass, pair)
    }
    expect(await detail()).toMatchObject({
      star: circleStar.four,
      reviews: [
        { crYear: 2025, crStar: circleStar.four },
        { crYear: 2024, crStar: circleStar.five },
      ],
    })
    const withStar = async (star: CodeOf<typeof circleStar>) =>
      (await leader.client.send(circleApi.list, { ...all, star })).records.map((row) => [row.ciId, row.star])
    expect(await withStar(circleStar.four)).toContainEqual([ciId, circleStar.four])
    expect(await withStar(circleStar.five)).toEqual([])
    const { records } = await leader.client.send(circleStatApi.detail, { ...all, pageSize: 200 })
    expect(records.find((row) => row.ciId === ciId)).toMatchObject({ crYear: 2025, crStar: circleStar.four })
    const { lines } = await sheetIn((await leader.client.download(circleStatApi.exportList, {})).bytes)
    const line = JSON.stringify(lines.find((one) => JSON.stringify(one).includes('2025 年 合格')))
    expect(line).toContain('四星')
  })

  test('a closed circle is not changed any more and frees its name', async () => {
    const { school, teacher, leader, students, form } = w
    const ciName = `注销${unique()}`
    const ciId = await w.founded({ ciName })
    const pair = { ciIds: [ciId], cpiPersonIds: [students[0]!.suId] }
    await teacher.client.send(circleApplyApi.apply, { ciId, caType: circleApplyType.dissolution, applyReason: why })
    expect(
      await applications({ ciId, caType: circleApplyType.dissolution, ciAuthStatus: circleAuthStatus.pending }),
    ).toMatchObject([{ cpiPersonId: students[0]!.suId, can: ['decide'] }])
    await leader.client.send(circleApplyApi.pass, { ...pair, reason: '同意' })
    const closed = await teacher.client.send(circleApi.detail, { ciId })
    expect(closed).toMatchObject({ ciStatus: circleStatus.dissolved, can: [] })
    expect(
      await teacher.client.ask(circleApi.update, { ...form({ ciName }), ciId, version: closed.version }),
    ).toMatchObject({ reason: 'wrong-state' })
    expect(await school.admin.ask(circleApi.enable, pair)).toMatchObject({ reason: 'wrong-state' })
    expect(
      await teacher.client.ask(circleApplyApi.apply, { ciId, caType: circleApplyType.dissolution, applyReason: why }),
    ).toMatchObject({
      reason: 'wrong-state',
    })
    expect(await w.founded({ ciName })).not.toBe(ciId)
  })

  test('is decided only where one looks after circles', async () => {
    const { school, teacher, students } = w
    const ciId = await w.founded()
    await teacher.client.send(circleApplyApi.apply, { ciId, caType: circleApplyType.dissolution, applyReason: why })
    const other = await school.person('COLLEGE_LEAGUE', [{ caType: 'college', caTarget: await school.college() }])
    expect(
      (await other.client.ask(circleApplyApi.pass, { ciIds: [ciId], cpiPersonIds: [students[0]!.suId] })).status,
    ).toBe(404)
    expect((await other.client.send(circleApplyApi.list, { ...all, ciId })).total).toBe(0)
    expect(
      await school.admin.ask(circleApplyApi.pass, { ciIds: [ciId], cpiPersonIds: [students[1]!.suId] }),
    ).toMatchObject({ reason: 'circle-apply-gone' })
  })
})
