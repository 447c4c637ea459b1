import { erasureKind } from '../../../contract/core/codes/outcomes.ts'
import type { Checked, Output } from '../../../contract/core/call.ts'
import { Failure, invalidInput } from '../../../contract/core/failure.ts'
import type { personErasureApi } from '../../../contract/outcomes/graduation/person-erasure.calls.ts'
import { audit } from '../../core/audit/audit.ts'
import { asPage, countOf, offsetOf } from '../../core/database/paging.ts'
import { withinSchool } from '../../core/database/tenant.ts'
import { forgetActors } from '../../core/request/actor-cache.ts'
import type { Context } from '../../core/request/context.ts'
import { afterCommit, inTransaction } from '../../core/request/transaction.ts'
import { visiblePeople } from '../../school/people/people.service.ts'
import { lockPeople } from '../../school/people/student-status.service.ts'
import { eraseIdentity, pseudonymOf, tracesOf } from './erase-people.service.ts'
import { eraseTexts } from './erase-texts.service.ts'
import { erasureExtent, obstaclesOf, personToErase } from './person-erasure.queries.ts'
import { TraceEraser } from './traces.ts'

/** What erasing somebody's data would take away and leave, and why it cannot be done; nothing is changed. */
export async function previewPersonErasure(
  ctx: Context,
  { suId }: Checked<typeof personErasureApi.preview>,
): Promise<Output<typeof personErasureApi.preview>> {
  const person = await personToErase(ctx, suId)
  const { suiName, suiNumber } = person
  return {
    suId,
    suiName,
    suiNumber,
    pseudonym: person.identityErased ? suiName : pseudonymOf(ctx, person).name,
    obstacles: await obstaclesOf(ctx, person),
    ...(await erasureExtent(ctx, person)),
  }
}

/**
 * Erases the data of one person who has left, as is done of graduates by rule (decision 131): first the copies in what
 * others wrote, page by page, so that nobody waits for all of them; then, checked again, what is left of them and the
 * person in one transaction; then what was written meanwhile. Broken off, it goes on where it is asked for again.
 * Nothing of it can be taken back.
 */
export async function erasePerson(
  ctx: Context,
  { suId, confirmNumber, reason }: Checked<typeof personErasureApi.erase>,
): Promise<Output<typeof personErasureApi.erase>> {
  await erasablePerson(ctx, suId, confirmNumber)
  await eraseTexts(ctx, await tracesOf(ctx, erasureKind.identity, [suId]))
  return inTransaction(ctx, async (tx) => {
    await lockPeople(tx, [suId])
    // as it is under the lock
    const person = await erasablePerson(tx, suId, confirmNumber)
    const { erased, kept } = await erasureExtent(tx, person)
    const traces = await tracesOf(tx, erasureKind.identity, [suId])
    const { name } = pseudonymOf(tx, person)
    await eraseTexts(tx, traces)
    await eraseIdentity(tx, [suId])
    // whoever wrote the reason has probably named the person, perhaps by a short number alone
    const why = new TraceEraser(traces).erasedOwn(reason, new Set(traces))
    const { schoolId, suId: createBy, suNickname: createName } = tx.actor
    await tx.db
      .insertInto('personErasure')
      .values({ schoolId, suId, reason: why, createBy, createName, createTime: tx.clock.now() })
      .execute()
    await audit(tx, {
      action: '删除个人信息',
      bizType: 'person',
      bizId: suId,
      bizName: name,
      after: { ...erased, ...kept },
      reason: why,
    })
    await afterCommit(tx, async (after) => {
      forgetActors(schoolId, [suId])
      // until now the name could be copied; later nobody knows any more what to look for
      await eraseTexts(after, traces)
    })
    return { suId, suiName: name }
  })
}

/** Who is to be erased, where nothing stands against it and the number typed is theirs. */
async function erasablePerson(ctx: Context, suId: string, confirmNumber: string) {
  const person = await personToErase(ctx, suId)
  const obstacles = await obstaclesOf(ctx, person)
  if (obstacles.length > 0) throw new Failure('erasure-obstacles', { name: person.suiName, why: obstacles.join('；') })
  if (confirmNumber !== person.suiNumber)
    throw invalidInput([{ field: 'confirmNumber', msg: '与该人员的学工号不一致，请核对后重新输入' }])
  return person
}

/** Who was erased because they asked for it, by whom and why; newest first. */
export async function personErasures(
  ctx: Context,
  input: Checked<typeof personErasureApi.list>,
): Promise<Output<typeof personErasureApi.list>> {
  const query = visiblePeople(ctx).innerJoin('personErasure', withinSchool('personErasure.suId', 'person.suId'))
  const [rows, total] = await Promise.all([
    query
      .select(['person.suId', 'suiName', 'suiType', 'personErasure.reason'])
      .select(['personErasure.createName', 'personErasure.createTime'])
      .orderBy('personErasure.createTime', 'desc')
      .orderBy('person.suId')
      .limit(input.pageSize)
      .offset(offsetOf(input))
      .execute(),
    countOf(query),
  ])
  return asPage(rows, total, input)
}
