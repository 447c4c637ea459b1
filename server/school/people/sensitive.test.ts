import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { fileState } from '../../../contract/core/codes/platform.ts'
import type { Call } from '../../../contract/core/call.ts'
import { dataScope, idDocument, personSex, politicalStatus } from '../../../contract/core/codes/school.ts'
import { fileApi } from '../../../contract/platform/files/files.calls.ts'
import { perDay, piiApi } from '../../../contract/school/people/pii.calls.ts'
import { studentApi } from '../../../contract/school/people/students.calls.ts'
import { teacherApi } from '../../../contract/school/people/teachers.calls.ts'
import { memberApi } from '../../../contract/school/roles/members.calls.ts'
import { roleApi } from '../../../contract/school/roles/roles.calls.ts'
import { transcriptApi } from '../../../contract/outcomes/transcripts/transcripts.calls.ts'
import type { Client } from '../../testing/client.ts'
import { unique, type TestPerson } from '../../testing/school.ts'
import { world, type World } from '../../testing/two-colleges.ts'

// made up, with the right check character
const idCard = '110105199003078510'
const secrets = {
  suiIdCard: idCard,
  suiPhone: '13812345678',
  birth: '1990-03-07',
  suiEmail: 'lilei@example.com',
  suiAddress: '东湖路一号',
  leagueJoinDate: '2004-05-04',
  partyJoinDate: '2011-06-30',
}
const reason = '核对奖学金名单'
const all = { current: 1, pageSize: 50 }

let w: World
/** One student of the first college, with everything filled in. */
let person: { suId: string; suiNumber: string }
/** Sees the students of both colleges, and nothing that is sensitive. */
let viewer: TestPerson
const trail = async (bizId: string, action: string) =>
  w.school.ctx.db
    .selectFrom('auditLog')
    .select(['actorId', 'result', 'reason', 'after', 'bizName'])
    .where('schoolId', '=', w.school.schoolId)
    .where('bizId', '=', bizId)
    .where('action', '=', action)
    .orderBy('logId')
    .execute()
const add = async (more: object = {}) => {
  const suiNumber = `S${unique()}`
  return {
    suiNumber,
    ...(await w.school.admin.send(studentApi.save, {
      suiNumber,
      suiName: '李雷',
      suiSex: personSex.male,
      suiIdType: idDocument.residentCard,
      ...w.own,
      ...more,
    })),
  }
}
/** Edits students of the whole school without the right to what is sensitive. */
async function clerkOf(): Promise<TestPerson> {
  const { srId } = await w.school.admin.send(roleApi.save, {
    srName: `录入员${unique()}`,
    dataScope: dataScope.school,
    permits: ['student:list', 'student:edit'],
  })
  const clerk = await w.school.person('SIGN_MGR')
  await w.school.admin.send(memberApi.add, { srId, suIds: [clerk.suId] })
  return clerk
}

beforeAll(async () => {
  w = await world()
  person = await add({ ...secrets, suiPolitical: politicalStatus.partyMember })
  viewer = await w.school.person('DATA_VIEWER')
})

