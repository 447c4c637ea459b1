import { beforeAll, describe, expect, test } from 'vitest'
import { testPassword, unique } from '../testing/school.ts'
import { mainJob, type SpecWorld } from './main-job.ts'
import { spareRecords } from './spares.ts'
import { SpecClient, type Fields } from './spec-client.ts'

let world: SpecWorld
let spare: Awaited<ReturnType<typeof spareRecords>>
beforeAll(async () => {
  world = await mainJob()
  spare = await spareRecords(world)
})

/** The first row of a list by its name. */
const row = async (call: string, filter: Fields) =>
  (await world.admin.ok(call, { current: 1, pageSize: 10, ...filter })).records[0] as Fields

interface Edit {
  call: string
  id: () => Fields
  /** Fields that the record gets first, so that there is something to lose. */
  full?: () => Fields
  read: () => Promise<Fields>
  /** The one field that changes. */
  change: () => Fields
}

const edits: Edit[] = [
  {
    call: 'POST S:/schoolCollege/collegeAddOrEdit',
    id: () => ({ scId: spare.scId }),
    full: () => ({ scShort: '简', scLeader: '周院长', scPhone: '021-5555', scSort: 7, scType: '书院', enable: '0' }),
    read: async () => {
      const { records } = await world.admin.ok('POST S:/schoolCollege/collegeList', { current: 1, pageSize: 100 })
      return (records as Fields[]).find(({ scId }) => scId === spare.scId)!
    },
    change: () => ({ scName: unique() }),
  },
  {
    call: 'POST S:/schoolCollege/majorAddOrEdit',
    id: () => ({ smId: spare.smId }),
    full: () => ({ years: 5, scSort: 6 }),
    read: async () => {
      const { records } = await world.admin.ok('POST S:/schoolCollege/majorList', { current: 1, pageSize: 100 })
      return (records as Fields[]).find(({ smId }) => smId === spare.smId)!
    },
    change: () => ({ smName: unique() }),
  },
  {
    call: 'POST S:/schoolCollege/classAddOrEdit',
    id: () => ({ scClassId: spare.scClassId }),
    full: () => ({
      scClassCode: 'C1',
      counselorId: world.people.teacher.suId,
      headTeacherId: world.people.reviewer.suId,
    }),
    read: async () => {
      const { records } = await world.admin.ok('POST S:/schoolCollege/classList', { current: 1, pageSize: 100 })
      return (records as Fields[]).find(({ scClassId }) => scClassId === spare.scClassId)!
    },
    change: () => ({ scClassName: unique() }),
  },
  {
    call: 'POST S:/schoolDepartment/departmentInfoAddOrEdit',
    id: () => ({ sdId: spare.sdId }),
    full: () => ({ sdType: '2', isGuideUnit: '1', sdLeaderId: world.people.teacher.suId, sdSort: 5 }),
    read: () => row('POST S:/schoolDepartment/departmentInfoList', { sdId: spare.sdId }),
    change: () => ({ sdName: unique() }),
  },
  {
    call: 'POST S:/sysUserInfo/studentUserInfoAddOrEdit',
    id: () => ({ suId: spare.studentId }),
    full: () => ({
      suiStatus: '2',
      suStatus: '0',
      birth: '2005-06-07',
      suiPhone: '13800000001',
      suiPolitical: '03',
      suiDorm: '3-101',
      suiEnterDate: '2024-09-01',
      provinceId: '310000',
    }),
    read: () => world.admin.ok('GET S:/sysUserInfo/getUserInfoEdit/{id}', { id: spare.studentId }),
    change: () => ({ specialty: unique() }),
  },
  {
    call: 'POST S:/sysUserInfo/teacherUserInfoAddOrEdit',
    id: () => ({ suId: spare.teacherId }),
    full: () => ({ sdIds: [spare.sdId], post: '科长', suiPhone: '13800000002', title: '1', suStatus: '0' }),
    read: () => world.admin.ok('GET S:/sysUserInfo/getTeacherInfoEdit/{id}', { id: spare.teacherId }),
    change: () => ({ specialty: unique() }),
  },
  {
    call: 'POST S:/sysRole/roleAddOrEdit',
    id: () => ({ srId: spare.srId }),
    full: () => ({ permits: ['student:list', 'college:list'], dataScope: '2', srSort: 4, enable: '0' }),
    read: () => world.admin.ok('GET S:/sysRole/roleResourceData/{id}', { id: spare.srId }),
    change: () => ({ srDesc: unique() }),
  },
  {
    call: 'POST S:/lessonsClass/edit',
    id: () => ({ lsId: spare.lsId }),
    full: () => ({ minHours: '8', maxHours: '40', termCap: '20', supNote: '须有证明', allowSup: '1', lsCode: 'DS9' }),
    read: () => world.admin.ok('GET S:/lessonsClass/getEdit', { lsId: spare.lsId }),
    change: () => ({ lsName: unique() }),
  },
  {
    call: 'POST S:/evaluationSystem/edit',
    id: () => ({ esId: spare.esId }),
    full: () => ({
      modeRules: [{ partakeMode: '2', factor: '1.5' }],
      awardRules: [{ adName: '一等奖', hours: '3' }],
      abilityRules: [{ sqlId: spare.abilityIds[0]!, weight: 100 }],
      teamRules: [{ size: 2, ratios: ['0.6', '0.4'] }],
      hourCap: '9',
      credit: '0.5',
      yearCap: '12',
    }),
    read: () => world.admin.ok('GET S:/evaluationSystem/query', { esId: spare.esId }),
    change: () => ({ esName: unique() }),
  },
  {
    call: 'POST S:/awardTemplate/edit',
    id: () => ({ atId: spare.atId }),
    full: () => ({ details: [{ adName: '一等奖', hours: '2', points: '1' }], enable: '0' }),
    read: () => world.admin.ok('GET S:/awardTemplate/selectAwardTemplateDetail', { atId: spare.atId }),
    change: () => ({ atDesc: unique() }),
  },
  {
    call: 'POST S:/schoolQualityLable/edit',
    id: () => ({ sqlId: spare.sqlId }),
    full: () => ({ fullScore: '50', levels: ['差', '中', '良'], sqlColor: '#123456', sqlCode: 'L9' }),
    read: async () => {
      const groups = (await world.admin.ok('GET S:/schoolQualityLable/getAll')) as { children: Fields[] }[]
      return groups.flatMap(({ children }) => children).find(({ sqlId }) => sqlId === spare.sqlId)!
    },
    change: () => ({ sqlDesc: unique() }),
  },
  {
    call: 'POST S:/workFlow/saveWorkType',
    id: () => ({ wfcId: spare.wfcId }),
    read: async () =>
      ((await world.admin.ok('GET S:/workFlow/getWorkTypeList')) as Fields[]).find(
        ({ wfcId }) => wfcId === spare.wfcId,
      )!,
    change: () => ({ wfcName: unique() }),
  },
  {
    call: 'POST S:/workFlow/saveWorkInfo',
    id: () => ({ wfId: spare.wfId }),
    full: () => ({ needCreditOnly: '1', selfPass: '0' }),
    read: async () => (await world.admin.ok('POST S:/workFlow/editWorkInfoInit', { wfId: spare.wfId })).flow,
    change: () => ({ wfDesc: unique() }),
  },
  {
    call: 'POST S:/circleInfo/updateCircleInfo',
    id: () => ({ ciId: spare.ciId }),
    full: () => ({ ciDesc: '一起读书', joinMode: '1', memberMax: 60, foundDate: '2020-01-01' }),
    read: () => world.admin.ok('GET S:/circleInfo/getCircleDetail', { ciId: spare.ciId }),
    change: () => ({ ciName: unique() }),
  },
  {
    call: 'POST S:/circleClass/upDateCircleClass',
    id: () => ({ ccId: spare.ccId }),
    full: () => ({ ccSort: 12 }),
    read: async () => {
      const { records } = await world.admin.ok('GET S:/circleClass/queryCircleClassList', { current: 1, pageSize: 100 })
      return (records as Fields[]).find(({ ccId }) => ccId === spare.ccId)!
    },
    change: () => ({ ccName: unique() }),
  },
  {
    call: 'POST S:/newsInfo/updateNewsInfo',
    id: () => ({ niId: spare.niId }),
    full: () => ({ niSubtitle: '副题', niSource: '校报', niAuthor: '记者', niIsShow: '0', niTop: '1' }),
    read: () => world.admin.ok('GET S:/newsInfo/getNewsDetail', { niId: spare.niId }),
    change: () => ({ niTitle: unique() }),
  },
  {
    call: 'POST S:/newsType/update',
    id: () => ({ ntId: spare.ntId }),
    full: () => ({ ntSort: 14 }),
    read: async () => {
      const { records } = await world.admin.ok('GET S:/newsType/queryNewsTypeList', { current: 1, pageSize: 100 })
      return (records as Fields[]).find(({ ntId }) => ntId === spare.ntId)!
    },
    change: () => ({ ntName: unique() }),
  },
  {
    call: 'POST S:/lessonsInfoSup/editSup',
    id: () => ({ lisId: spare.lisId }),
    full: () => ({
      lisOrg: '读书协会',
      certNo: 'N-1',
      lisTeamSize: 3,
      lisRank: 2,
      lisDesc: '说明',
      lisAward: '一等奖',
    }),
    read: () => world.admin.ok('GET S:/lessonsInfoSup/editLessonsSup', { lisId: spare.lisId }),
    change: () => ({ lisName: unique() }),
  },
  {
    call: 'POST S:/lessonsInfoAC/save',
    id: () => ({ liId: spare.liId }),
    full: () => ({
      rangeColleges: [world.ids.scId],
      rangeGrades: ['2024'],
      teacherIds: [world.people.teacher.suId],
      contactName: '王老师',
      quota: 33,
      reservedIds: [world.ids.suId],
      applyWay: '1',
      applyStart: '2029-01-01 08:00:00',
      applyEnd: '2029-01-02 08:00:00',
      startTime: '2029-02-01 08:00:00',
      endTime: '2029-02-02 10:00:00',
      sessions: [
        { startTime: '2029-02-01 08:00:00', endTime: '2029-02-01 10:00:00', placeText: '甲' },
        { startTime: '2029-02-02 08:00:00', endTime: '2029-02-02 10:00:00', placeText: '乙' },
      ],
    }),
    read: () => world.admin.ok('GET S:/lessonsInfo/edit', { liId: spare.liId }),
    change: () => ({ liName: unique() }),
  },
]

