import { z } from 'zod'
import { call } from '../../core/call.ts'
import { id, pick, text } from '../../core/fields.ts'
import { fileOutput } from '../../core/file.ts'
import { personOption } from '../organisation/organisation.schema.ts'
import type { SensitiveField } from './people.fields.ts'

/** The sensitive facts that are opened one person at a time. */
const unmaskable = [
  'suiIdCard',
  'suiPhone',
  'birth',
  'suiEmail',
  'suiAddress',
  'leagueJoinDate',
  'partyJoinDate',
] as const satisfies readonly SensitiveField[]
export type Unmaskable = (typeof unmaskable)[number]

/** People a day whose sensitive facts one person may open, and exact searches they may make (docs/security.md S11). */
export const perDay = { unmask: 100, find: 100 } as const

export const piiApi = {
  unmask: call('POST', '/sysUserInfo/unmask', {
    summary: '查看敏感信息',
    permit: 'pii:view',
    needsFreshCode: true,
    input: z.strictObject({
      suId: id('人员'),
      fields: z
        .array(z.enum(unmaskable, '不支持的字段'))
        .min(1, '请选择要查看的内容')
        .max(unmaskable.length)
        .meta({ label: '查看内容' }),
      reason: text('查看原因', 200)
        .refine((value) => value.length >= 5, '查看原因不能少于 5 个字')
        .meta({ label: '查看原因', max: 200 }),
    }),
    /** Told this once, to be shown and not kept. */
    output: z.object({ suId: z.string(), values: z.partialRecord(z.enum(unmaskable), z.string().nullable()) }),
  }),
  find: call('POST', '/sysUserInfo/findBySensitive', {
    summary: '按手机号或证件号码查找',
    permit: 'pii:view',
    needsFreshCode: true,
    cost: 'search',
    input: z.strictObject({ by: pick('查找方式', ['suiPhone', 'suiIdCard']), value: text('号码', 30) }),
    output: z.array(personOption),
  }),
  photo: call('GET', '/sysUserInfo/photo', {
    summary: '查看照片',
    permit: 'signed-in',
    cost: 'plain',
    gives: 'file',
    input: z.object({ id: id('照片') }),
    output: fileOutput,
  }),
}