describe('sensitive facts', () => {
  test('are masked in the detail for everybody; the political status for those without the right', async () => {
    const shown = {
      suiIdCard: '110***********8510',
      suiPhone: '138****5678',
      birth: '****-**-**',
      suiEmail: 'l***@example.com',
      suiAddress: '******',
      leagueJoinDate: '****-**-**',
      partyJoinDate: '****-**-**',
    }
    expect(await w.collegeAdmin.client.send(studentApi.detail, { id: person.suId })).toMatchObject({
      ...shown,
      suiPolitical: politicalStatus.partyMember,
      can: ['edit', 'delete', 'resetPwd', 'credibility', 'disable', 'unmask'],
    })
    const detail = await viewer.client.send(studentApi.detail, { id: person.suId })
    expect(detail).toMatchObject({ ...shown, suiPolitical: '**', can: [] })
    for (const secret of Object.values(secrets)) expect(JSON.stringify(detail)).not.toContain(secret)
  })

  test('are opened one person at a time, with a reason, and each time is on record', async () => {
    const { client, suId } = w.collegeAdmin
    const answer = await client.ask(piiApi.unmask, { suId: person.suId, fields: ['suiPhone', 'birth'], reason })
    expect(answer.data).toEqual({ suId: person.suId, values: { suiPhone: '13812345678', birth: '1990-03-07' } })
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(
      (await client.send(piiApi.unmask, { suId: person.suId, fields: ['suiIdCard', 'suiEmail', 'suiAddress'], reason }))
        .values,
    ).toEqual({ suiIdCard: idCard, suiEmail: secrets.suiEmail, suiAddress: secrets.suiAddress })
    const rows = await trail(person.suId, '查看敏感信息')
    expect(rows).toMatchObject([
      {
        actorId: suId,
        result: 'ok',
        reason,
        after: { 查看内容: ['手机号', '出生日期'] },
        bizName: `李雷（${person.suiNumber}）`,
      },
      { after: { 查看内容: ['证件号码', '邮箱', '家庭住址'] } },
    ])
    for (const secret of Object.values(secrets)) expect(JSON.stringify(rows)).not.toContain(secret)
  })

  test.each([
    ['without a reason', { fields: ['suiPhone'] }, 'reason'],
    ['with too short a reason', { fields: ['suiPhone'], reason: '看看' }, 'reason'],
    ['without telling which', { fields: [], reason }, 'fields'],
    ['of fields that are none', { fields: ['passwordHash'], reason }, 'fields.0'],
  ])('are not opened %s', async (_, input, field) => {
    expect(await w.collegeAdmin.client.ask(piiApi.unmask, { suId: person.suId, ...input })).toMatchObject({
      code: 300,
      errors: [{ field }],
    })
  })

  test('are not opened without the right, out of reach, or in another school', async () => {
    const [foreign] = await w.school.students(1, w.strange)
    const input = { suId: person.suId, fields: ['suiPhone'], reason }
    expect((await viewer.client.ask(piiApi.unmask, input)).status).toBe(403)
    expect((await w.collegeAdmin.client.ask(piiApi.unmask, { ...input, suId: foreign!.suId })).status).toBe(404)
    const counselor = await w.school.person('COUNSELOR', [{ caType: 'class', caTarget: w.strange.scClassId }])
    expect((await counselor.client.ask(piiApi.unmask, input)).status).toBe(404)
    expect((await (await world()).school.admin.ask(piiApi.unmask, input)).status).toBe(404)
  })

  test(`are opened of at most ${perDay.unmask} people a day by one person, however many requests come at once`, async () => {
    const { school, own } = w
    const counselor = await school.person('COUNSELOR', [{ caType: 'class', caTarget: own.scClassId }])
    const students = await school.students(perDay.unmask + 5, own)
    const ask = (suId: string) => counselor.client.ask(piiApi.unmask, { suId, fields: ['suiPhone'], reason })
    const replies = await Promise.all(students.map(({ suId }) => ask(suId)))
    expect(replies.filter(({ code }) => code === 200)).toHaveLength(perDay.unmask)
    const refused = students[replies.findIndex(({ code }) => code !== 200)]!
    expect(await ask(refused.suId)).toMatchObject({
      reason: 'pii-limit',
      msg: '今天查看敏感信息已达 100 次上限，请明天再试',
    })
    expect((await trail(refused.suId, '查看敏感信息')).every(({ result }) => result === 'refused')).toBe(true)
    // somebody seen already counts once
    expect((await ask(students[replies.findIndex(({ code }) => code === 200)]!.suId)).code).toBe(200)
  })

  test('stay as they are where a form sends them back masked, and are refused half masked', async () => {
    const { school } = w
    const edited = await add({
      suiName: '韩梅',
      suiSex: personSex.female,
      birth: '2002-12-12',
      suiPhone: '13900001111',
      suiEmail: 'han@example.com',
      suiAddress: '南湖路二号',
      suiPolitical: politicalStatus.leagueMember,
      leagueJoinDate: '2016-05-04',
    })
    const clerk = await clerkOf()
    const read = await clerk.client.send(studentApi.detail, { id: edited.suId })
    expect(read).toMatchObject({
      birth: '****-**-**',
      suiPolitical: '**',
      suiEmail: 'h***@example.com',
      suiAddress: '******',
      suiPhone: '139****1111',
    })
    const form = {
      suId: edited.suId,
      suiNumber: edited.suiNumber,
      suiName: '韩梅梅',
      suiSex: personSex.female,
      ...w.own,
    }
    const masked = {
      birth: read.birth!,
      suiPolitical: read.suiPolitical!,
      suiEmail: read.suiEmail!,
      suiAddress: read.suiAddress!,
      suiPhone: read.suiPhone!,
      leagueJoinDate: read.leagueJoinDate!,
    }
    await clerk.client.send(studentApi.save, { ...form, version: 0, ...masked })
    const stored = await school.ctx.db
      .selectFrom('person')
      .select(['suiName', 'birth', 'suiPolitical', 'suiEmail', 'suiAddress', 'leagueJoinDate'])
      .where('suId', '=', edited.suId)
      .executeTakeFirst()
    expect(stored).toEqual({
      suiName: '韩梅梅',
      birth: '2002-12-12',
      suiPolitical: politicalStatus.leagueMember,
      suiEmail: 'han@example.com',
      suiAddress: '南湖路二号',
      leagueJoinDate: '2016-05-04',
    })
    for (const [field, value] of [
      ['birth', '2002-**-**'],
      ['suiPolitical', '0*'],
      ['suiEmail', 'x***@example.com'],
      ['suiAddress', '南湖路*号'],
      ['leagueJoinDate', '2016-**-**'],
    ] as const) {
      expect(await clerk.client.ask(studentApi.save, { ...form, version: 1, ...masked, [field]: value })).toMatchObject(
        { code: 300, errors: [{ field }] },
      )
    }
    // papers are checked against a birth that only the service knows
    expect(
      await clerk.client.ask(studentApi.save, {
        ...form,
        version: 1,
        ...masked,
        suiIdType: idDocument.residentCard,
        suiIdCard: idCard,
        suiSex: personSex.male,
      }),
    ).toMatchObject({ errors: [{ field: 'suiIdCard', msg: '身份证号与出生日期不一致' }] })
  })
})

