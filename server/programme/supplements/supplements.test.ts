import { describe, expect, test } from 'vitest'
import { approvalApi } from '../../../contract/programme/approvals/approvals.calls.ts'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import {
  approvalStatus,
  creditType,
  publictyStatus,
  supplementStatus,
  supplementType,
  supplementTab,
} from '../../../contract/core/codes/programme.ts'
import { supProof } from '../../../contract/core/codes/rules.ts'
import { studentStatus } from '../../../contract/core/codes/school.ts'
import { fileApi } from '../../../contract/platform/files/files.calls.ts'
import { messageApi } from '../../../contract/school/messages/messages.calls.ts'
import { supplementApi, supplementCaseApi } from '../../../contract/programme/supplements/supplements.calls.ts'
import { transcriptApi } from '../../../contract/outcomes/transcripts/transcripts.calls.ts'
import { addDays, dayOf } from '../../core/base/clock.ts'
import { unique, type TestPerson } from '../../testing/school.ts'
import {
  passSupplement,
  refuseSupplement,
  supplementWorldOfTests,
  taskOf,
  type SupplementWorldOfTests,
} from '../../testing/supplements.ts'
import { completeSupplements } from './completion.service.ts'

const letters = async ({ client }: TestPerson) =>
  (await client.send(messageApi.inbox, { pageSize: 50 })).records.map(({ iiTitle }) => iiTitle)
const messagesOf = async ({ school }: SupplementWorldOfTests, suId: string) =>
  (
    await school.ctx.db
      .selectFrom('informationReceiver as r')
      .innerJoin('information as i', (join) =>
        join.onRef('i.schoolId', '=', 'r.schoolId').onRef('i.iiId', '=', 'r.iiId'),
      )
      .select('i.iiTitle')
      .where('r.schoolId', '=', school.schoolId)
      .where('r.suId', '=', suId)
      .execute()
  ).map(({ iiTitle }) => iiTitle)
const list = async (person: TestPerson, filters: object) =>
  (await person.client.send(supplementApi.list, { pageSize: 200, ...filters })).records

