import { messageType } from '../../../contract/core/codes/platform.ts'
import type { Context } from '../../core/request/context.ts'
import { notify } from '../../platform/notifications/notify.service.ts'

interface NotifiedSupplement {
  lisId: string
  lisName: string
  suId: string
  createBy: string | null
}

const about = ({ lisId }: NotifiedSupplement) => ({
  bizType: 'supplement',
  bizId: lisId,
  link: `/courseManagement/RecordingCourse/detail?lisId=${lisId}`,
})

/** Tells the student what has become of their record. */
export const notifyStudent = (
  ctx: Context,
  supplement: NotifiedSupplement,
  what: string,
  more: string,
): Promise<void> =>
  notify(ctx, {
    suIds: [supplement.suId],
    type: messageType.system,
    title: `您的补录《${supplement.lisName}》${what}`,
    content: `您的补录《${supplement.lisName}》${what}。${more}`,
    ...about(supplement),
  })

/** Tells the student, and whoever entered the record, what has become of it. */
export async function notifyBoth(
  ctx: Context,
  supplement: NotifiedSupplement,
  what: string,
  more: string,
): Promise<void> {
  await notifyStudent(ctx, supplement, what, more)
  if (supplement.createBy && supplement.createBy !== supplement.suId)
    await notify(ctx, {
      suIds: [supplement.createBy],
      type: messageType.system,
      title: `补录《${supplement.lisName}》${what}`,
      content: `您录入的补录《${supplement.lisName}》${what}。${more}`,
      ...about(supplement),
    })
}
