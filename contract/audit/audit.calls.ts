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
    /** `bizType`: a value of the dictionary `audit_kind`. The school itself (`school`, with its terms, holidays and settings) needs no id. */
    input: paging.extend({ bizType: z.string('请选择记录类型').max(40), bizId: id('记录').optional() }),
    output: paged(timelineEntry),
  }),
}
