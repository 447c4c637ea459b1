import { z } from 'zod'
import { accountStatus, personSex } from '../../core/codes/school.ts'
import { valuesOf } from '../../core/dictionary.ts'
import type { ForAll } from '../../core/call.ts'
import { day, id, ids, optionalText, pick, text } from '../../core/fields.ts'
import { personOption } from '../organisation/organisation.schema.ts'
import { nations } from './nations.ts'

/** A student's or staff number; it is also the name the person signs in by. */
export const personNumber = (label: string) =>
  text(label, 30)
    .transform((value) => value.normalize('NFKC'))
    .pipe(z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.-]*$/, `${label}只能由字母、数字、点和横线组成`))
    .meta({ label, max: 30 })

export const isPhone = (value: string): boolean =>
  /^(1\d{10}|0\d{2,3}-?\d{7,8}(-\d{1,6})?|\+\d[\d -]{6,18}\d)$/.test(value)
export const isEmail = (value: string): boolean =>
  /^[\w.+-]{1,64}@[\w-]+(\.[\w-]+)+$/.test(value) && value.length <= 100

/**
 * What of a person is shown to holders of `pii:view` only, and to them masked until they tell why they need it (PIPL
 * art. 28, docs/security.md S11). The political status is shown plainly to them, for lists are counted by it.
 */
export const sensitiveLabels = {
  suiIdCard: '证件号码',
  suiPhone: '手机号',
  birth: '出生日期',
  suiPolitical: '政治面貌',
  suiEmail: '邮箱',
  suiAddress: '家庭住址',
  leagueJoinDate: '入团日期',
  partyJoinDate: '入党日期',
} as const
export type SensitiveField = keyof typeof sensitiveLabels

/** A sensitive field as the form shows it: masked. Sent back as it was shown, the stored value stays. */
export const isMasked = (value: string): boolean => value.includes('*')
const politicalValues = new Set<string>(valuesOf('political'))

/** A sensitive day: masked, or a day. */
export const secretDay = (label: string) =>
  z
    .string(`请选择${label}`)
    .refine((value) => isMasked(value) || day(label).safeParse(value).success, `${label}不是有效日期`)
    .optional()
    .meta({ label, day: true })

/** Facts of a person that students and staff have alike. */
export const personFields = {
  suiName: text('姓名', 50),
  /** The name that the account goes by; left out, it stays, or goes with the person's name as long as they are one. */
  suNickname: optionalText('显示名称', 50),
  suiSex: pick('性别', valuesOf('sex')).default(personSex.unknown),
  birth: secretDay('出生日期'),
  suiNation: z
    .enum(nations.map(([code]) => code) as [string, ...string[]], '请选择民族')
    .optional()
    .meta({ label: '民族' }),
  suiPolitical: z
    .string('请选择政治面貌')
    .refine((value) => isMasked(value) || politicalValues.has(value), '请选择政治面貌')
    .optional()
    .meta({ label: '政治面貌' }),
  suiIdType: pick('证件类型', valuesOf('id_type')).optional(),
  suiIdCard: optionalText('证件号码', 30),
  suiPhone: z
    .string()
    .trim()
    .max(30, '手机号不能超过 30 个字')
    .refine((value) => isMasked(value) || isPhone(value), '手机号格式不正确')
    .optional()
    .meta({ label: '手机号', max: 30 }),
  suiEmail: z
    .string()
    .trim()
    .refine((value) => isMasked(value) || isEmail(value), '邮箱格式不正确')
    .optional()
    .meta({ label: '邮箱', max: 100 }),
  /** A file uploaded as an image; only those who may see the person are shown it. */
  suiPhoto: id('照片').optional(),
  specialty: optionalText('特长', 200),
  remark: optionalText('备注', 500),
  suStatus: pick('账号状态', [accountStatus.active, accountStatus.disabled]).default(accountStatus.active),
}

