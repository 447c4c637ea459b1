import { z } from 'zod'
import { call } from '../../core/call.ts'
import { serviceKeyState } from '../../core/codes/platform.ts'
import { codesOf } from '../../core/codes/code-list.ts'
import { choice, day, done, ids, pick, search, text } from '../../core/fields.ts'
import { paged, paging } from '../../core/paging.ts'
import { areaInput, controlArea } from '../roles/roles.schema.ts'

/** Requests a minute that a key may be given. */
export const keyRates = ['60', '300', '600', '1200', '3000'] as const

/** What the keys of programs begin with, so that they are known for what they are wherever they turn up. */
export const keyPrefix = 'dekt_'

/** An address or a network, `10.1.2.3` or `10.1.0.0/16`. */
const network = z
  .string()
  .trim()
  .max(50)
  .regex(
    /^(\d{1,3}(\.\d{1,3}){3}(\/([12]?\d|3[0-2]))?|[0-9a-fA-F:]*:[0-9a-fA-F:.]*(\/(\d{1,2}|1[01]\d|12[0-8]))?)$/,
    '请填写地址或网段，如 10.1.2.3、10.1.0.0/16',
  )

/** Programs ask by keys of their own (decision 081). */
export const serviceKeyApi = {
  list: call('GET', '/integration/keys', {
    summary: '程序密钥列表',
    permit: 'integration:manage',
    input: paging.extend({
      keyName: search('名称').optional(),
      keyState: z.enum(codesOf(serviceKeyState), '请选择状态').optional(),
    }),
    output: paged(
      z.object({
        keyId: z.string(),
        keyName: z.string(),
        prefix: z.string(),
        srId: z.string(),
        srName: z.string(),
        dataScope: z.string(),
        area: controlArea,
        networks: z.array(z.string()),
        perMinute: z.number(),
        endDate: z.string(),
        keyState: z.enum(codesOf(serviceKeyState)),
        lastTime: z.string().nullable(),
        lastIp: z.string(),
        createName: z.string(),
        createTime: z.string(),
        can: z.array(z.enum(['revoke'])),
      }),
    ),
  }),
  /** Roles that a key may have: those whose rights the caller could give away. */
  roles: call('GET', '/integration/keys/roles', {
    summary: '可用于程序密钥的角色',
    permit: 'integration:manage',
    input: z.object({}),
    output: z.array(z.object({ srId: z.string(), srName: z.string(), dataScope: z.string() })),
  }),
  add: call('POST', '/integration/keys/add', {
    summary: '新增程序密钥',
    permit: 'integration:manage',
    needsFreshCode: true,
    input: z.strictObject({
      keyName: text('名称', 50),
      srId: choice('角色'),
      ...areaInput,
      networks: z.array(network).max(20, '最多 20 个地址').default([]).meta({ label: '允许的地址' }),
      perMinute: pick('每分钟请求数', keyRates).default('600'),
      endDate: day('有效期至'),
    }),
    /** `key` is told this once. */
    output: z.object({ keyId: z.string(), key: z.string() }),
  }),
  revoke: call('POST', '/integration/keys/revoke', {
    summary: '撤销程序密钥',
    permit: 'integration:manage',
    input: z.strictObject({ keyIds: ids }),
    output: done,
  }),
}