/** What writing anew changes by itself. */
const ofWriting = new Set(['version', 'wfVersion', 'updateTime', 'versions', 'steps', 'details', 'change', 'flows'])
/** Rows that are written anew get ids of their own; what they say stays. */
const said = (record: Fields) => ({
  ...Object.fromEntries(Object.entries(record).filter(([name]) => !ofWriting.has(name))),
  rows: JSON.stringify([record['steps'], record['details']]).replace(/"(wfsId|adId)":"[^"]*"/g, ''),
})

describe.each(edits)('$call, by a client that knows the specification alone', ({ call, id, full, read, change }) => {
  test('leaves as it is what is not told, and takes back what it answered', async () => {
    const { admin } = world
    if (full) await admin.ok(call, { ...id(), ...full() })
    const before = await read()
    for (const [name, value] of Object.entries(full?.() ?? {}))
      if (typeof value === 'string' && !/Phone|birth|Political/.test(name))
        expect([name, before[name]]).toEqual([name, value])
    const little = change()
    await admin.ok(call, { ...id(), ...little })
    expect(said(await read())).toEqual(said({ ...before, ...little }))
    const whole = change()
    await admin.ok(call, { ...before, ...id(), ...whole, version: undefined })
    expect(said(await read())).toEqual(said({ ...before, ...whole }))
  })
})