describe('the life of a record', () => {
  test('entered, refused, mended, approved in two steps, publicised, credited once, on the transcript', async () => {
    const lookups = await supplementWorldOfTests()
    const { school, secretary, leader, auditor } = lookups
    const [student] = await lookups.students(1)
    const form = lookups.form(student!.suId, { certNo: 'CET6-1' })
    const draft = await secretary.client.send(supplementApi.save, form)
    expect(draft).toMatchObject({ lisStatus: supplementStatus.draft, version: 0 })
    expect(await secretary.client.send(supplementApi.submit, { lisId: draft.lisId })).toEqual({
      affected: 1,
      failed: [],
    })
    expect(await leader.client.send(approvalApi.auditCount, {})).toMatchObject({ supplement: 1 })
    expect((await taskOf(leader, draft.lisId))!.summary).toContain(`${student!.suiName}（${student!.suiNumber}）`)
    expect(await refuseSupplement(leader, draft.lisId)).toMatchObject({ code: 200 })
    const refused = await secretary.client.send(supplementApi.load, { lisId: draft.lisId })
    expect(refused).toMatchObject({
      lisStatus: supplementStatus.refused,
      refuseReason: '证明材料不清晰',
      lsName: '技能特长 / 语言证书',
      lisHours: '3',
      lisCredit: '0.3',
      lisPoints: expect.any(String) as string,
    })
    expect(refused.gates.map(({ name, passed, failed }) => [name, passed, failed])).toEqual([
      ['录入', true, false],
      ['提交', true, false],
      ['审批', false, true],
      ['公示', false, false],
      ['入账', false, false],
    ])
    expect(await letters(secretary)).toContain(`《${form.lisName}》补录审批被驳回`)
    expect(await messagesOf(lookups, student!.suId)).toEqual([`您的补录《${form.lisName}》未通过审批`])
    const mended = await secretary.client.send(supplementApi.save, {
      ...form,
      lisId: draft.lisId,
      version: refused.version,
      lisDesc: '附上原件',
      submit: '1',
    })
    expect(mended.lisStatus).toBe(supplementStatus.inReview)
    expect(await passSupplement(leader, draft.lisId)).toMatchObject({ code: 200 })
    expect(await lookups.statusOf(draft.lisId)).toBe('1')
    expect(await passSupplement(auditor, draft.lisId)).toMatchObject({ code: 200 })
    expect(await lookups.statusOf(draft.lisId)).toBe('2')
    const today = dayOf(school.clock.now())
    await auditor.client.send(supplementApi.publicise, {
      lisId: draft.lisId,
      lisPublictySdate: today,
      lisPublictyEdate: addDays(today, 4),
    })
    expect(await list(secretary, { flagType: supplementTab.inNotice })).toMatchObject([
      {
        lisId: draft.lisId,
        lisPublictyStatus: publictyStatus.running,
        lisPublictySdate: `${today} 00:00:00`,
        lisPublictyEdate: `${addDays(today, 4)} 23:59:59`,
      },
    ])
    expect(await completeSupplements(school.services, school.schoolId)).toBe(0)
    await school.ctx.db
      .updateTable('supplement')
      .set({ lisPublictyEdate: addDays(school.clock.now(), -1) })
      .where('schoolId', '=', school.schoolId)
      .execute()
    expect(
      (
        await Promise.all(Array.from({ length: 5 }, () => completeSupplements(school.services, school.schoolId)))
      ).reduce((sum, n) => sum + n, 0),
    ).toBe(1)
    expect(await completeSupplements(school.services, school.schoolId)).toBe(0)
    expect((await lookups.ledger(draft.lisId)).map(({ clType, clValue, source }) => [clType, clValue, source])).toEqual(
      [
        [creditType.hours, 300, 'SUP'],
        [creditType.credit, 30, 'SUP'],
        [creditType.points, expect.any(Number), 'SUP'],
        [creditType.ability, 300, 'SUP'],
      ],
    )
    const detail = await school.admin.send(supplementApi.detail, { lisId: draft.lisId })
    expect(detail).toMatchObject({
      lisStatus: supplementStatus.credited,
      lisPublictyStatus: publictyStatus.ended,
      completeTime: expect.any(String) as string,
    })
    expect(detail.gates.every(({ passed }) => passed)).toBe(true)
    expect(detail.flows.map(({ insStatus }) => insStatus)).toEqual([approvalStatus.passed, approvalStatus.refused])
    expect(detail.ledger[0]).toMatchObject({ clType: '学时', value: '3', source: 'SUP' })
    const scores = await school.admin.send(transcriptApi.stuScore, { search: student!.suiNumber })
    expect(scores.records).toMatchObject([
      { source: 'SUP', name: form.lisName, hours: '3', lisId: draft.lisId, status: '1' },
    ])
    expect(await messagesOf(lookups, student!.suId)).toEqual(
      expect.arrayContaining([
        `您的补录《${form.lisName}》已通过审批`,
        `您的补录《${form.lisName}》已入账`,
      ]) as string[],
    )
    expect(await letters(secretary)).toContain(`补录《${form.lisName}》已入账`)
  })

  test('twenty deciders of one step: one decides, the others are told so', async () => {
    const lookups = await supplementWorldOfTests()
    const [student] = await lookups.students(1)
    const lisId = await lookups.submitted(student!.suId)
    const { taskId } = (await taskOf(lookups.leader, lisId))!
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        lookups.leader.client.ask(at % 2 ? approvalApi.supPass : approvalApi.supRefuse, {
          taskIds: [taskId],
          ...(at % 2 ? {} : { opinion: '证明材料不清晰' }),
        }),
      ),
    )
    expect(replies.filter(({ code }) => code === 200)).toHaveLength(1)
    expect(replies.filter(({ reason }) => reason === 'already-decided')).toHaveLength(19)
    expect(replies.find(({ reason }) => reason === 'already-decided')!.msg).toBe('该任务已被处理')
    expect(await lookups.auditor.client.ask(approvalApi.supRefuse, { taskIds: [taskId], opinion: '短' })).toMatchObject(
      {
        code: 300,
      },
    )
  })

  test('taken back before anybody has decided, by its initiator only', async () => {
    const lookups = await supplementWorldOfTests()
    const [student] = await lookups.students(1)
    const lisId = await lookups.submitted(student!.suId)
    expect(await lookups.leader.client.ask(supplementApi.withdraw, { lisId })).toMatchObject({ status: 403 })
    await lookups.secretary.client.send(supplementApi.withdraw, { lisId })
    expect(await lookups.statusOf(lisId)).toBe('4')
    expect(await taskOf(lookups.leader, lisId)).toBeUndefined()
    await lookups.secretary.client.send(supplementApi.submit, { lisId })
    await passSupplement(lookups.leader, lisId)
    expect(await lookups.secretary.client.ask(supplementApi.withdraw, { lisId })).toMatchObject({
      code: 300,
      reason: 'already-decided',
    })
  })

  test('without a flow nothing is submitted, and a flow without steps passes at once', async () => {
    const lookups = await supplementWorldOfTests(() => [])
    const [student] = await lookups.students(1)
    expect(await lookups.statusOf(await lookups.submitted(student!.suId))).toBe('2')
    await lookups.school.ctx.db.deleteFrom('workflow').where('schoolId', '=', lookups.school.schoolId).execute()
    const reply = await lookups.secretary.client.ask(supplementApi.save, {
      ...lookups.form(student!.suId),
      submit: '1',
    })
    expect(reply).toMatchObject({
      code: 300,
      reason: 'workflow-missing',
      msg: '未配置适用的审批流程。请联系校级管理员（管理员）在“流程管理”中配置适用的流程后再提交',
    })
    expect(await list(lookups.secretary, { lisStatus: supplementStatus.draft })).toEqual([])
  })
})