describe('searches', () => {
  /** Lists and pickers that find people by words. */
  const searches: [string, Call, (word: string) => object][] = [
    ['the list of students', studentApi.list, (search) => ({ ...all, search })],
    ['the list of students by name', studentApi.list, (suiName) => ({ ...all, suiName })],
    ['the list of teachers', teacherApi.list, (search) => ({ ...all, search })],
    ['the picker of people', teacherApi.search, (search) => ({ search })],
    ['the transcript list', transcriptApi.list, (search) => ({ ...all, search })],
    ['the members of roles', memberApi.list, (search) => ({ ...all, search })],
  ]
  test.each(searches)('%s gives the same whatever the hidden values are', async (_, call, input) => {
    for (const client of [viewer.client, w.school.admin] as Client[]) {
      for (const word of Object.values(secrets)) expect(found(await client.ask(call, input(word)))).toBe(0)
    }
  })
  const found = ({ data }: { data: unknown }) =>
    (Array.isArray(data) ? data : ((data as { records: unknown[] })?.records ?? [])).length

  test('by phone or papers find the very person, for holders of the right, in reach and on record', async () => {
    const { collegeAdmin, school } = w
    const [client, hit] = [collegeAdmin.client, { suId: person.suId, suiNumber: person.suiNumber }]
    expect(await client.send(piiApi.find, { by: 'suiPhone', value: secrets.suiPhone })).toMatchObject([hit])
    expect(await client.send(piiApi.find, { by: 'suiIdCard', value: ` ${idCard} ` })).toMatchObject([hit])
    expect(await client.send(piiApi.find, { by: 'suiPhone', value: '1381234567' })).toEqual([])
    expect((await viewer.client.ask(piiApi.find, { by: 'suiPhone', value: secrets.suiPhone })).status).toBe(403)
    const elsewhere = await school.person('COUNSELOR', [{ caType: 'class', caTarget: w.strange.scClassId }])
    expect(await elsewhere.client.send(piiApi.find, { by: 'suiPhone', value: secrets.suiPhone })).toEqual([])
    const rows = await trail(person.suId, '按手机号或证件号码查找')
    expect(rows).toMatchObject([{ after: { 查找方式: '手机号', 找到: '1 人' } }, { after: { 查找方式: '证件号码' } }])
    expect(JSON.stringify(rows)).not.toContain(secrets.suiPhone)
  })

  test('by political status are for holders of the right, and only where they hold it', async () => {
    const { school, collegeAdmin, strange } = w
    const other = await add({ ...strange, suiName: '外院党员', suiPolitical: politicalStatus.partyMember })
    const listed = async (client: Client, input: object) =>
      (await client.send(studentApi.list, { ...all, ...input })).records
    expect(await listed(collegeAdmin.client, { suiPolitical: politicalStatus.partyMember })).toMatchObject([
      { suId: person.suId, suiPolitical: politicalStatus.partyMember },
    ])
    expect(
      (await viewer.client.ask(studentApi.list, { ...all, suiPolitical: politicalStatus.partyMember })).status,
    ).toBe(403)
    expect((await viewer.client.ask(studentApi.exportList, { suiPolitical: politicalStatus.partyMember })).status).toBe(
      403,
    )
    expect(
      (await viewer.client.ask(teacherApi.list, { ...all, suiPolitical: politicalStatus.partyMember })).status,
    ).toBe(403)
    expect((await listed(viewer.client, { search: person.suiNumber })).map((row) => 'suiPolitical' in row)).toEqual([
      false,
    ])
    // sees the whole school by one role, and what is sensitive of one class by another
    const both = await school.person('DATA_VIEWER')
    await school.admin.send(memberApi.add, {
      srId: school.roles['COUNSELOR']!,
      suIds: [both.suId],
      scClassIds: [w.own.scClassId],
    })
    expect((await listed(both.client, { suiPolitical: politicalStatus.partyMember })).map(({ suId }) => suId)).toEqual([
      person.suId,
    ])
    expect('suiPolitical' in (await listed(both.client, { search: other.suiNumber }))[0]!).toBe(false)
  })

  test('for people already on file go by birth only for those who may see it', async () => {
    const { collegeAdmin } = w
    const input = { suiName: '李雷', birth: secrets.birth, suiCollegeId: w.own.suiCollegeId }
    expect(await collegeAdmin.client.send(studentApi.similar, input)).toMatchObject({
      byBirth: true,
      people: [{ suId: person.suId, suiNumber: person.suiNumber }],
    })
    expect(await trail(person.suId, '核对重复人员')).toHaveLength(1)
    expect((await collegeAdmin.client.send(studentApi.similar, { ...input, birth: '1990-03-08' })).people).toEqual([])
    expect((await collegeAdmin.client.send(studentApi.similar, { ...input, suId: person.suId })).people).toEqual([])
    const clerk = await clerkOf()
    const answers = await Promise.all(
      [secrets.birth, '1990-03-08', undefined].map((birth) =>
        clerk.client.send(studentApi.similar, { ...input, birth }),
      ),
    )
    expect(answers[0]).toMatchObject({ byBirth: false, people: [{ suId: person.suId }] })
    expect(answers[1]).toEqual(answers[0])
    expect(answers[2]).toEqual(answers[0])
    expect((await clerk.client.send(studentApi.similar, { suiName: '李雷', birth: secrets.birth })).people).toEqual([])
  })
})

