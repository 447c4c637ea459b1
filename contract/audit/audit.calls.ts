import { z } from 'zod'
import { call } from '../core/call.ts'
import { id } from '../core/fields.ts'
import { paged, paging } from '../core/paging.ts'
import { timelineEntry } from './audit.schema.ts'

export const auditApi = {
  /** Whoever may see the record may read what happened to it; so may whoever reads the audit trail of the whole school, also of what is deleted. */
  timeline: call('GET', '/auditLog/timeline', {
    summary: '记录动态',
    permit: 'signed-in',
    input: paging.extend({ /** A value of the dictionary `audit_kind`. */ bizType: z.string('请选择记录类型').max(40), bizId: id('记录') }),
    output: paged(timelineEntry),
  }),
}