describe('entering', () => {
  test('every fault is told on its field', async () => {
    const lookups = await supplementWorldOfTests()
    const { school, secretary } = lookups
    const [student] = await lookups.students(1)
    const college = await school.college()
    const major = await school.major(college)
    const [foreign] = await school.students(1, {
      suiCollegeId: college,
      majorId: major,
      scClassId: await school.schoolClass(major, college),
    })
    const today = dayOf(school.clock.now())
    const cases: [object, string, string][] = [
      [{ lisObtainDate: addDays(today, 1) }, 'lisObtainDate', '获得日期不能晚于今天'],
      [{ lisObtainDate: '2020-01-01' }, 'lisObtainDate', '获得日期早于该学生入学（2024-08-16），不能补录'],
      [{ lisLevel: '99' }, 'lisLevel', '所选级别不存在或已停用'],
      [{ lisLevel: '5' }, 'lisLevel', '模块“语言证书”没有校级的评价规则，请选择其他级别'],
      [{ lisAward: '特别大奖' }, 'lisAward', '国家级没有奖项“特别大奖”，可填：一等奖'],
      [{ lsId: school.curriculum['SXCL']! }, 'lisHoursDeclared', '该模块与级别没有评价规则，请填写申请学时'],
      [{ lsId: student!.suId }, 'lsId', '所选模块不存在、已停用或不接受补录'],
      [{ lisHoursDeclared: '7' }, 'lisHoursDeclared', '申请学时不能超过评价规则的上限 6 学时'],
      [{ lisTeamSize: 3 }, 'lisRank', '请填写团队排位'],
      [{ lisTeamSize: 3, lisRank: 4 }, 'lisRank', '团队排位不能大于团队人数'],
      [{ lisStartDate: today, lisEndDate: addDays(today, -1) }, 'lisEndDate', '结束日期不能早于开始日期'],
      [{ certUrl: 'javascript:alert(1)' }, 'certUrl', '查询网址须以 http:// 或 https:// 开头'],
      [{ suId: foreign!.suId }, 'suId', '该学生不存在或不在您的管理范围内'],
      [{ lisName: '' }, 'lisName', '请输入补录名称'],
    ]
    for (const [more, field, msg] of cases)
      expect(await secretary.client.ask(supplementApi.save, lookups.form(student!.suId, more)), msg).toMatchObject({
        code: 300,
        errors: expect.arrayContaining([{ field, msg }]) as object[],
      })
    await school.ctx.db
      .updateTable('person')
      .set({ suiStatus: studentStatus.graduated })
      .where('schoolId', '=', school.schoolId)
      .where('suId', '=', student!.suId)
      .execute()
    expect((await secretary.client.ask(supplementApi.save, lookups.form(student!.suId))).errors).toEqual([
      { field: 'suId', msg: `${student!.suiName} 已不在校，不能补录` },
    ])
  })

  test('a second click makes no second record, an old version is refused, and what is under approval is not edited', async () => {
    const lookups = await supplementWorldOfTests()
    const [student] = await lookups.students(1)
    const form = lookups.form(student!.suId)
    const saved = await Promise.all(
      Array.from({ length: 10 }, () => lookups.secretary.client.send(supplementApi.save, form)),
    )
    expect(new Set(saved.map(({ lisId }) => lisId)).size).toBe(1)
    const { lisId } = saved[0]!
    const other = await lookups.secretary.client.send(supplementApi.save, { ...form, certNo: 'B-2' })
    expect(other.lisId).not.toBe(lisId)
    const edits = await Promise.all(
      [1, 2].map((n) =>
        lookups.secretary.client.ask(supplementApi.save, { ...form, lisId, version: 0, lisDesc: `第 ${n} 次` }),
      ),
    )
    expect(edits.map(({ status }) => status).toSorted()).toEqual([200, 409])
    await lookups.secretary.client.send(supplementApi.submit, { lisId })
    expect(await lookups.secretary.client.ask(supplementApi.save, { ...form, lisId, version: 2 })).toMatchObject({
      code: 300,
      msg: '当前状态不可编辑，请刷新后查看',
    })
    expect(await lookups.secretary.client.ask(supplementApi.submit, { lisId })).toMatchObject({
      code: 300,
      msg: '当前状态不可提交审批，请刷新后查看',
    })
    expect(await lookups.secretary.client.ask(supplementApi.load, { lisId })).toMatchObject({
      code: 300,
      reason: 'wrong-state',
    })
  })

  test('only in the window of the module, else in the months of the school; the school itself at any time', async () => {
    const lookups = await supplementWorldOfTests()
    const { school } = lookups
    const [student] = await lookups.students(1)
    const { lisId } = await lookups.secretary.client.send(supplementApi.save, lookups.form(student!.suId))
    const month = Number(dayOf(school.clock.now()).slice(5, 7))
    const next = (month % 12) + 1
    await school.rules({ supMonths: [next] })
    expect(await lookups.secretary.client.ask(supplementApi.submit, { lisId })).toMatchObject({
      code: 300,
      reason: 'sup-closed',
      msg: expect.stringMatching(`“技能特长 / 语言证书”当前不在补录开放期（每年 ${next} 月），.* 起开放`) as string,
    })
    await school.ctx.db
      .updateTable('curriculum')
      .set({ supWindow: JSON.stringify({ way: 'year', months: [], dates: [] }) })
      .where('schoolId', '=', school.schoolId)
      .where('lsId', '=', school.curriculum['JNTC']!)
      .execute()
    await lookups.secretary.client.send(supplementApi.submit, { lisId })
    await school.ctx.db
      .updateTable('curriculum')
      .set({ supWindow: null })
      .where('schoolId', '=', school.schoolId)
      .where('lsId', '=', school.curriculum['JNTC']!)
      .execute()
    const late = await school.admin.send(supplementApi.save, { ...lookups.form(student!.suId), submit: '1' })
    expect(late.lisStatus).toBe(supplementStatus.inReview)
    await school.ctx.db
      .updateTable('curriculum')
      .set({ allowSup: yesNo.no })
      .where('schoolId', '=', school.schoolId)
      .where('lsId', '=', school.curriculum['JNTC']!)
      .execute()
    expect((await school.admin.ask(supplementApi.save, lookups.form(student!.suId))).errors).toEqual([
      { field: 'lsId', msg: '所选模块不存在、已停用或不接受补录' },
    ])
  })

  test('with the proofs the module asks for; they are seen by whoever sees the record', async () => {
    const lookups = await supplementWorldOfTests()
    const { school, secretary } = lookups
    const [student] = await lookups.students(1)
    await school.ctx.db
      .updateTable('curriculum')
      .set({ supProofs: [supProof.file, supProof.certificateNumber] })
      .where('schoolId', '=', school.schoolId)
      .where('lsId', '=', school.curriculum['JNTC']!)
      .execute()
    const pdf = Buffer.from(
      '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n',
    )
    const upload = async (person: TestPerson) =>
      (await person.client.upload(fileApi.upload, { name: '证书.pdf', bytes: pdf }, { kind: 'document' })).data.fileId
    const form = lookups.form(student!.suId)
    expect(await secretary.client.ask(supplementApi.save, { ...form, submit: '1' })).toMatchObject({
      code: 300,
      reason: 'sup-proofs-missing',
      msg: '请按“技能特长 / 语言证书”的要求提供证明材料：附件文件、证书编号',
    })
    const proof = await upload(secretary)
    expect(await lookups.auditor.client.ask(supplementApi.save, { ...form, lisProofs: [proof] })).toMatchObject({
      status: 403,
    })
    const { lisId } = await secretary.client.send(supplementApi.save, {
      ...form,
      lisProofs: [proof],
      certNo: 'A-1',
      submit: '1',
    })
    expect((await lookups.leader.client.download(supplementApi.proof, { id: proof })).bytes.toString()).toBe(
      pdf.toString(),
    )
    expect(await secretary.client.ask(fileApi.view, { id: proof })).toMatchObject({ status: 404 })
    const outsider = await school.person('COLLEGE_LEAGUE', [{ caType: 'college', caTarget: await school.college() }])
    expect(await outsider.client.ask(supplementApi.proof, { id: proof })).toMatchObject({ status: 404 })
    expect(await outsider.client.ask(supplementApi.detail, { lisId })).toMatchObject({ status: 404 })

    const again = await upload(secretary)
    const texts = (
      await secretary.client.send(supplementApi.dupHints, {
        ...form,
        suId: student!.suId,
        lisProofs: [again],
        certNo: 'A-1',
      } as never)
    ).map(({ level, text }) => `${level} ${text.slice(0, 18)}`)
    expect(texts).toEqual([
      expect.stringContaining('同一学生已有同名、同日期的补录'),
      expect.stringContaining('证书编号 A-1 已用于补录'),
      expect.stringContaining('证明材料与另一补录的文件完全相同'),
    ])
    expect(await outsider.client.send(supplementApi.dupHints, { certNo: 'A-1', lisProofs: [] })).toEqual([
      { level: 'warning', lisId: null, text: '证书编号 A-1 已用于补录（不在您的管理范围内，请联系校级管理员核对）' },
    ])
    const other = (await lookups.students(1))[0]!
    const second = await secretary.client.send(supplementApi.save, {
      ...lookups.form(other.suId),
      lisProofs: [again],
      certNo: 'A-1',
      submit: '1',
    })
    const shown = await lookups.leader.client.send(supplementCaseApi.supCase, { lisId: second.lisId })
    expect(shown.hints.filter(({ level }) => level === 'warning').map(({ lisId: one }) => one)).toEqual([lisId, lisId])
    expect(shown).toMatchObject({
      task: { can: expect.arrayContaining(['pass', 'refuse']) as string[] },
      sup: { proofs: [{ id: again, name: '证书.pdf', kind: 'document' }] },
    })
  })

  test('the preview tells who would approve and what it would give', async () => {
    const lookups = await supplementWorldOfTests()
    const [student] = await lookups.students(1)
    const { lsId, lisLevel } = lookups.form(student!.suId)
    const shown = await lookups.secretary.client.send(supplementApi.flowPreview, {
      suId: student!.suId,
      lsId,
      lisLevel,
      lisAward: '一等奖',
      lisTeamSize: 3,
      lisRank: 1,
    })
    expect(shown.nodes[0]!.steps.map(({ people }) => people)).toEqual([
      [lookups.leader.suiName],
      [lookups.auditor.suiName],
    ])
    expect(shown.reckoning[0]).toMatchObject({
      clType: '学时',
      value: '2.4',
      text: expect.stringContaining('3 人团队第 1 位 0.6') as string,
    })
  })
})

