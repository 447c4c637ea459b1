import { create } from 'qrcode'
import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import { issueStatus } from '../../../contract/core/codes/outcomes.ts'
import { yesNo, fileState } from '../../../contract/core/codes/platform.ts'
import { questionOutcome, questionStatus, questionType } from '../../../contract/core/codes/programme.ts'
import { politicalStatus } from '../../../contract/core/codes/school.ts'
import { fileApi } from '../../../contract/platform/files/files.calls.ts'
import { issueApi } from '../../../contract/outcomes/transcripts/issues.calls.ts'
import { transcriptApi } from '../../../contract/outcomes/transcripts/transcripts.calls.ts'
import { newId } from '../../core/base/ids.ts'
import {
  grantRecord,
  oneClass,
  recordPlans,
  reverseRecord,
  type KeptRecord,
  type RecordPlan,
  type TestStudent,
} from '../../testing/ledger.ts'
import { pdfAttachment, pdfPicture, pdfText } from '../../testing/pdf.ts'
import { newSchool, type TestSchool } from '../../testing/school.ts'

/** Rows of every kind, told without any part of the product: modules, levels, awards and amounts in turn. */
const plans: RecordPlan[] = Array.from({ length: 34 }, (_, n) => ({
  name: `第${n + 1}项${['讲座', '志愿服务（社区）', 'Python & 数据 workshop', '“挑战杯”选拔赛'][n % 4]!}`,
  module: ['SXCL', 'ZYGY', 'CXCY', 'WTHD'][(n * 7) % 4]!,
  ...(n % 5 === 3 ? { source: 'SUP' as const } : {}),
  level: ['5', '3', '2'][n % 3]!,
  award: ['', '一等奖', ''][n % 3]!,
  on: `202${5 + (n % 2)}-0${1 + (n % 9)}-${10 + (n % 18)}`,
  hours: [250, 7, 100, 1605][n % 4]!,
  credit: [25, 1, 10, 160][n % 4]!,
  ruleVersion: [1, 3, null][n % 3]!,
}))
const text = (value: number) => String(value / 100)
const bare = (words: string) => words.replace(/\s+/g, '')

let school: TestSchool
let student: TestStudent
let kept: KeptRecord[]
beforeAll(async () => {
  school = await newSchool()
  ;[student] = (await (await oneClass(school)).students(1)) as [TestStudent]
  kept = []
  for (const plan of plans) kept.push(await grantRecord(school, student, plan))
  await reverseRecord(school, student, kept[4]!, '2026-09-20')
  await question(kept[5]!, questionStatus.pending)
  await question(kept[6]!, questionStatus.upheld)
  // over and done with
  await question(kept[10]!, questionStatus.rejected)
  await question(kept[11]!, questionStatus.upheld, questionOutcome.keep)
})

/** Whether a row of the plan is a course's, which questions are about. */
const question = (record: KeptRecord, qStatus: string, qOutcome: string | null = null) =>
  school.services.db
    .insertInto('question')
    .values({
      schoolId: school.schoolId,
      qId: newId(),
      liId: record.bizId,
      targetSuId: student.suId,
      reporterSuId: school.adminId,
      qType: questionType.wrong,
      qContent: '学时与到场时间不符',
      deadline: school.clock.now(),
      qStatus,
      qOutcome,
    })
    .execute()

const words = {
  zh: {
    head: '名称级别角色奖项主办单位时间学时/学分来源',
    notes: '说明1.',
    level: { '5': '校级', '3': '省（部）级', '2': '国家级' },
    role: { LESSON: '志愿者', SUP: '参与者' },
    source: { LESSON: '课程', SUP: '补录' },
    questioned: '质疑中',
    reversed: '已冲正',
    module: { SXCL: '思想成长', ZYGY: '志愿公益', CXCY: '创新创业', WTHD: '文体活动' },
    group: (name: string, count: number, hours: string, credit: string) =>
      `${name}（${count}项，${hours}学时，${credit}学分）`,
  },
  en: {
    head: 'ActivityLevelRoleAwardOrganiserDateHrs/CreditsSource',
    notes: 'Notes1.',
    level: { '5': 'University', '3': 'Provincial', '2': 'National' },
    role: { LESSON: 'Volunteer', SUP: 'Participant' },
    source: { LESSON: 'Course', SUP: 'Supplement' },
    questioned: 'Questioned',
    reversed: 'Reversed',
    module: { SXCL: 'IdeologicalGrowth', ZYGY: 'Volunteering', CXCY: 'Innovation', WTHD: 'ArtsandSports' },
    group: (name: string, count: number, hours: string, credit: string) =>
      `${name}(${count}items,${hours}hours,${credit}credits)`,
  },
} as const

