import { z } from 'zod'
import { call } from '../../core/call.ts'
import { day, nothing, text, integer } from '../../core/fields.ts'

const entry = z.object({ value: z.string(), label: z.string(), sort: z.number() })

/** What a school shows of itself to anybody. */
const schoolAppearance = z.object({
  schoolId: z.string(),
  schName: z.string(),
  schCode: z.string(),
  schMotto: z.string(),
  logoFileId: z.string().nullable(),
  features: z.record(z.string(), z.boolean()),
})

/** The entries of all dictionaries, by type. */
export const dictionaries = z.record(z.string(), z.array(entry))

export const schoolApi = {
  dictByType: call('GET', '/sysDictCode/getDictValueByType', {
    summary: '按类型取字典',
    base: '/api/platformbase',
    permit: 'public',
    defaultsToOwnSchool: true,
    input: z.object({ sdtType: text('字典类型', 40), schoolId: z.string().max(32).optional() }),
    output: z.array(entry),
  }),
  allDict: call('GET', '/sysDictCode/getAllDict', {
    summary: '取全部字典',
    base: '/api/platformbase',
    permit: 'public',
    defaultsToOwnSchool: true,
    input: z.object({ schoolId: z.string().max(32).optional() }),
    output: z.object({ version: z.string(), types: dictionaries }),
  }),
  bySchoolId: call('GET', '/SchoolInfoT/selectSchoolInfoBySchoolId', {
    summary: '按学校代码取学校信息',
    permit: 'public',
    defaultsToOwnSchool: true,
    input: z.object({ schoolId: text('学校代码', 32) }),
    /** The pictures are data addresses: whoever signs in has no token yet to fetch them with. */
    output: schoolAppearance.extend({ logo: z.string().nullable(), loginBg: z.string().nullable() }),
  }),
  own: call('GET', '/SchoolInfoT/selectSchoolInfoT', {
    summary: '学校信息',
    permit: 'public',
    defaultsToOwnSchool: true,
    input: z.object({ schoolId: z.string().max(32).optional() }),
    output: z.array(schoolAppearance),
  }),
  isGydx: call('GET', '/SchoolInfoT/queryIsGydx', {
    summary: '是否启用行业课程表单',
    permit: 'signed-in',
    input: nothing,
    output: z.object({ isGydx: z.boolean() }),
  }),
  isYkdx: call('GET', '/SchoolInfoT/queryIsYkdx', {
    summary: '是否医科大学表单',
    permit: 'signed-in',
    input: nothing,
    output: z.object({ isYkdx: z.boolean() }),
  }),
  message: call('GET', '/SchoolInfoT/getSchoolMessage', {
    summary: '学校登录页信息',
    permit: 'public',
    defaultsToOwnSchool: true,
    input: z.object({ schoolId: z.string().max(32).optional() }),
    output: z.object({ schools: z.array(schoolAppearance) }),
  }),
  search: call('GET', '/SchoolInfoT/searchSchool', {
    summary: '查找学校',
    permit: 'public',
    /** What somebody typed, or else the host of the page that they came to. */
    input: z.object({
      words: z.string().trim().max(60, '请输入学校名称、拼音或代码').default(''),
      host: z.string().trim().toLowerCase().max(253).default(''),
    }),
    output: z.object({
      schools: z.array(z.object({ schoolId: z.string(), schName: z.string() })),
      /** The host is that of the one school that is told. */
      isByHost: z.boolean(),
      /** There are others, for which more has to be typed. */
      isMore: z.boolean(),
    }),
  }),
  rules: call('GET', '/SchoolInfoT/getRules', {
    summary: '学校规则',
    permit: 'signed-in',
    input: nothing,
    /** All settings, as `SettingValues`. */
    output: z.record(z.string(), z.unknown()),
  }),
  workday: call('GET', '/SchoolInfoT/getWorkday', {
    summary: '推算工作日',
    permit: 'signed-in',
    input: z.object({ from: day('起始日期'), days: integer('工作日数', 1, 100) }),
    /** The last of so many working days that begin with `from`. */
    output: z.object({ to: z.string() }),
  }),
}
