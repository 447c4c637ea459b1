import { z } from 'zod'
import { call } from '../../core/call.ts'
import { codesOf } from '../../core/codes/code-list.ts'
import { holidayKind } from '../../core/codes/school.ts'
import { day, done, flag, id, ids, nothing, optionalText, pick, text, version, integer } from '../../core/fields.ts'
import { fileOutput } from '../../core/file.ts'
import { paged, paging } from '../../core/paging.ts'
import { settingsPatch } from './setting-values.ts'

/** What the school shows of itself, as its form sends it. The seal is only taken from those who may see it. */
const profileForm = z.strictObject({
  version,
  schName: text('学校名称', 60),
  schCode: z
    .string()
    .trim()
    .regex(/^\d{5}$/, '学校代码须为教育部公布的 5 位数字')
    .meta({ label: '学校代码', max: 5 })
    .optional(),
  schMotto: optionalText('校训', 60),
  address: optionalText('地址', 120),
  phone: z
    .string()
    .trim()
    .regex(/^\+?[\d()（）\s-]{5,30}$/, '联系电话格式不正确')
    .meta({ label: '联系电话', max: 30 })
    .optional(),
  logoFileId: id('校标').optional(),
  badgeFileId: id('校徽').optional(),
  sealFileId: id('公章').optional(),
  loginBgFileId: id('登录页背景').optional(),
  isGydx: flag('启用行业课程表单').default(false),
  isYkdx: flag('启用医科大学表单').default(false),
})

const nullableId = z.string().nullable()

const profile = z.object({
  schoolId: z.string(),
  schName: z.string(),
  schCode: z.string(),
  schMotto: z.string(),
  address: z.string(),
  phone: z.string(),
  logoFileId: nullableId,
  badgeFileId: nullableId,
  /** Null for those who may not see the seal; `hasSeal` tells them whether there is one. */
  sealFileId: nullableId,
  hasSeal: z.boolean(),
  loginBgFileId: nullableId,
  isGydx: z.string(),
  isYkdx: z.string(),
  version: z.number(),
  updateTime: z.string(),
  can: z.array(z.enum(['edit', 'seal'])),
})

const termForm = z
  .strictObject({
    tmId: id('学期').optional(),
    version: version.optional(),
    tmName: text('学期名称', 40),
    tmStart: day('开始日期'),
    tmEnd: day('结束日期'),
  })
  .check(({ value, issues }) => {
    if (value.tmEnd <= value.tmStart)
      issues.push({ code: 'custom', input: value, path: ['tmEnd'], message: '结束日期必须晚于开始日期' })
    else if (Date.parse(value.tmEnd) - Date.parse(value.tmStart) > 366 * 86_400_000)
      issues.push({ code: 'custom', input: value, path: ['tmEnd'], message: '一个学期不能超过一年' })
  })

const term = z.object({
  tmId: z.string(),
  tmName: z.string(),
  tmStart: z.string(),
  tmEnd: z.string(),
  /** `now` the running one, `past` or `coming`. */
  phase: z.enum(['past', 'now', 'coming']),
  /** Courses that begin in it. */
  lessonCount: z.number(),
  version: z.number(),
  can: z.array(z.enum(['edit', 'delete'])),
})

/** Days of one name: a holiday, or working days that make up for one. */
const holidayRange = z
  .strictObject({
    hdName: text('名称', 20),
    hdStart: day('开始日期'),
    hdEnd: day('结束日期'),
    hdKind: pick('类型', codesOf(holidayKind)).default(holidayKind.dayOff),
  })
  .check(({ value, issues }) => {
    if (value.hdEnd < value.hdStart)
      issues.push({ code: 'custom', input: value, path: ['hdEnd'], message: '结束日期不能早于开始日期' })
    else if (Date.parse(value.hdEnd) - Date.parse(value.hdStart) > 92 * 86_400_000)
      issues.push({ code: 'custom', input: value, path: ['hdEnd'], message: '一段假期不能超过 93 天' })
  })

const days = z.array(day('日期'), '请选择日期').max(400, '一次最多 400 天')

const holiday = z.object({ hdDate: z.string(), hdName: z.string(), hdKind: z.string() })

/** The page of the school: what it says of itself, its calendar, and its rules. */
export const schoolInfoApi = {
  profile: call('GET', '/SchoolInfoT/getSchoolProfile', {
    summary: '查看学校资料',
    permit: 'school:list',
    input: nothing,
    output: profile,
  }),
  saveProfile: call('POST', '/SchoolInfoT/saveSchoolProfile', {
    summary: '保存学校资料',
    permit: 'school:edit',
    input: profileForm,
    output: z.object({ version: z.number() }),
  }),
  /** The seal as it is kept, or with `id` a picture just uploaded to become it. */
  seal: call('GET', '/SchoolInfoT/getSchoolSeal', {
    summary: '查看公章',
    permit: 'school:seal',
    cost: 'plain',
    gives: 'file',
    input: z.object({ id: id('公章').optional() }),
    output: fileOutput,
  }),
  terms: call('GET', '/SchoolInfoT/getTermList', {
    summary: '学期列表',
    permit: 'school:list',
    input: paging,
    output: paged(term),
  }),
  saveTerm: call('POST', '/SchoolInfoT/saveTerm', {
    summary: '保存学期',
    permit: 'school:edit',
    input: termForm,
    output: z.object({ tmId: z.string() }),
  }),
  removeTerms: call('POST', '/SchoolInfoT/delTerm', {
    summary: '删除学期',
    permit: 'school:edit',
    input: z.strictObject({ tmIds: ids }),
    output: done,
  }),
  holidays: call('GET', '/SchoolInfoT/getHolidayList', {
    summary: '节假日列表',
    permit: 'school:list',
    input: z.object({ year: integer('年份', 2000, 2100) }),
    output: z.array(holiday),
  }),
  saveHolidays: call('POST', '/SchoolInfoT/saveHolidays', {
    summary: '保存节假日',
    permit: 'school:edit',
    /** `replaces`: days that are taken out first, such as those of a holiday that has become shorter. */
    input: z.strictObject({
      replaces: days.default([]),
      ranges: z.array(holidayRange, '请填写节假日').min(1, '请至少填写一段日期').max(60, '一次最多保存 60 段'),
    }),
    output: done,
  }),
  removeHolidays: call('POST', '/SchoolInfoT/delHolidays', {
    summary: '删除节假日',
    permit: 'school:edit',
    input: z.strictObject({ dates: days.min(1, '请至少选择一天') }),
    output: done,
  }),
  settings: call('GET', '/SchoolInfoT/getSettings', {
    summary: '查看规则设置',
    permit: 'school:list',
    input: nothing,
    /** `values`: all settings, as `SettingValues`. */
    output: z.object({
      values: z.record(z.string(), z.unknown()),
      version: z.number(),
      can: z.array(z.enum(['edit'])),
    }),
  }),
  saveSettings: call('POST', '/SchoolInfoT/saveSettings', {
    summary: '修改规则设置',
    permit: 'school:edit',
    needsFreshCode: true,
    input: z.strictObject({ version, values: settingsPatch, reason: optionalText('变更说明', 200) }),
    output: z.object({ affected: z.number(), version: z.number() }),
  }),
}