/** The whole table as it has to be set, from the plan alone. */
function meant(lang: 'zh' | 'en'): string {
  const say = words[lang]
  return (['SXCL', 'ZYGY', 'CXCY', 'WTHD'] as const)
    .map((module) => {
      const own = kept.filter((plan) => plan.module === module)
      const stand = own.filter((plan) => plan !== kept[4])
      const sum = (of: 'hours' | 'credit') => text(stand.reduce((all, plan) => all + (plan[of] ?? 0), 0))
      const rows = own
        .toSorted((a, b) => (a.on < b.on ? -1 : a.on > b.on ? 1 : 0))
        .map((plan) => {
          const source = plan.source ?? 'LESSON'
          const mark = plan === kept[4] ? say.reversed : plan === kept[5] || plan === kept[6] ? say.questioned : ''
          const amounts = plan === kept[4] ? '0/0' : `${text(plan.hours)}/${text(plan.credit ?? 0)}`
          return bare(
            plan.name +
              say.level[plan.level as '5'] +
              say.role[source] +
              (plan.award ?? '') +
              (plan.source ? '校外单位' : '计算机学院团委') +
              plan.on +
              amounts +
              say.source[source] +
              mark,
          )
        })
      return say.group(say.module[module], stand.length, sum('hours'), sum('credit')) + rows.join('')
    })
    .join('')
}

const print = async (lang: 'zh' | 'en') =>
  (await school.admin.download(transcriptApi.export, { suIds: [student.suId], lang })).bytes

test.each(['zh', 'en'] as const)(
  'the paper (%s) holds every row of the ledger, all columns, in order, and nothing besides',
  async (lang) => {
    const pages = (await pdfText(await print(lang))).split('\f').map(bare)
    const body = pages
      .flatMap((page) => {
        const from = page.indexOf(words[lang].head)
        // up to the footer
        return from < 0
          ? []
          : [page.slice(from + words[lang].head.length).split(/(?:编号|No\.)[\w-]+(?:第\d+页共|Page\d+of)/)[0]!]
      })
      .join('')
    const table = body.slice(0, body.indexOf(words[lang].notes) < 0 ? undefined : body.indexOf(words[lang].notes))
    expect(table).toBe(meant(lang))
  },
)

test('it says which versions of rules took part, in both languages, on screen and in the credential; ruleless records name none', async () => {
  const header = async (lang: 'zh' | 'en') => school.admin.send(transcriptApi.header, { suId: student.suId, lang })
  expect((await header('zh')).summary.ruleVersion).toBe('1、3')
  expect((await header('en')).summary.ruleVersion).toBe('1, 3')
  const zh = await print('zh')
  expect(bare(await pdfText(zh))).toContain('所用为各规则的第1、3版')
  expect(await pdfAttachment(zh)).toContain('"ruleVersion":"1、3"')
  expect(bare(await pdfText(await print('en')))).toContain('(versionsused:1,3)')
  const [other] = (await (await oneClass(school)).students(1)) as [TestStudent]
  await grantRecord(school, other, { ...recordPlans[0]!, ruleVersion: 2 })
  await reverseRecord(
    school,
    other,
    await grantRecord(school, other, { ...recordPlans[1]!, ruleVersion: 7 }),
    '2026-09-01',
  )
  await grantRecord(school, other, { ...recordPlans[3]!, ability: [], ruleVersion: null })
  expect((await school.admin.send(transcriptApi.header, { suId: other.suId })).summary.ruleVersion).toBe('2')
})

test('open questions mark their records on every list, ended ones none', async () => {
  const { records } = await school.admin.send(transcriptApi.rows, { suId: student.suId, pageSize: 200 })
  expect(
    records
      .filter(({ status }) => status === '2')
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual([plans[5]!.name, plans[6]!.name].toSorted())
  for (const row of records) expect(row.explainId).toBe(row.recId)
  const scores = await school.admin.send(transcriptApi.stuScore, { search: student.suiNumber, pageSize: 200 })
  expect(
    scores.records
      .filter(({ status }) => status === '2')
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual([plans[5]!.name, plans[6]!.name].toSorted())
})

test('its code holds the address of its own serial', async () => {
  const bytes = await print('zh')
  const [issue] = (
    await school.admin.send(issueApi.list, { suId: student.suId, tiStatus: issueStatus.valid })
  ).records.filter(({ tiLang }) => tiLang === 'zh')
  const { verifyUrl } = await school.admin.send(transcriptApi.header, { suId: student.suId })
  expect(new URL(verifyUrl!).pathname).toBe(`/verify/${issue!.serial}`)
  const { modules } = create(verifyUrl!, { errorCorrectionLevel: 'M' })
  const scale = 6
  const { data, info } = await sharp(await pdfPicture(bytes, 1, 72 * scale))
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true })
  // 62 points wide at the upper right corner of the frame, two quiet modules around
  const [left, top, side] = [595.28 - 42 - 62, 36, 62 / (modules.size + 4)]
  const isDark = (row: number, column: number) =>
    data[
      Math.round((top + (row + 2.5) * side) * scale) * info.width + Math.round((left + (column + 2.5) * side) * scale)
    ]! < 128
  const at = Array.from({ length: modules.size }, (_, n) => n)
  expect(at.map((row) => at.map((column) => (isDark(row, column) ? '#' : '.')).join(''))).toEqual(
    at.map((row) => at.map((column) => (modules.get(row, column) ? '#' : '.')).join('')),
  )
})