/** Home place by the codes of GB/T 2260. */
export const homePlace = {
  provinceId: z
    .string()
    .regex(/^\d{6}$/, '省份不正确')
    .optional()
    .meta({ label: '籍贯省' }),
  cityId: z
    .string()
    .regex(/^\d{6}$/, '城市不正确')
    .optional()
    .meta({ label: '籍贯市' }),
  areaId: z
    .string()
    .regex(/^\d{6}$/, '区县不正确')
    .optional()
    .meta({ label: '籍贯区' }),
}

/** What lists and details tell of a person's account. `activated`: they have a password or have signed in before. */
export const accountFacts = { suStatus: z.string(), activated: z.boolean(), lastLoginTime: z.string().nullable() }

/** What may be done to a person now. `unmask`: to see what is sensitive. */
export const personActions = z.array(
  z.enum(['edit', 'delete', 'resetPwd', 'credibility', 'enable', 'disable', 'unmask']),
)

/** Facts of a person as a detail or form receives them; sensitive ones masked. */
export const personFacts = {
  suId: z.string(),
  suiName: z.string(),
  suNickname: z.string(),
  suiNumber: z.string(),
  suiSex: z.string(),
  birth: z.string().nullable(),
  suiNation: z.string().nullable(),
  suiPolitical: z.string().nullable(),
  suiIdType: z.string().nullable(),
  suiIdCard: z.string().nullable(),
  suiPhone: z.string().nullable(),
  suiEmail: z.string().nullable(),
  suiPhoto: z.string().nullable(),
  specialty: z.string().nullable(),
  remark: z.string().nullable(),
  suiStatus: z.string(),
  suiCollegeId: z.string().nullable(),
  suiCollegeName: z.string().nullable(),
  roles: z.array(z.object({ srId: z.string(), srName: z.string() })),
  ...accountFacts,
  createName: z.string(),
  createTime: z.string(),
  updateTime: z.string(),
  version: z.number(),
  can: personActions,
}

/**
 * Filters that find a person by what stands in the lists; birth, phone and papers can be neither searched nor sorted
 * by, the political status only by holders of `pii:view`.
 */
export const personFilters = {
  search: z.string().trim().max(100).optional().meta({ label: '姓名或学工号' }),
  suiName: z.string().trim().max(50).optional().meta({ label: '姓名' }),
  suiNumber: z.string().trim().max(30).optional().meta({ label: '学工号' }),
  suiCollegeId: id('学院').optional(),
  suiSex: pick('性别', valuesOf('sex')).optional(),
  suiPolitical: pick('政治面貌', valuesOf('political')).optional(),
  suStatus: pick('账号状态', [accountStatus.active, accountStatus.disabled, accountStatus.locked]).optional(),
}

/** People who may already be on file, before a form is sent: what was typed in, and who is being edited. */
export const similarInput = z.object({
  suiName: z.string().trim().min(1, '请输入姓名').max(50, '姓名不能超过 50 个字'),
  birth: z.string().max(30).optional(),
  suiCollegeId: id('学院').optional(),
  suId: id('人员').optional(),
})
/** `byBirth`: name and day of birth are the same; otherwise only name and college are. */
export const similarPeople = z.object({ byBirth: z.boolean(), people: z.array(personOption) })

/** Switching accounts on (`'1'`) or off (`'0'`); those that are so already are not counted. */
export const accountSwitch = z.strictObject({
  ids,
  suStatus: pick('账号状态', [accountStatus.active, accountStatus.disabled]),
})

/** All people that a list finds, one by one, so that taking it back leaves alone whose account was so already. */
export const accountsOf = (list: string): ForAll[] => [
  {
    list: `/api/schoolbase/sysUserInfo/${list}`,
    row: 'suId',
    name: ['suiName', 'suiNumber'],
    ids: 'ids',
    undo: {
      path: `/api/schoolbase/sysUserInfo/${list.startsWith('student') ? 'student' : 'teacher'}AccountSwitch`,
      given: ({ suStatus }) => ({
        suStatus: suStatus === accountStatus.active ? accountStatus.disabled : accountStatus.active,
      }),
    },
  },
]
