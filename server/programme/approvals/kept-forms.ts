import { z } from 'zod'
import { invalidInput } from '../../../contract/core/failure.ts'
import { ids } from '../../../contract/core/fields.ts'
import { unsaid, type ReadKept } from '../../core/request/kept-form.ts'
import { openTasksOf } from './approvals.queries.ts'
import type { BizType } from './running.service.ts'

/**
 * The tasks that a decision of a plain caller is about, who may name the matter that is decided instead: it is the task
 * that waits there for the person who asks (decision 034).
 * @param idField the field that names the matter
 */
export const keptTasks =
  (bizType: BizType, idField: 'liId' | 'lisId' | 'qId'): ReadKept =>
  async (ctx, given) => {
    const answer = unsaid([idField])
    const named = z.object({ [idField]: ids }).safeParse(given)
    if ('taskIds' in given || !named.success) return { answer }
    const bizIds = named.data[idField]!
    const tasks = await openTasksOf(ctx, bizType, bizIds)
    if (new Set(tasks.map(({ bizId }) => bizId)).size < bizIds.length)
      throw invalidInput([
        {
          field: idField,
          msg: bizIds.length === 1 ? '没有等待您审批的记录，请刷新后查看' : '其中有不等待您审批的记录，请刷新后查看',
        },
      ])
    return { answer, form: { taskIds: tasks.map(({ taskId }) => taskId) } }
  }