test('what is shown stands as issued, as changed since, or as not issued; political status only where the school wishes it', async () => {
  const header = async (lang: 'zh' | 'en' = 'zh') =>
    school.admin.send(transcriptApi.header, { suId: student.suId, lang })
  await print('zh')
  const issued = await header()
  expect(issued).toMatchObject({
    issueStand: 'current',
    signature: expect.stringMatching(/^z/),
    student: { suiPolitical: null, suiPhoto: null },
  })
  expect(issued.verifyUrl).toContain(issued.serial)
  expect(issued.summary.asOf).toBe(issued.asOf)
  await school.services.db
    .updateTable('person')
    .set({ suiPolitical: politicalStatus.leagueMember })
    .where('suId', '=', student.suId)
    .execute()
  expect(await header()).toMatchObject({ issueStand: 'current', student: { suiPolitical: null } })
  await school.rules({ transcriptPhoto: yesNo.yes })
  // they have none: the paper is the same
  expect(await header()).toMatchObject({ issueStand: 'current', serial: issued.serial, student: { suiPhoto: null } })
  await school.rules({ transcriptPolitical: '1' })
  expect(await header()).toMatchObject({
    issueStand: 'changed',
    serial: '',
    verifyUrl: null,
    signature: null,
    digest: '',
    student: { suiPolitical: politicalStatus.leagueMember },
  })
  expect(bare(await pdfText(await print('zh')))).toContain('政治面貌共青团员')
  expect((await header()).issueStand).toBe('current')
  expect(bare(await pdfText(await print('en')))).toContain('AffiliationCYLCmember')
  await grantRecord(school, student, { name: '新的讲座', module: 'CXCY', on: '2026-06-01', hours: 100 })
  expect(await header()).toMatchObject({ issueStand: 'changed', serial: '' })
  expect(
    (await school.admin.send(transcriptApi.header, { suId: student.suId, startTime: '2026-01-01' })).issueStand,
  ).toBe('none')
})

test('a photo is printed where the school wishes it, and makes a new paper', async () => {
  const [other] = (await (await oneClass(school)).students(1)) as [TestStudent]
  const {
    data: { fileId },
  } = await school.admin.upload(
    fileApi.upload,
    {
      name: '证件照.png',
      bytes: await sharp({ create: { width: 60, height: 80, channels: 3, background: '#2040c0' } })
        .png()
        .toBuffer(),
    },
    { kind: 'image' },
  )
  await school.services.db
    .updateTable('file')
    .set({ isPrivate: true, fileState: fileState.inUse, uses: 1 })
    .where('fileId', '=', fileId)
    .execute()
  await school.services.db.updateTable('person').set({ suiPhoto: fileId }).where('suId', '=', other.suId).execute()
  const header = () => school.admin.send(transcriptApi.header, { suId: other.suId })
  const bluePoints = async (): Promise<number> => {
    const { bytes } = await school.admin.download(transcriptApi.export, { suIds: [other.suId] })
    const { data } = await sharp(await pdfPicture(bytes, 1, 36))
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    return Array.from({ length: data.length / 3 }, (_, n) => data.subarray(n * 3, n * 3 + 3)).filter(
      ([red, green, blue]) => Math.abs(red! - 0x20) + Math.abs(green! - 0x40) + Math.abs(blue! - 0xc0) < 24,
    ).length
  }
  await school.rules({ transcriptPhoto: yesNo.no })
  expect(await bluePoints()).toBe(0)
  await school.rules({ transcriptPhoto: yesNo.yes })
  expect(await header()).toMatchObject({ issueStand: 'changed', student: { suiPhoto: fileId } })
  // 58 by 77 points, two of them a dot
  expect(await bluePoints()).toBeGreaterThan(800)
  expect((await header()).issueStand).toBe('current')
  await school.rules({ transcriptPhoto: yesNo.no })
})
