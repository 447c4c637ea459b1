import { z } from 'zod'
import { partakeMode } from '../../core/codes/programme.ts'
import { valuesOf } from '../../core/dictionary.ts'
import {
  amount,
  choice,
  day,
  flag,
  fileIds,
  id,
  optionalText,
  pick,
  text,
  version,
  integer,
} from '../../core/fields.ts'
import { flowProgress } from '../lessons/lessons.schema.ts'

/**
 * What may be done to a supplement record in its present state by the person who asks; the server checks state and
 * rights.
 */
export const supplementAction = z.enum([
  'edit',
  'submit',
  'withdraw',
  'del',
  'cancel',
  'publicty',
  'unpublicty',
  'correct',
  'reverse',
  'restore',
])
export type SupplementAction = z.infer<typeof supplementAction>

/** A supplement record as lists show it. Amounts are decimal text. */
export const supplementRow = z.object({
  lisId: z.string(),
  lisName: z.string(),
  suId: z.string(),
  suiName: z.string(),
  suiNumber: z.string(),
  suiGrade: z.string(),
  collegeName: z.string(),
  className: z.string(),
  lsId: z.string(),
  /** Module and node, `技能特长 / 语言证书`. */
  lsName: z.string(),
  lisType: z.string(),
  lisLevel: z.string(),
  lisLevelName: z.string(),
  lisPartakeMode: z.string(),
  lisAward: z.string(),
  lisOrg: z.string(),
  lisObtainDate: z.string(),
  certNo: z.string(),
  lisHours: z.string(),
  lisCredit: z.string(),
  lisStatus: z.string(),
  refuseReason: z.string(),
  lisPublictySdate: z.string().nullable(),
  lisPublictyEdate: z.string().nullable(),
  /** `dictionary.publicty_status`; 3 while a question about it is being decided. */
  lisPublictyStatus: z.string(),
  /** Questions that were entered about it, those that were turned down or taken back included. */
  questionCount: z.number(),
  /** `dictionary.sup_source`. */
  source: z.string(),
  proofCount: z.number(),
  delFlag: z.string(),
  createName: z.string(),
  createTime: z.string(),
  version: z.number(),
  can: z.array(supplementAction),
})
export type SupplementRow = z.infer<typeof supplementRow>

/** A record in public notice: no full name, no full number, no proof. */
export const noticedSupplement = z.object({
  lisId: z.string(),
  lisName: z.string(),
  suiName: z.string(),
  suiNumber: z.string(),
  collegeName: z.string(),
  lisType: z.string(),
  lisLevelName: z.string(),
  lisAward: z.string(),
  hours: z.string(),
  lisPublictySdate: z.string(),
  lisPublictyEdate: z.string(),
  /** 3 while a question about it is being decided. */
  lisPublictyStatus: z.string(),
})
export type NoticedSupplement = z.infer<typeof noticedSupplement>

/** Something that looks like another record: worth a second look before it is entered or approved. */
export const supplementHint = z.object({
  level: z.enum(['info', 'warning']),
  text: z.string(),
  /** The other record, where there is one. */
  lisId: z.string().nullable(),
})
export type SupplementHint = z.infer<typeof supplementHint>

/** A proof of a record; `kind` is `image` or `document`. */
const proof = z.object({ id: z.string(), name: z.string(), kind: z.string() })

/** A supplement record with everything its pages show. */
export const supplementDetail = supplementRow.extend({
  lsPath: z.array(z.string()),
  lisStartDate: z.string().nullable(),
  lisEndDate: z.string().nullable(),
  certUrl: z.string(),
  lisTeamSize: z.number().nullable(),
  lisRank: z.number().nullable(),
  /** What was asked for; null: what the rule gives. */
  lisHoursDeclared: z.string().nullable(),
  lisPoints: z.string(),
  lisDesc: z.string(),
  proofs: z.array(proof),
  passTime: z.string().nullable(),
  completeTime: z.string().nullable(),
  /** How each value comes about, or came about once it is credited. */
  reckoning: z.array(z.object({ clType: z.string(), value: z.string(), text: z.string() })),
  /** The gates from entering to the ledger, in their order. */
  gates: z.array(z.object({ name: z.string(), passed: z.boolean(), failed: z.boolean(), note: z.string() })),
  /** Hours that the ledger holds of it, which caps and best-only groups may have made less than `lisHours`. */
  grantedHours: z.string(),
  /** Its entries in the credit ledger, reversals included, in the order they were made. */
  ledger: z.array(
    z.object({
      clId: z.string(),
      source: z.string(),
      clType: z.string(),
      value: z.string(),
      text: z.string(),
      grantedAt: z.string(),
    }),
  ),
  flows: z.array(flowProgress),
  /**
   * A credential of another issuer that is proof of it, as it was found when it was verified; `lines` tell a reviewer
   * and decide nothing.
   */
  credential: z
    .object({
      title: z.string(),
      issuer: z.string(),
      issuerName: z.string(),
      checkTime: z.string(),
      lines: z.array(z.object({ level: z.enum(['info', 'warning']), text: z.string() })),
    })
    .nullable(),
})
export type SupplementDetail = z.infer<typeof supplementDetail>

