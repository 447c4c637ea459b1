import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { sensitiveLabels } from '../../../contract/school/people/people.fields.ts'
import { perDay, piiApi } from '../../../contract/school/people/pii.calls.ts'
import { audit } from '../../core/audit/audit.ts'
import { dayStart } from '../../core/base/clock.ts'
import type { Context } from '../../core/request/context.ts'
import { sealedKey } from '../../core/secrets/field-crypto.ts'
import { from, withinSchool } from '../../core/database/tenant.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { visiblePeople } from './people.service.ts'
import { opened, sensitiveColumns } from './sensitive.ts'
import { personColumns } from '../organisation/person-columns.ts'

/**
 * Opens sensitive facts of one person for somebody who says why: at most a hundred people a day, each time on record
 * (docs/security.md S11). The audit trail is the counter, so what is not on record was not shown.
 */
export async function unmask(ctx: Context, { suId, fields, reason }: Checked<typeof piiApi.unmask>) {
  const labels = fields.map((field) => sensitiveLabels[field])
  return counted(ctx, 'unmask', { bizId: suId, reason, after: { 查看内容: labels } }, async (tx) => {
    const person = await visiblePeople(tx)
      .select(['suiName', 'suiNumber', ...sensitiveColumns])
      .where('person.suId', '=', suId)
      .executeTakeFirst()
    if (!person) throw new Failure('not-found')
    const plain = opened(person, tx.secrets)
    return {
      entry: { bizName: `${person.suiName}（${person.suiNumber}）` },
      answer: { suId, values: Object.fromEntries(fields.map((field) => [field, plain[field]])) },
    }
  })
}

/**
 * The people who have exactly this phone or these papers, by keyed hash. What was looked for is not written down, only
 * that it was.
 */
export async function findBySensitive(ctx: Context, { by, value }: Checked<typeof piiApi.find>) {
  return counted(ctx, 'find', { after: { 查找方式: sensitiveLabels[by] } }, async (tx) => {
    const answer = await visiblePeople(tx)
      .leftJoin('college', withinSchool('college.scId', 'person.suiCollegeId'))
      .leftJoin('schoolClass', withinSchool('schoolClass.scClassId', 'person.scClassId'))
      .select(personColumns)
      .where(`person.${by}Hash`, '=', sealedKey(value, tx.secrets))
      .orderBy('person.suiNumber')
      .limit(20)
      .execute()
    const [first] = answer
    return {
      entry: {
        after: { 查找方式: sensitiveLabels[by], 找到: `${answer.length} 人` },
        ...(first && answer.length === 1 && { bizId: first.suId, bizName: `${first.suiName}（${first.suiNumber}）` }),
      },
      answer,
    }
  })
}

type Entry = Partial<Parameters<typeof audit>[1]>

/**
 * Does what is allowed a number of times a day and puts it on record in the same transaction. One at a time for each
 * person who asks, so that many requests at once do not get more. Refusals are on record too.
 */
async function counted<A>(
  ctx: Context,
  what: keyof typeof perDay,
  known: Entry,
  work: (tx: Context) => Promise<{ entry: Entry; answer: A }>,
): Promise<A> {
  const { summary } = piiApi[what]
  const done = await inTransaction(ctx, async (tx) => {
    const { schoolId, suId } = tx.actor
    await from(tx, 'account').select('suId').where('suId', '=', suId).forNoKeyUpdate().execute()
    // the same person seen again counts once; a search counts each time
    const { rows } = await sql<{
      used: number
    }>`
      select count(distinct ${sql.ref(what === 'unmask' ? 'bizId' : 'logId')})::int "used"
      from "auditLog"
      where "schoolId" = ${schoolId}
        and "actorId" = ${suId}::uuid
        and "logTime" >= ${dayStart(tx.clock.now())}::timestamptz
        and "action" = ${summary}
        and "result" = 'ok'
        and "bizId" <> ${known.bizId ?? '-'}`.execute(tx.db)
    if (rows[0]!.used >= perDay[what]) return undefined
    const { entry, answer } = await work(tx)
    await audit(tx, { action: summary, bizType: 'person', ...known, ...entry })
    return { answer }
  })
  if (done) return done.answer
  await audit(ctx, { action: summary, bizType: 'person', ...known, result: 'refused' })
  throw new Failure('pii-limit', { act: summary, n: perDay[what] })
}
