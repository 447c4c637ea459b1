import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { labelIn } from '../../../contract/core/codes/code-list.ts'
import { messageKind } from '../../../contract/core/codes/platform.ts'
import { Failure } from '../../../contract/core/failure.ts'
import {
  wordedKinds,
  type MessageTemplate,
  type messageTextApi,
} from '../../../contract/school/channels/message-texts.calls.ts'
import { messageTexts } from '../../../contract/school/channels/message-texts.ts'
import { audit, changedFields } from '../../core/audit/audit.ts'
import { asPage, offsetOf } from '../../core/database/paging.ts'
import { from } from '../../core/database/tenant.ts'
import type { Context } from '../../core/request/context.ts'
import { assertVersion } from '../../core/request/scope-check.ts'
import { createdColumns, updatedColumns } from '../../core/request/stamp-columns.ts'
import { inTransaction } from '../../core/request/transaction.ts'

type CallInput<K extends keyof typeof messageTextApi> = Checked<(typeof messageTextApi)[K]>

/** The words for every kind: the school's own, or those of the product. */
export async function listTemplates(ctx: Context, input: CallInput<'list'>) {
  const rows = await from(ctx, 'messageTemplate')
    .select(['messageKind', 'subject', 'content', 'createName', 'updateTime', 'version'])
    .execute()
  const all = wordedKinds.map((kind): MessageTemplate => {
    const own = rows.find((row) => row.messageKind === kind)
    const { subject, content } = own ?? messageTexts[kind]
    return {
      messageKind: kind,
      subject,
      content,
      isOwn: own !== undefined,
      updateName: own?.createName ?? '',
      updateTime: own?.updateTime ?? null,
      version: own?.version ?? 0,
      can: own ? ['edit', 'reset'] : ['edit'],
    }
  })
  return asPage(all.slice(offsetOf(input), offsetOf(input) + input.pageSize), all.length, input)
}

/** Gives a kind words of the school's own. */
export const saveTemplate = (ctx: Context, { messageKind: kind, version, subject, content }: CallInput<'save'>) =>
  inTransaction(ctx, async (tx) => {
    const own = await ownTemplate(tx, kind)
    if (own) {
      assertVersion(tx, own, version)
      await tx.db
        .updateTable('messageTemplate')
        .set({ subject, content, ...updatedColumns(tx), createName: tx.actor.suNickname })
        .where('schoolId', '=', tx.actor.schoolId)
        .where('messageKind', '=', kind)
        .execute()
    } else
      await tx.db
        .insertInto('messageTemplate')
        .values({ ...createdColumns(tx), messageKind: kind, subject, content, version: sql<number>`1` })
        .execute()
    const changes = changedFields<object>(own ?? messageTexts[kind], { subject, content })
    await audit(tx, { action: '保存消息模板', ...recordOf(tx, kind), ...changes })
    return { affected: 1 }
  })

/** Goes back to the words of the product. */
export const resetTemplate = (ctx: Context, { messageKind: kind }: CallInput<'reset'>) =>
  inTransaction(ctx, async (tx) => {
    const own = await ownTemplate(tx, kind)
    if (!own) throw new Failure('not-found')
    await tx.db
      .deleteFrom('messageTemplate')
      .where('schoolId', '=', tx.actor.schoolId)
      .where('messageKind', '=', kind)
      .execute()
    const { subject, content } = own
    await audit(tx, { action: '恢复默认消息模板', ...recordOf(tx, kind), before: { subject, content } })
    return { affected: 1 }
  })

const ownTemplate = (ctx: Context, kind: string) =>
  from(ctx, 'messageTemplate')
    .select(['subject', 'content', 'version'])
    .where('messageKind', '=', kind)
    .forUpdate()
    .executeTakeFirst()

/** A template has no id of its own: it is one of the school's settings. */
const recordOf = (ctx: Context, kind: string) =>
  ({ bizType: 'settings', bizId: ctx.actor.schoolId, bizName: `消息模板：${labelIn(messageKind, kind)}` }) as const