describe('a field that is sent empty', () => {
  test('is emptied; a name that no record of the kind has is refused', async () => {
    const { admin } = world
    await admin.ok('POST S:/schoolCollege/classAddOrEdit', { scClassId: spare.scClassId, counselorId: '' })
    const { records } = await admin.ok('POST S:/schoolCollege/classList', { current: 1, pageSize: 100 })
    const after = (records as Fields[]).find(({ scClassId }) => scClassId === spare.scClassId)
    expect(after).toMatchObject({ counselorId: null, headTeacherId: world.people.reviewer.suId, scClassCode: 'C1' })
    expect(
      await admin.ask('POST S:/schoolCollege/classAddOrEdit', { scClassId: spare.scClassId, scClassNmae: '一班' }),
    ).toMatchObject({ code: 300, msg: '不支持的字段：scClassNmae' })
  })
})

describe('a new record', () => {
  test('a supplement names its student by number, and takes no state', async () => {
    const { admin, ids, level } = world
    const { suiNumber } = await admin.ok('GET S:/sysUserInfo/getUserInfoEdit/{id}', { id: ids.suId })
    const { lisId } = await admin.ok('POST S:/lessonsInfoSup/editSup', {
      suiNumber,
      suiName: '安',
      lisName: unique(),
      lsId: ids.lsId,
      lisType: '2',
      lisLevel: level,
      lisObtainDate: '2026-01-01',
      delFlag: '0',
      lisPublictyStatus: '3',
    })
    const record = await admin.ok('GET S:/lessonsInfoSup/editLessonsSup', { lisId })
    expect(record).toMatchObject({ suId: ids.suId, lisStatus: '0' })
  })
  test('a circle takes no state', async () => {
    const { ciId } = await world.teacher.ok('POST S:/circleInfo/BuildNewCircle', {
      ciName: unique(),
      ciClass: spare.ccId,
      ciCollegeId: world.ids.scId,
      cpiPersonId: world.ids.suId,
      teacherIds: [world.people.teacher.suId],
      personIds: [world.ids.suId],
      ciStatus: '1',
      ciAuthStatus: '1',
    })
    const { ciAuthStatus } = await world.admin.ok('GET S:/circleInfo/getCircleDetail', { ciId })
    expect(ciAuthStatus).toBe('0')
  })
})