const day2 = (label: string) => day(label).optional()

/** The facts of a record as a person enters them. */
export const supplementFacts = {
  suId: choice('学生'),
  lisName: text('补录名称', 100),
  lsId: choice('模块'),
  lisType: pick('补录类型', valuesOf('sup_type')),
  lisLevel: z.string('请选择级别').min(1, '请选择级别').max(10, '级别不正确').meta({ label: '级别', pick: true }),
  lisPartakeMode: pick('参与方式', valuesOf('partake_mode')).default(partakeMode.participant),
  lisAward: optionalText('奖项', 30),
  lisOrg: optionalText('主办或发证单位', 100),
  lisObtainDate: day('获得日期'),
  lisStartDate: day2('开始日期'),
  lisEndDate: day2('结束日期'),
  certNo: optionalText('证书编号', 60),
  certUrl: z
    .string()
    .trim()
    .max(500, '查询网址不能超过 500 个字')
    .regex(/^https?:\/\/[^\s]+$/, '查询网址须以 http:// 或 https:// 开头')
    .optional()
    .meta({ label: '查询网址', max: 500 }),
  lisTeamSize: integer('团队人数', 2, 100).optional(),
  lisRank: integer('团队排位', 1, 100).optional(),
  lisHoursDeclared: amount('申请学时').optional(),
  lisDesc: optionalText('说明', 1000),
  lisProofs: fileIds('证明材料', 10),
}

/** The text of a credential or the address it stands at; left out it stays. `-` takes it away. */
export const lisCredential = z
  .string()
  .trim()
  .max(400_000, '文件过大，不是电子凭证')
  .optional()
  .meta({ label: '电子凭证', max: 400_000 })

interface Checked {
  lisTeamSize?: number | undefined
  lisRank?: number | undefined
  lisStartDate?: string | undefined
  lisEndDate?: string | undefined
}

/** Rank and size belong together, dates stand in order. */
export function sound(ctx: z.core.ParsePayload<Checked>): void {
  const { lisTeamSize, lisRank, lisStartDate, lisEndDate } = ctx.value
  const fault = (path: string, message: string) =>
    ctx.issues.push({ code: 'custom', input: ctx.value, path: [path], message })
  if (lisTeamSize !== undefined && lisRank === undefined) fault('lisRank', '请填写团队排位')
  if (lisRank !== undefined && lisTeamSize === undefined) fault('lisTeamSize', '请填写团队人数')
  if (lisTeamSize !== undefined && lisRank !== undefined && lisRank > lisTeamSize)
    fault('lisRank', '团队排位不能大于团队人数')
  if (lisStartDate && lisEndDate && lisEndDate < lisStartDate) fault('lisEndDate', '结束日期不能早于开始日期')
}

/** The form of a new record, and with `lisId` of one that is changed; `submit` puts it into approval at once. */
export const supplementForm = z
  .strictObject({
    lisId: id('补录记录').optional(),
    version: version.optional(),
    submit: flag('提交审批').optional(),
    lisCredential,
    ...supplementFacts,
  })
  .check(sound)

/** What a record is rated by, and may be corrected in. */
export const correctedFacts = {
  lisLevel: supplementFacts.lisLevel,
  lisPartakeMode: pick('参与方式', valuesOf('partake_mode')),
  lisAward: supplementFacts.lisAward,
  lisTeamSize: supplementFacts.lisTeamSize,
  lisRank: supplementFacts.lisRank,
  lisHoursDeclared: supplementFacts.lisHoursDeclared,
}

/** What a credited record may be corrected in, with the reason. */
export const supplementCorrection = z
  .strictObject({
    lisId: id('补录记录'),
    version,
    ...correctedFacts,
    reason: text('更正原因', 500).min(5, '更正原因不能少于 5 个字'),
  })
  .check(sound)