describe('the list', () => {
  test('tabs, filters and order; another class sees nothing of it', async () => {
    const lookups = await supplementWorldOfTests()
    const { school, secretary } = lookups
    const students = await lookups.students(3)
    const name = unique()
    const [draft, waiting, notice] = [
      (
        await secretary.client.send(
          supplementApi.save,
          lookups.form(students[0]!.suId, { lisName: `${name}甲`, lisAward: '一等奖' }),
        )
      ).lisId,
      await lookups.approved(students[1]!.suId, { lisName: `${name}乙`, lisType: supplementType.competitionAward }),
      await lookups.inNotice(students[2]!.suId, { lisName: `${name}丙` }),
    ]
    const done = await lookups.credited(students[0]!.suId, { lisName: `${name}丁` })
    const ids = async (filters: object) => (await list(secretary, filters)).map(({ lisId }) => lisId)
    expect(await ids({})).toHaveLength(4)
    expect(await ids({ flagType: supplementTab.all, sort: 'lisName', order: 'asc' })).toHaveLength(4)
    for (const [filters, wanted] of [
      [{ flagType: supplementTab.awaitingNotice }, [waiting]],
      [{ flagType: supplementTab.inNotice }, [notice]],
      [{ flagType: supplementTab.credited }, [done]],
      [{ flagType: supplementTab.deleted }, []],
      [{ suiName: students[1]!.suiName }, [waiting]],
      [{ suiNumber: students[2]!.suiNumber }, [notice]],
      [{ lisAward: '一等' }, [draft]],
      [{ lisName: `${name}乙` }, [waiting]],
      [{ lisType: supplementType.competitionAward }, [waiting]],
      [{ lisStatus: supplementStatus.draft }, [draft]],
      [{ lsId: school.curriculum['JNTC'], lisStatus: supplementStatus.credited }, [done]],
      [{ obtainEnd: '2025-01-01' }, []],
      [{ suiGrade: '2019' }, []],
    ] as const)
      expect(await ids(filters), JSON.stringify(filters)).toEqual(wanted)
    const raw = await fetch(`${school.address}/api/schoolbase/lessonsInfoSup/list?currentPageNum=2&pageSize=3`, {
      headers: { authorization: `Bearer ${secretary.client.token}` },
    }).then((reply) => reply.json() as Promise<{ data: { records: unknown[]; current: number; total: number } }>)
    expect(raw.data).toMatchObject({ current: 2, total: 4 })
    expect(raw.data.records).toHaveLength(1)
    expect(await secretary.client.send(supplementApi.count, {})).toEqual([
      { lisStatus: supplementStatus.draft, count: 1 },
      { lisStatus: supplementStatus.passed, count: 1 },
      { lisStatus: supplementStatus.inNotice, count: 1 },
      { lisStatus: supplementStatus.credited, count: 1 },
    ])
    const neighbour = await school.person('LEAGUE_SEC', [
      { caType: 'class', caTarget: await school.schoolClass(await school.major(lookups.scId), lookups.scId) },
    ])
    expect(await list(neighbour, {})).toEqual([])
    expect(await neighbour.client.ask(supplementApi.submit, { lisId: draft })).toMatchObject({ status: 404 })
    const book = await lookups.leader.client.download(supplementApi.exportList, {})
    expect(book.name).toMatch(/^补录一览/)
    expect(await secretary.client.ask(supplementApi.exportList, {})).toMatchObject({ status: 403 })
  })

  test('several are submitted at once, each on its own', async () => {
    const lookups = await supplementWorldOfTests()
    const students = await lookups.students(3)
    const ids = []
    for (const { suId } of students)
      ids.push((await lookups.secretary.client.send(supplementApi.save, lookups.form(suId))).lisId)
    await lookups.secretary.client.send(supplementApi.submit, { lisId: ids[0]! })
    const answer = await lookups.secretary.client.send(supplementApi.submit, { lisId: ids })
    expect(answer).toMatchObject({ affected: 2, failed: [{ id: ids[0], msg: '当前状态不可提交审批，请刷新后查看' }] })
    expect(
      await lookups.leader.client.send(approvalApi.supPass, {
        taskIds: (await lookups.leader.client.send(approvalApi.supQueue, { pageSize: 50 })).records.map(
          ({ taskId }) => taskId,
        ),
      }),
    ).toMatchObject({ affected: 3, failed: [] })
  })
})