describe('photos', () => {
  const upload = async (client: Client) =>
    (
      await client.upload(
        fileApi.upload,
        {
          name: '证件照.png',
          bytes: await sharp({ create: { width: 50, height: 70, channels: 3, background: '#2040c0' } })
            .png()
            .toBuffer(),
        },
        { kind: 'image' },
      )
    ).data.fileId
  const status = async (client: Client, call: Call, id: string) => (await client.fetch(call, { id })).status

  test('are shown to those who may see the person, and to nobody by the common way', async () => {
    const { school, collegeAdmin, own, strange } = w
    const suiPhoto = await upload(collegeAdmin.client)
    expect(await status(collegeAdmin.client, piiApi.photo, suiPhoto)).toBe(200)
    expect(await status(viewer.client, piiApi.photo, suiPhoto)).toBe(404)
    const form = { suiNumber: `S${unique()}`, suiName: '有照片', ...own, suiPhoto }
    const { suId } = await collegeAdmin.client.send(studentApi.save, form)
    expect((await viewer.client.send(studentApi.detail, { id: suId })).suiPhoto).toBe(suiPhoto)
    expect((await viewer.client.download(piiApi.photo, { id: suiPhoto })).type).toBe('image/png')
    const elsewhere = await school.person('COUNSELOR', [{ caType: 'class', caTarget: strange.scClassId }])
    expect(await status(elsewhere.client, piiApi.photo, suiPhoto)).toBe(404)
    for (const client of [collegeAdmin.client, viewer.client, elsewhere.client])
      expect(await status(client, fileApi.view, suiPhoto)).toBe(404)

    // a photo cannot be put into somebody else's record, nor can a picture that everybody sees become one
    expect(
      await collegeAdmin.client.ask(studentApi.save, {
        suiNumber: `S${unique()}`,
        suiName: '借照片',
        ...own,
        suiPhoto,
      }),
    ).toMatchObject({ reason: 'file-gone' })
    expect(
      await collegeAdmin.client.ask(studentApi.save, {
        ...form,
        suId,
        version: 0,
        suiPhoto: await upload(school.admin),
      }),
    ).toMatchObject({ reason: 'file-gone' })

    const next = await upload(collegeAdmin.client)
    await collegeAdmin.client.send(studentApi.save, { ...form, suId, version: 0, suiPhoto: next })
    expect(await status(viewer.client, piiApi.photo, suiPhoto)).toBe(404)
    await collegeAdmin.client.send(studentApi.remove, { ids: [suId] })
    expect(await status(viewer.client, piiApi.photo, next)).toBe(404)
    expect(
      await school.ctx.db.selectFrom('file').select('fileState').where('fileId', 'in', [suiPhoto, next]).execute(),
    ).toEqual([{ fileState: fileState.abandoned }, { fileState: fileState.abandoned }])
  })

  test('of staff are for those who see staff', async () => {
    const { school, collegeAdmin, own } = w
    const suiPhoto = await upload(school.admin)
    await school.admin.send(teacherApi.save, {
      suiNumber: `G${unique()}`,
      suiName: '王老师',
      suiCollegeId: own.suiCollegeId,
      suiPhoto,
    })
    expect(await status(collegeAdmin.client, piiApi.photo, suiPhoto)).toBe(200)
    const counselor = await school.person('COUNSELOR', [{ caType: 'class', caTarget: own.scClassId }])
    expect(await status(counselor.client, piiApi.photo, suiPhoto)).toBe(404)
  })
})
