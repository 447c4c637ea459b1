import { z } from 'zod'
import { call } from '../../core/call.ts'
import { choice, id, pick, search } from '../../core/fields.ts'
import { accessAnswer, recordKinds, userAccess } from './access.schema.ts'

const kind = pick('记录类型', recordKinds)

/** What a person may see and do, and why. Answered for people whom the caller's right to see roles covers. */
export const accessApi = {
  view: call('GET', '/sysRole/getUserAccess', {
    summary: '人员的权限说明',
    permit: 'role:list',
    input: z.object({ suId: id('人员') }),
    output: userAccess,
  }),
  records: call('POST', '/sysRole/getAccessRecords', {
    summary: '查找可试的记录',
    permit: 'role:list',
    cost: 'search',
    writes: false,
    input: z.object({ kind, search: search('名称或编号').optional() }),
    output: z.array(z.object({ id: z.string(), name: z.string(), hint: z.string() })),
  }),
  test: call('POST', '/sysRole/testUserAccess', {
    summary: '试一项权限',
    permit: 'role:list',
    writes: false,
    /** Without a record it is asked whether they have the right at all. */
    input: z.object({
      suId: choice('人员'),
      permit: z
        .string('请选择权限')
        .regex(/^[a-zA-Z]{1,30}:[a-zA-Z]{1,30}$/, '请选择权限')
        .meta({ label: '权限', pick: true }),
      kind: kind.optional(),
      id: id('记录').optional(),
    }),
    output: accessAnswer,
  }),
}