test('an answer carries its moment, a page its rows under both names', async () => {
  const { address } = world.school
  const headers = { authorization: `Bearer ${world.admin.token}`, 'content-type': 'application/json' }
  const ask = (more: object) =>
    fetch(`${address}/api/schoolbase/schoolCollege/collegeList`, {
      method: 'POST',
      headers: { ...headers, ...more },
      body: JSON.stringify({ current: 1, pageSize: 20 }),
    }).then((response) => response.json() as Promise<{ timestamp?: number; data: Fields }>)
  const plain = await ask({})
  expect(plain.timestamp).toBeTypeOf('number')
  expect(plain.data).toMatchObject({ size: 20, pageSize: 20, current: 1 })
  expect(plain.data['list']).toEqual(plain.data['records'])
  expect(Object.keys((await ask({ prefer: 'handling=strict' })).data)).not.toContain('list')
})

describe('the same moment', () => {
  test('nothing goes back that nobody sent: edits of one record side by side keep what each of them changed', async () => {
    const { admin } = world
    const call = 'POST S:/schoolCollege/classAddOrEdit'
    const one = { scClassId: spare.scClassId }
    await admin.ok(call, { ...one, scClassCode: 'A', scClassSort: 1 })
    for (let round = 0; round < 5; round++) {
      const changes = [{ scClassCode: `B${round}` }, { scClassSort: 20 + round }]
      await Promise.all(changes.map((change) => admin.ok(call, { ...one, ...change })))
      const { records } = await admin.ok('POST S:/schoolCollege/classList', { current: 1, pageSize: 100 })
      expect((records as Fields[]).find(({ scClassId }) => scClassId === spare.scClassId)).toMatchObject({
        scClassCode: `B${round}`,
        scClassSort: 20 + round,
      })
    }
  })

  const keyed = async (fields: Fields, key: string, path = 'schoolCollege/classAddOrEdit') => {
    const response = await fetch(`${world.school.address}/api/schoolbase/${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${world.admin.token}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: JSON.stringify(fields),
    })
    return (await response.json()) as { code: number; reason?: string; data: Fields }
  }

  test('a repetition is answered as the first was, though the record is no longer to be edited', async () => {
    const key = unique().padEnd(20, 'x')
    const { admin, ids, level } = world
    const { lisId } = await admin.ok('POST S:/lessonsInfoSup/editSup', {
      suId: ids.suId,
      lisName: unique(),
      lsId: ids.lsId,
      lisType: '2',
      lisLevel: level,
      lisObtainDate: '2026-01-01',
    })
    const first = await keyed({ lisId, submit: '1' }, key, 'lessonsInfoSup/editSup')
    expect(first.code).toBe(200)
    expect((await keyed({ lisId, submit: '1' }, key, 'lessonsInfoSup/editSup')).data).toEqual(first.data)
    expect((await keyed({ lisId, submit: '1' }, `${key}2`, 'lessonsInfoSup/editSup')).code).toBe(300)
  })
  test('a field that is sent empty is another request than one that leaves it out', async () => {
    const key = unique().padEnd(20, 'y')
    expect((await keyed({ scClassId: spare.scClassId }, key)).code).toBe(200)
    expect(await keyed({ scClassId: spare.scClassId, headTeacherId: '' }, key)).toMatchObject({ reason: 'key-reused' })
  })
})

test('the number of a student out of reach is answered as one that nobody has', async () => {
  const { school, ids, level } = world
  const elsewhere = await school.college()
  const clerk = await school.person('COLLEGE_LEAGUE', [{ caType: 'college', caTarget: elsewhere }], {
    suiCollegeId: elsewhere,
  })
  const client = await SpecClient.signIn(school.address, school.schoolId, clerk.suiNumber, testPassword)
  const { suiNumber } = await world.admin.ok('GET S:/sysUserInfo/getUserInfoEdit/{id}', { id: ids.suId })
  const ask = (number: string) =>
    client.ask('POST S:/lessonsInfoSup/editSup', {
      suiNumber: number,
      lisName: unique(),
      lsId: ids.lsId,
      lisType: '2',
      lisLevel: level,
      lisObtainDate: '2026-01-01',
    })
  const { msg, reason } = await ask('nobody-has-this')
  expect(await ask(suiNumber)).toMatchObject({ code: 300, reason, msg })
})
